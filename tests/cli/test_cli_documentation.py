"""Every command of docs/cli.md runs and prints what the page says.

The commands of all ```console blocks run in order in one folder. A line "..." stands for any lines.
`python tests/cli/test_cli_documentation.py` writes the real output into the page, but for commands
whose output on the page has such a line.
"""

import os
import re
import shlex
import subprocess
import tempfile

from typer.testing import CliRunner

from tests.cli.page import BLOCK, PAGE, commands, every_command
from underdog.cli.app import app

SHELL = re.compile(r"[|<>]")


def printed(command):
    """What a terminal would show; underdog itself runs in this process."""
    words = shlex.split(command)
    if words[0] == "underdog" and not SHELL.search(command):
        return CliRunner().invoke(app, words[1:]).output
    if "underdog" in words:  # in a pipe
        first, _, rest = command.partition("| underdog ")
        given = subprocess.check_output(first, shell=True, text=True)
        return CliRunner().invoke(app, shlex.split(rest), input=given).output
    return subprocess.check_output(command, shell=True, text=True)


def agrees(expected, output):
    lines = [".*" if line == "..." else re.escape(line) for line in tidy(expected)]
    return re.fullmatch("\n".join(lines), "\n".join(tidy(output)), re.DOTALL) is not None


def tidy(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def test_the_page_shows_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    for command, expected in every_command():
        output = printed(command)
        assert agrees(expected, output), f"$ {command}\n{output}"


def test_the_page_names_every_command_and_option_of_train():
    page = PAGE.read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert re.search(rf"\b{command.name}\b", page)
    told = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "200"}).output
    options = set(re.findall(r"--[a-z]+", told)) - {"--help"}
    assert len(options) > 20
    assert not {option for option in options if option not in page}


def rewrite():
    def fill(match):
        made = []
        for command, expected in commands(match[1]):
            output = printed(command)
            shortened = "..." in expected.splitlines()
            made += [f"$ {command}", *tidy(expected if shortened else output)]
        return "```console\n" + "\n".join(made) + "\n```"

    os.environ.pop("COLUMNS", None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        PAGE.write_text(BLOCK.sub(fill, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()

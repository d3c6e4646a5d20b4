"""Every command of docs/cli.md runs and prints what the page says.

The commands of all ```console blocks run in order in one folder, in a terminal of 80 columns. A
line "..." stands for any lines. `python tests/cli/test_cli_documentation.py` writes the real output
into the page, except for commands whose output on the page has such a line.
"""

import os
import re
import tempfile

from typer.testing import CliRunner

from tests.cli.page import BLOCK, PAGE, check_codes, commands, every_command, every_output
from underdog.cli.app import app

COLUMNS = 80


def agrees(expected, output):
    lines = [".*" if line == "..." else re.escape(line) for line in tidy(expected)]
    return re.fullmatch("\n".join(lines), "\n".join(tidy(output)), re.DOTALL) is not None


def tidy(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_the_page_shows_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown, outputs = every_output(COLUMNS)
    check_codes(shown)
    for (command, expected), output in zip(every_command(), outputs, strict=True):
        assert agrees(expected, output), f"$ {command}\n{output}"
    # Data are shown as they are: a CSV has the width that it has.
    own = [line for line in shown.splitlines() if "," not in line]
    assert max(map(len, own)) <= COLUMNS


def test_the_page_names_every_command_and_option():
    page = PAGE.read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert re.search(rf"\b{command.name}\b", page)
        told = CliRunner().invoke(app, [command.name, "--help"], env={"COLUMNS": "200"}).output
        options = set(re.findall(r"--[a-z][a-z-]*", told)) - {"--help"}
        assert options
        assert not {option for option in options if option not in page}, command.name


def rewrite():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        outputs = iter(every_output(COLUMNS)[1])

    def fill(match):
        made = []
        for command, expected in commands(match[1]):
            output = next(outputs)
            shortened = "..." in expected.splitlines()
            made += [f"$ {command}", *tidy(expected if shortened else output)]
        return "```console\n" + "\n".join(made) + "\n```"

    PAGE.write_text(BLOCK.sub(fill, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()

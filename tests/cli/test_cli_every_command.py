"""Every command of docs/cli.md in a terminal of 80 and of 200 columns, and in a pipe.

One process runs them all, so that the packages are loaded once.
"""

import re
import subprocess
import sys

import pytest

from tests.cli.page import every_command
from tests.cli.terminal import in_terminal, lines_of

RUNNER = """
import shlex, subprocess, sys
from underdog.cli.app import app

for number, command in enumerate(sys.argv[1:]):
    words = shlex.split(command)
    if words[0] == "underdog" and not set("|<>") & set(command):
        try:
            app(words[1:])
            code = 0
        except SystemExit as end:
            code = end.code or 0
    else:
        program = shlex.quote(sys.executable) + " -c 'from underdog.cli.main import main; main()'"
        code = subprocess.call(command.replace("| underdog", f"| {program}"), shell=True)
    print(f"{number} ended with {code}", flush=True)
"""
ENDED = re.compile(r"^(\d+) ended with (\d+)$", re.M)


def check(shown):
    """All commands ran, and those failed that fail on the page."""
    codes = {int(number): int(code) for number, code in ENDED.findall(shown)}
    for number, (command, output) in enumerate(every_command()):
        fails = "error:" in output
        assert (codes[number] > 0) == fails, f"$ {command}\n{shown}"
    assert "Traceback" not in shown


@pytest.mark.parametrize("columns", [80, 200])
def test_in_a_terminal(columns, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [command for command, _ in every_command()]
    code, shown = in_terminal(columns, *commands, program=[sys.executable, "-c", RUNNER])
    assert code == 0
    lines = lines_of(shown)
    check("\n".join(lines))
    # Data are shown as they are: a CSV has the width that it has.
    own = [line for line in lines if "," not in line]
    assert max(len(line.rstrip()) for line in own) <= columns


def test_in_a_pipe(tmp_path):
    commands = [command for command, _ in every_command()]
    found = subprocess.run(
        [sys.executable, "-c", RUNNER, *commands], capture_output=True, text=True, cwd=tmp_path,
        check=True,
    )  # fmt: skip
    check(found.stdout + found.stderr)
    assert "\x1b" not in found.stdout + found.stderr

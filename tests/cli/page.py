"""The commands of docs/cli.md, in order, with the output that the page shows."""

import re
import sys
from pathlib import Path

from tests.cli.terminal import in_terminal, lines_of
from underdog.kernels.jit import COMPILING

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.M)
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
    elif words[0] == "python":
        code = subprocess.call([sys.executable, *words[1:]])
    else:
        program = shlex.quote(sys.executable) + " -c 'from underdog.cli.main import main; main()'"
        code = subprocess.call(command.replace("| underdog", f"| {program}"), shell=True)
    print(f"{number} ended with {code}", flush=True)
"""
"""Runs commands in one process, so that the packages are loaded once."""
ENDED = re.compile(r"^(\d+) ended with (\d+)$", re.M)


def commands(block):
    """(command, expected output) in order."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def every_command():
    """All of the page."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [pair for block in blocks for pair in commands(block)]


def every_output(columns):
    """What a terminal of this width shows for each command of the page.

    Without the note that kernels are compiled: it depends on what ran before on this machine.
    """
    asked = [command for command, _ in every_command()]
    code, shown = in_terminal(columns, *asked, program=[sys.executable, "-c", RUNNER])
    assert code == 0, shown
    text = "\n".join(line.rstrip() for line in lines_of(shown) if line.rstrip() != COMPILING)
    outputs = ENDED.split(text)[::3][: len(asked)]
    return text, [output.strip("\n") for output in outputs]


def check_codes(shown):
    """All commands ran, and those failed that fail on the page."""
    codes = {int(number): int(code) for number, code in ENDED.findall(shown)}
    for number, (command, output) in enumerate(every_command()):
        fails = "error:" in output
        assert (codes[number] > 0) == fails, f"$ {command}\n{shown}"
    assert "Traceback" not in shown

"""Every command in a wide terminal and in a pipe; docs/cli.md shows 80 columns."""

import subprocess
import sys

import pytest

from tests.cli.page import ENDED, RUNNER, check_codes, every_command, every_output
from underdog.cli.app import app


@pytest.mark.slow
def test_in_a_wide_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown, _ = every_output(200)
    check_codes(shown)
    # Data are shown as they are: a CSV has the width that it has.
    own = [line for line in shown.splitlines() if "," not in line]
    assert max(map(len, own)) <= 200


def in_a_pipe(commands, folder):
    """All that the commands print, which has no codes of terminals."""
    found = subprocess.run(
        [sys.executable, "-c", RUNNER, *commands], capture_output=True, text=True, cwd=folder,
        check=True,
    )  # fmt: skip
    shown = found.stdout + found.stderr
    assert "\x1b" not in shown
    return shown


@pytest.mark.slow
def test_the_page_in_a_pipe(tmp_path):
    check_codes(in_a_pipe([command for command, _ in every_command()], tmp_path))


COMMANDS = [
    "train data.csv -t y -m adaboost --cv 2 --n-estimators 4",
    "predict model.udg data.csv",
    "evaluate model.udg data.csv",
    "explain model.udg",
    "explain model.udg data.csv --row 3",
    "inspect model.udg",
    "recalibrate model.udg data.csv -o again.udg",
    "shorten model.udg data.csv --max-rules 2 -o short.udg",
    "scorecard model.udg data.csv",
    "edit model.udg --by me --why test --drop 1 -o edited.udg",
    "compare data.csv -t y --cv 2 -m adaboost -m adauboost",
    "list",
    "list adaboost",
    "predict model.udg nothing.csv",
    "--help",
]


def test_every_command_in_a_pipe(program):
    shown = in_a_pipe([f"underdog {command}" for command in COMMANDS], program.folder)
    failed = [int(number) for number, code in ENDED.findall(shown) if code != "0"]
    assert [COMMANDS[number] for number in failed] == ["predict model.udg nothing.csv"]
    used = {command.split()[0] for command in COMMANDS}
    assert {command.name for command in app.registered_commands} <= used | {"demo"}

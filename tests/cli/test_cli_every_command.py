"""Every command of docs/cli.md in a wide terminal and in a pipe; the page shows 80 columns."""

import subprocess
import sys

import pytest

from tests.cli.page import RUNNER, check_codes, every_command, every_output


@pytest.mark.slow
def test_in_a_wide_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown, _ = every_output(200)
    check_codes(shown)
    # Data are shown as they are: a CSV has the width that it has.
    own = [line for line in shown.splitlines() if "," not in line]
    assert max(map(len, own)) <= 200


def test_in_a_pipe(tmp_path):
    commands = [command for command, _ in every_command()]
    found = subprocess.run(
        [sys.executable, "-c", RUNNER, *commands], capture_output=True, text=True, cwd=tmp_path,
        check=True,
    )  # fmt: skip
    check_codes(found.stdout + found.stderr)
    assert "\x1b" not in found.stdout + found.stderr

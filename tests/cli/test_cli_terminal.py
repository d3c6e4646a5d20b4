"""In a terminal of 80 and of 200 columns, and in a pipe."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.cli.examples import csv
from tests.cli.terminal import PROGRAM, in_terminal, lines_of


@pytest.mark.parametrize("columns", [80, 200])
def test_training(trained, columns):
    head = "one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve"
    classes = [f"a class with the long name {name}" for name in "pqr"]
    rows = [f"{','.join(str((i * j) % 7) for j in range(12))},{classes[i % 3]}" for i in range(60)]
    trained.write("long.csv", "\n".join([f"{head},y", *rows]) + "\n")
    code, shown = in_terminal(columns, "train", "long.csv", "-t", "y", *trained.fast, "-o", "m.udg")
    assert code == 0, shown
    lines = lines_of(shown)
    assert max(map(len, lines)) <= columns
    assert any(len(line) > 80 for line in lines) == (columns == 200)
    assert "cross-validation" in shown  # the bar, which goes away
    assert "saved m.udg" in lines


@pytest.mark.parametrize(
    ("columns", "command"),
    [(80, ["list"]), (80, ["--help"]), (80, ["train", "--help"]), (200, ["train", "--help"])],
)
def test_nothing_is_wider_than_the_terminal(columns, command):
    code, shown = in_terminal(columns, *command)
    assert code == 0
    assert max(len(line.rstrip()) for line in lines_of(shown)) <= columns


def test_a_terminal_is_not_commanded_by_data(program):
    program.write("data.csv", csv(("0", "\x1b[2J")))
    program.train("data.csv")
    code, shown = in_terminal(80, "predict", "model.udg", "data.csv")
    assert code == 0
    assert "\x1b[2J" not in shown
    assert "\\x1b[2J" in shown
    assert "\x1b" not in program.run("explain", "model.udg").stdout


ODD = "\x9b2J\u202e\u2028\u2066\x7f\u200f"
COMMANDS = [
    ["train", "odd.csv", "-t", f"y{ODD}", "-m", "adaboost", "--n-estimators", "3", "--force"],
    ["predict", "model.udg", "odd.csv"],
    ["evaluate", "model.udg", "odd.csv"],
    ["explain", "model.udg"],
    ["explain", "model.udg", "odd.csv", "--row", "2"],
    ["inspect", "model.udg"],
    ["train", "odd.csv", "-t", "z", "-o", "new.udg"],
    ["predict", "model.udg", ODD],
    ["predict", "model.udg", "odd.csv", ODD],
    ["predict", "model.udg", "odd.csv", f"--odd{ODD}"],
    [ODD],
]
RUNNER = """
import json, sys
from underdog.cli.app import app

for command in json.loads(sys.argv[1]):
    print("$", ascii(command))
    try:
        app(command)
    except SystemExit:
        pass
"""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_output_commands_a_terminal(program, form):
    text = csv((f"neg{ODD}", f"pos{ODD}")).replace("u", f"u{ODD}")
    program.write("odd.csv", text.replace("a,b,y", ",".join(f"{name}{ODD}" for name in "aby")))
    runs = json.dumps([[*command, *form] for command in COMMANDS])
    _, shown = in_terminal(80, runs, program=[sys.executable, "-c", RUNNER])
    outputs = re.split(r"^\$ (.*)$", shown, flags=re.M)[1:]
    assert len(outputs) == 2 * len(COMMANDS)
    for command, output in zip(outputs[::2], outputs[1::2], strict=True):
        assert not [c for c in ODD if c in output and c not in "2J"], command
        assert "2J" in output, command


def test_in_a_pipe_there_is_no_bar_and_no_colour(program):
    command = ["train", "data.csv", "-t", "y", *program.fast]
    check = (
        "import sys; from underdog.cli.main import main\n"
        "try: main()\n"
        "finally: print('with pandas:', 'pandas' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", check, *command], capture_output=True, text=True, check=True
    )
    assert "\x1b" not in found.stdout + found.stderr
    assert "cross-validation" not in found.stderr
    assert found.stdout.endswith("with pandas: False\n")


def test_a_reader_who_has_seen_enough(trained):
    trained.write("many.csv", "a,b\n" + "1,u\n" * 100_000)
    running = subprocess.Popen(
        [*PROGRAM, "predict", "model.udg", "many.csv", "-q"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        # Python that does not buffer drops what does not go through a pipe, without an error.
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )  # fmt: skip
    assert running.stdout.readline().startswith("prediction,")
    running.stdout.close()
    told = running.stderr.read()
    running.stderr.close()
    assert running.wait(60) == 1
    assert told == ""


@pytest.mark.parametrize("command", ["explain model.udg", "list", "--help", "--version"])
def test_a_full_disk_behind_standard_output(trained, command):
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [*PROGRAM, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 1
    assert found.stderr == "error: the result cannot be written: No space left on device\n"


@pytest.mark.parametrize("streams", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(program, streams):
    command = ["sh", "-c", f'"$@" {streams}', "sh", *PROGRAM]
    found = subprocess.run([*command, "list"], capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_standard_input_that_is_closed(trained):
    command = ["sh", "-c", '"$@" <&-', "sh", *PROGRAM, "predict", "model.udg", "-"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (3, "error: standard input: the file is empty\n")


LIGHT = [
    ["--help"],
    ["--version"],
    ["train", "--help"],
    ["train", "data.csv", "--nothing"],
    ["train", "data.csv", "-t", "y", "--cv", "1"],
    ["train", "data.csv", "-t", "y", "--cost", "x"],
    ["train", "data.csv", "-t", "y", "-m", "adabost"],
    ["train", "data.csv", "-t", "y", "-o", "no/model.udg"],
    ["train", "no.csv", "-t", "y"],
    ["train", "data.csv"],
    ["train", "data.csv", "-t", "z"],
    ["compare", "data.csv", "-t", "z"],
    ["predict", "no.udg", "data.csv"],
    ["predict", "model.udg", "no.csv"],
    ["predict", "model.udg", "data.csv", "--keep", "z"],
    ["evaluate", "model.udg", "data.csv", "-t", "z"],
    ["explain", "data.csv"],
    ["inspect", "model.udg"],
    ["list"],
    ["list", "adabost"],
    ["compare", "data.csv", "-t", "y", "-m", "adabost"],
    ["compare", "no.csv", "-t", "y"],
]


@pytest.mark.parametrize("command", LIGHT, ids=" ".join)
def test_help_and_mistakes_are_light(trained, command):
    """Nobody waits for scikit-learn to hear which commands there are, or that a file is missing."""
    check = (
        "import sys; from underdog.cli.app import app\n"
        "heavy = 'sklearn', 'numba', 'scipy', 'pandas', 'polars', 'narwhals'\n"
        "try: app(sys.argv[1:])\n"
        "finally: print([name for name in heavy if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", check, *command], capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "[]", found.stderr
    assert "Traceback" not in found.stderr

"""The command line in this process, in a folder of its own with a few data files."""

import pytest
from typer.testing import CliRunner

from tests.cli.examples import csv
from underdog import engine
from underdog.cli.app import app

FAST = ["--model", "adaboost", "--n-estimators", "4", "--cv", "2"]


class Program:
    """Runs commands and knows a few data files."""

    fast = FAST

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments, given=None, code=0):
        result = CliRunner().invoke(app, [str(each) for each in arguments], input=given)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    def train(self, data, *arguments, code=0):
        """With four rounds and two folds, unless the arguments say otherwise."""
        fast = FAST[2:] if "--model" in arguments else FAST  # train takes one model only
        given = [*fast, "--target", "y", "--force", *arguments]
        return self.run("train", data, *given, code=code)

    def refused(self, *arguments, code):
        """The one sentence with which a command fails."""
        result = self.run(*arguments, code=code)
        assert result.stdout == ""
        *_, last = result.stderr.splitlines()
        assert last.startswith("error: ")
        return last.removeprefix("error: ")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    made = Program(tmp_path)
    made.write("data.csv", csv())
    return made


@pytest.fixture
def trained(program):
    """The same, with a model of the data in model.udg."""
    program.train("data.csv")
    return program


@pytest.fixture
def stop_after(monkeypatch):
    """Press Ctrl-C after so many rounds of boosting, counted over all fits."""
    take = engine._take

    def stop(rounds):
        left = [rounds]

        def counted(*arguments):
            take(*arguments)
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        monkeypatch.setattr(engine, "_take", counted)

    yield stop
    monkeypatch.setattr(engine, "_take", take)

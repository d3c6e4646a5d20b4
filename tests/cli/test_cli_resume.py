"""Ctrl-C keeps what is finished; --resume ends with the same file as an undisturbed run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import underdog
from underdog.cli.algorithms import algorithm, algorithms
from underdog.comparison.checkpoint import Checkpoint
from underdog.estimators.support.corrective import CorrectiveBooster

TRAIN = ["train", "data.csv", "-t", "y", "--cv", "2", "--n-estimators", "8"]

PROGRAM = """
import signal
from underdog.cli.main import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
main()
"""


def files(program):
    return sorted(each.name for each in program.folder.iterdir() if each.name != "data.csv")


def test_in_the_cross_validation(program, stop_after):
    command = [*TRAIN, "-m", "adaboost"]
    program.run(*command, "-o", "whole.udg")
    stop_after(12)  # in the second fold
    told = program.run(*command, code=130)
    assert told.stderr.splitlines()[-1] == (
        "stopped: 1 of 2 fits are kept in model.udg.part; continue with the same command and "
        "--resume"
    )
    assert files(program) == ["model.udg.part", "whole.udg"]
    stop_after(12)  # 8 rounds of the second fold, then the last fit: the first is not done again
    program.run(*command, "--resume", code=130)
    stop_after(-1)
    program.run(*command, "--resume")
    assert files(program) == ["model.udg", "whole.udg"]
    same(program, "model.udg", "whole.udg")


@pytest.mark.parametrize("name", [name for name in algorithms() if algorithm(name)._can_continue])
def test_in_the_last_fit(program, stop_after, name):
    command = [*TRAIN, "-m", name, "--cv", "0", "--set", "tol=0" if "lp" in name else "verbose=0"]
    if "hull" in name:  # else folds choose the radius before the last fit
        command += ["--set", "radius=4"]
    program.run(*command, "-o", "whole.udg")
    stop_after(2)
    told = program.run(*command, code=130)
    assert told.stderr.splitlines()[-1] == (
        "stopped after 2 of 8 rounds: model.udg is a model with these rules; continue with the "
        "same command and --resume"
    )
    assert underdog.load("model.udg").steps[-1][1].n_iter_ == 2
    program.run("predict", "model.udg", "data.csv")
    stop_after(-1)
    program.run(*command, "--resume")
    assert files(program) == ["model.udg", "whole.udg"]
    if not issubclass(algorithm(name), CorrectiveBooster):
        same(program, "model.udg", "whole.udg")
        return
    # A linear programme that is solved from another basis may differ in the last digits.
    models = [underdog.load(each).steps[-1][1] for each in ("model.udg", "whole.udg")]
    assert models[0].describe(None) == models[1].describe(None)
    ours, theirs = ([member.coefficient for member in each.model_.members] for each in models)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def stop_in_fit(monkeypatch, number, error=KeyboardInterrupt):
    """Stop the default model in its fit with this number, counted from 1."""
    fit, fits = underdog.BlendedTreesClassifier.fit, []

    def counted(*arguments, **given):
        fits.append(None)
        if len(fits) == number:
            raise error
        return fit(*arguments, **given)

    monkeypatch.setattr(underdog.BlendedTreesClassifier, "fit", counted)


def test_an_error_after_the_folds_is_no_reason_to_do_the_same_again(program, monkeypatch):
    with monkeypatch.context() as failing:
        stop_in_fit(failing, 3, RuntimeError("no"))
        told = program.run(*TRAIN, code=1).stderr.splitlines()
    assert told[-2] == (
        "note: 6 of 6 fits are kept in model.udg.part; the same command would fail again until "
        "the problem is solved: after that, --resume continues from them (with other data or "
        "options give --force)"
    )
    assert told[-1].startswith("error: RuntimeError: no")
    program.run(*TRAIN, "--resume")
    assert files(program) == ["model.udg"]


def test_baselines_are_kept_and_the_default_model_is_fitted_anew(program, monkeypatch):
    program.run(*TRAIN, "-o", "whole.udg")
    with monkeypatch.context() as stopping:
        stop_in_fit(stopping, 3)  # after those of two folds
        told = program.run(*TRAIN, code=130)
    assert told.stderr.splitlines()[-1] == (
        "stopped: 6 of 6 fits are kept in model.udg.part; continue with the same command and "
        "--resume"
    )
    assert files(program) == ["model.udg.part", "whole.udg"]
    message = program.refused(*TRAIN, "--resume", "--no-baselines", code=2)
    assert "was started with other data or options" in message
    program.run(*TRAIN, "--resume")
    same(program, "model.udg", "whole.udg")


def same(program, one, other):
    assert (program.folder / one).read_bytes() == (program.folder / other).read_bytes()


def test_nothing_is_mixed(program, stop_after):
    command = [*TRAIN, "-m", "adaboost"]
    stop_after(12)
    program.run(*command, code=130)
    stop_after(-1)
    told = program.refused(*command, code=2)
    assert told.startswith(
        "model.udg.part is from a training run that was stopped: continue it with"
    )
    for other in (["--seed", "1"], ["--n-estimators", "9"], ["--category", "a"], ["--cv", "3"]):
        told = program.refused(*command, *other, "--resume", code=2)
        assert told.startswith("model.udg.part was started with other data or options")
    program.write("data.csv", (program.folder / "data.csv").read_text() + "1,u,1\n")
    told = program.refused(*command, "--resume", code=2)
    assert told.startswith("model.udg.part was started with other data or options")
    program.run(*command, "--force")
    assert files(program) == ["model.udg"]


def test_a_stopped_model_is_of_its_data_and_options(program, stop_after):
    command = [*TRAIN, "-m", "adaboost", "--cv", "0"]
    stop_after(2)
    program.run(*command, code=130)
    stop_after(-1)
    told = program.refused(*command, "--resume", "--n-estimators", "20", code=2)
    assert told.startswith("model.udg was started with other data or options")
    assert program.refused(*command, code=2).startswith("model.udg exists")
    program.run(*command, "--resume")
    assert program.refused(*command, "--resume", code=2).startswith("nothing to resume: model.udg")


def test_an_error_leaves_nothing_behind(program):
    program.run(*TRAIN, "--set", "learning_rate=-1", "-m", "adaboost", code=1)
    assert files(program) == []


def test_stopped_in_the_first_fold(program, stop_after):
    """No file is left, so none is named."""
    stop_after(2)
    told = program.run(*TRAIN, "-m", "adaboost", code=130)
    assert told.stderr.splitlines()[-1] == "stopped: nothing was kept"
    assert files(program) == []


def test_stopped_while_a_fold_is_written(program, monkeypatch):
    """What counts is what is in the file."""
    add = Checkpoint.add

    def stopped(self, row):
        if row["fold"] == 1:
            with self.path.open("a") as file:
                file.write('{"name": "ada')
            raise KeyboardInterrupt
        add(self, row)

    command = [*TRAIN, "-m", "adaboost"]
    program.run(*command, "-o", "whole.udg")
    monkeypatch.setattr(Checkpoint, "add", stopped)
    told = program.run(*command, code=130).stderr
    assert "stopped: 1 of 2 fits are kept in model.udg.part" in told
    monkeypatch.setattr(Checkpoint, "add", add)
    program.run(*command, "--resume")
    same(program, "model.udg", "whole.udg")


def test_stopped_between_the_folds_and_the_first_round(program, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("underdog.cli.train_run._fit", stopped)
    told = program.run(*TRAIN, "-m", "adaboost", code=130)
    assert told.stderr.splitlines()[-1] == (
        "stopped: 2 of 2 fits are kept in model.udg.part; continue with the same command and "
        "--resume"
    )
    assert files(program) == ["model.udg.part"]


HEAD = '{"underdog comparison": "'


@pytest.mark.parametrize("content", ["", HEAD[:9], f"{HEAD}0f1e", f'{HEAD}0f1e"}}\n{{"name": "a'])
def test_an_empty_file_is_replaced(program, content):
    program.write("model.udg.part", content)
    program.run(*TRAIN, "-m", "adaboost")
    assert files(program) == ["model.udg"]


def test_a_file_of_somebody_else_stays(program):
    program.write("model.udg.part", "a letter")
    assert "model.udg.part is from a training run that was stopped" in program.refused(
        *TRAIN, code=2
    )
    program.write("model.udg.part", b"\xff")
    assert "model.udg.part is from a training run that was stopped" in program.refused(
        *TRAIN, code=2
    )
    assert files(program) == ["model.udg.part"]


def fill_disk(monkeypatch, writes):
    """A disk that is full after so many writes: files are made, but nothing goes into them."""
    left, real = [writes], Path.open

    def refuse(_):
        raise OSError(28, "No space left on device")

    def opened(path, mode="r", *arguments, **options):
        file = real(path, mode, *arguments, **options)
        if "r" not in mode:
            left[0] -= 1
            if left[0] < 0:
                file.write = refuse
        return file

    monkeypatch.setattr(Path, "open", opened)


@pytest.mark.parametrize(
    ("writes", "name", "kept"),
    [(0, "model.udg.part", 0), (1, "model.udg.part", 0), (2, "model.udg.part", 1),
     (3, "model.udg", 2)],
)  # fmt: skip
def test_a_full_disk(program, monkeypatch, writes, name, kept):
    command = [*TRAIN, "-m", "adaboost"]
    program.run(*command, "-o", "whole.udg")
    with monkeypatch.context() as full:
        fill_disk(full, writes)
        told = program.run(*command, code=1).stderr.splitlines()
    assert told[-1] == f"error: {name} cannot be written: No space left on device"
    if kept:
        assert told[-2] == (
            f"note: {kept} of 2 fits are kept in model.udg.part; the same command would fail again "
            "until the problem is solved: after that, --resume continues from them (with other "
            "data or options give --force)"
        )
    assert files(program) == [*["model.udg.part"] * bool(kept), "whole.udg"]
    program.run(*command, *["--resume"] * bool(kept))
    assert files(program) == ["model.udg", "whole.udg"]
    same(program, "model.udg", "whole.udg")


def test_the_first_ctrl_c_of_all(program, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("underdog.cli.train_run.open_data", stopped)
    assert program.run(*TRAIN, code=130).stderr == "stopped\n"
    assert files(program) == []


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_to_a_real_process(program, sign, code):
    command = [*TRAIN, "-m", "adaboost", "--cv", "0", "--n-estimators", "10000000"]
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    try:
        for line in running.stderr:
            if line.startswith("positive class"):
                break
        time.sleep(0.5)
        running.send_signal(sign)
        _, told = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == code, told
    if sign == signal.SIGTERM:
        assert files(program) == []
    elif files(program):  # else it had not taken a round yet
        assert "rounds: model.udg is a model with these rules" in told
        assert program.run("explain", "model.udg").stdout


def test_nothing_to_resume(program):
    note = (
        "note: nothing to resume: neither model.udg nor model.udg.part is of a training run that "
        "was stopped; starting from the beginning\n"
    )
    command = [*TRAIN, "-m", "adaboost", "--resume"]
    assert note in program.run(*command).stderr
    message = program.refused(*command, code=2)
    assert message.startswith("nothing to resume: model.udg is a finished model; replace it with")

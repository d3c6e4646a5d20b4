"""`underdog train --prior-knowledge`: rules from a file."""

from pathlib import Path

import pytest

import underdog

RULES = "# of an expert\nif b is u and a > 0.25: '1' 0.9\nelse: 0 0.6\n"
TRAIN = ["train", "data.csv", "-t", "y", "--cv", "2", "--n-estimators", "3", "--force"]


def knowing(program, *more, model="logitboost", rules=RULES, code=0):
    Path("rules.txt").write_text(rules, encoding="utf-8")
    return program.run(*TRAIN, "-m", model, "--prior-knowledge", "rules.txt", *more, code=code)


@pytest.mark.parametrize(("written", "weight"), [("2", 2.0), ("0.5", 0.5)])
def test_rules_become_part_of_the_model(program, written, weight):
    knowing(program, "--prior-weight", written)
    model = underdog.load("model.udg")[-1]
    assert model.knowledge_ == "rules"
    assert model.prior_weight_ == weight
    assert model.model_.n_known == 1
    shown = program.run("explain", "model.udg").stdout
    assert "a > 0.25" in shown
    explained = program.run("explain", "model.udg", "data.csv", "--row", "1").stdout
    assert "total" in explained


def test_the_weight_can_be_chosen(program):
    knowing(program, "--prior-weight", "folds")
    assert underdog.load("model.udg")[-1].prior_weight_ >= 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "if a >= 2: 1 0.5", "code": 2}, "write '>', as rules of underdog do"),
        ({"rules": "if c > 2: '1' 0.5", "code": 1}, "there is no column 'c'"),
        ({"model": "adaboost", "code": 2}, "prior_knowledge"),
    ],
)
def test_wrong_rules_are_refused(program, options, message):
    assert message in " ".join(knowing(program, **options).stderr.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--prior-weight", "2"], "needs --prior-knowledge"),
        (["--prior-knowledge", "data.csv"], "is not for the default model"),
        (["-m", "logitboost", "--prior-knowledge", "no.txt"], "cannot be read"),
        (
            ["-m", "logitboost", "--prior-knowledge", "rules.txt", "--prior-weight", "much"],
            "give a number, or folds",
        ),
    ],
)
def test_options_that_do_not_fit_are_refused(program, options, message):
    Path("rules.txt").write_text(RULES, encoding="utf-8")
    assert message in " ".join(program.run(*TRAIN, *options, code=2).stderr.split())

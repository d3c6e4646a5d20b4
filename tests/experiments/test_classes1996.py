"""The experiment on several classes: folds and verdicts by hand, and its short form."""

import numpy as np
import pytest

from experiments.classes1996 import __main__ as command
from experiments.classes1996 import report, runs
from tests.experiments.corpus import DATA

with_uci = pytest.mark.skipif(not (DATA / "uci").exists(), reason="the data are not here")


def test_every_row_is_tested_once_in_each_repetition():
    y = np.arange(40) % 3
    for repeat in range(2):
        numbers = range(repeat * runs.QUICK.folds, (repeat + 1) * runs.QUICK.folds)
        tested = [runs.fold(y, None, number, runs.QUICK)[1] for number in numbers]
        assert sorted(np.concatenate(tested).tolist()) == list(range(40))


def test_verdicts_by_hand(tmp_path):
    """On glass stumps fail, and M2 helps; on iris all is well."""
    cell = {"rows": 10, "rounds": 5, "weak": False}
    wrong = {"stumps, M1": [6, 5], "stumps, M2": [6, 2], "C4.5-like, M1": [3, 1]}
    cells = {
        name: {**cell, "wrong": wrong.get(name.split("/")[1], [3, 3])}
        for name in runs.QUICK.names(["glass", "iris"])
    }
    for name in [name for name in cells if name.startswith("glass/stumps, M1")]:
        cells[name]["weak"] = True
    report.write(tmp_path, cells, runs.QUICK)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "its first tree on 2 of 2 sets" in text
    assert "M1 stopped on 1 of 2 sets with stumps (glass); M2 is better on 1 of them" in text
    assert (
        "| glass | 60.0 (51.5) | 50.0 (51.1) * | 20.0 (29.4) | 30.0 (31.7) | 10.0 (22.7) |" in text
    )


@with_uci
def test_the_short_form(tmp_path):
    result = runs.run("iris/C4.5-like, M1/000", runs.QUICK)
    assert result["rows"] == 50
    assert max(result["wrong"]) <= 8
    assert set(runs.SETS) >= set(report.PUBLISHED)
    assert command.HERE.name == "classes1996"

"""The experiment on letters: margins by hand, what its page says of given numbers, a short run."""

import numpy as np
import pytest

from experiments.letter1998 import report, runs
from tests.experiments.corpus import DATA

with_uci = pytest.mark.skipif(not (DATA / "uci").exists(), reason="the data are not here")


def test_margins_by_hand():
    votes = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 0.0, 4.0]])
    assert runs.margins(votes, np.array([0, 0, 2])).tolist() == [0.5, -0.25, 1.0]


def test_the_page_says_what_the_numbers_say(tmp_path):
    found = {
        "train": [0.2, 0.1, 0.0, 0.0],
        "test": [0.3, 0.2, 0.2, 0.1],
        "margins": {"2": np.linspace(0, 1, 201).tolist(), "4": np.ones(201).tolist()},
        "below": {"2": 0.25, "4": 0.05},
        "minimum": {"2": -0.1, "4": 0.3},
        "leaves": 1234,
    }
    report.write(tmp_path, found)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| test error of one tree | 30.0 | 13.8 |" in text
    assert "by far: yes.** 30.0 % of one tree, 10.0 % of 4." in text
    assert "It was 0 after 3 rounds, when the test error was 20.0 %" in text
    assert "Margins below 0.5: 25.0 % after 2, 5.0 % after 4 rounds." in text
    assert (tmp_path / "margins.png").stat().st_size > 1000


@with_uci
def test_a_short_run():
    plan = runs.Plan(4, 600, (2, 4))
    found = runs.run(runs.CELL, plan)
    assert len(found["test"]) == len(found["train"]) == 4
    assert found["test"][-1] < found["test"][0]
    assert found["margins"]["4"][-1] == 1.0
    assert found["below"]["4"] <= 0.5

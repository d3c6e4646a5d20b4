"""The experiment on claims of theory: its cells, and what its page says of given cells."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from experiments.theory import failing, intervals, logistic, problems, report, runs

FOLDER = Path(report.__file__).parent
PICTURES = ("margins", "logistic", "hull", "gain", "fails", "bias")


def kept():
    lines = gzip.decompress((FOLDER / "cells.json.gz").read_bytes()).decode().splitlines()
    return {name: result for name, _, result in map(json.loads, lines)}


def test_the_page_is_that_of_the_kept_cells(tmp_path):
    report.write(tmp_path, kept())
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == page
    for name in PICTURES:
        assert f"]({name}.png)" in page
        assert (FOLDER / f"{name}.png").is_file()


def test_all_cells_are_kept():
    names = {name.split("/")[1] for name in kept() if name.startswith("margin/")}
    assert set(runs.names(sorted(names), quick=False)) == set(kept())


def test_intervals_and_verdicts_by_hand():
    mean, half = intervals.interval(np.array([1.0, 2.0, 3.0]))
    assert (mean, half) == (2.0, pytest.approx(4.302653 / np.sqrt(3)))
    assert intervals.verdict(0.1, 0.2, "more", "less") == "not decided"
    assert intervals.verdict(0.3, 0.2, "more", "less") == "more"
    assert intervals.verdict(-0.3, 0.2, "more", "less") == "less"
    assert intervals.verdict(0.3, float("nan"), "more", "less") == "not decided"


def test_stumps_are_too_weak_for_parity_and_boosting_needs_data():
    found = failing.run(0, quick=True)
    assert found["weak"]["1"][0] < 0.1
    for bits in ("2", "3"):
        alone, deeper = found["weak"][bits]
        assert alone > 0.4
        assert deeper < 0.3
    few, *_, many = found["few"].values()
    assert few[0] > many[0]


def test_minimisers_come_closer_with_more_examples():
    found = logistic.minimisers(0, sizes=(200, 3200), rounds=200)
    assert np.all(np.array(found["3200"]) < np.array(found["200"]))
    z, below, above = logistic.curves()
    assert (below <= above + 1.0 - np.log(2.0)).all()
    np.testing.assert_allclose(below[z == 0.0], above[z == 0.0])


def test_bias_and_variance_add_up_to_the_error():
    found = runs.bias("twonorm", 0, samples=3, rounds=3)
    for error, bias, variance in found.values():
        assert error == pytest.approx(bias + variance)
    X, y = problems.drawn("ringnorm", 4000, np.random.default_rng(0))
    assert X[y == 0].std() == pytest.approx(2.0, abs=0.05)
    assert X[y == 1].mean() == pytest.approx(1 / np.sqrt(20), abs=0.02)

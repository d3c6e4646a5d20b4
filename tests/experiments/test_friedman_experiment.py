"""The experiment on random targets: its targets and verdicts by hand, cells, and its short form."""

import numpy as np
import pytest

from experiments.cells import Cells
from experiments.friedman import __main__ as command
from experiments.friedman import report, runs, targets
from experiments.friedman.published import CLAIMS, COMPARISONS


def test_a_term_by_hand():
    term = targets.Term(-0.5, np.array([2, 0]), np.array([1.0, -1.0]), np.diag([2.0, 1.0]))
    X = np.array([[-1.0, 9.0, 1.0], [-1.0, 9.0, 2.0], [1.0, 9.0, 1.0]])
    assert term(X) == pytest.approx([-0.5, -0.5 * np.exp(-2.0), -0.5 * np.exp(-2.0)])


def test_targets_are_those_of_the_paper():
    terms = [term for number in range(30) for term in targets.Target(number).terms]
    sizes = [len(term.columns) for term in terms]
    assert len(terms) == 30 * 20
    assert min(sizes) == 1
    assert max(sizes) <= 10
    assert 2.5 < np.mean(sizes) < 3.6  # the integer part of 1.5 plus an exponential of mean 2
    assert max(abs(term.height) for term in terms) <= 1.0
    for term in terms:
        widths = np.linalg.svd(term.root, compute_uv=False)
        assert widths.min() >= 0.1
        assert widths.max() <= 2.0


def test_a_number_is_a_target():
    one, again, other = (targets.Target(k).samples("normal", (50, 20))[0] for k in (3, 3, 4))
    assert np.array_equal(one.y, again.y)
    assert not np.array_equal(one.X, other.X)


@pytest.mark.parametrize("errors", targets.SIZES)
def test_errors_are_as_large_as_the_target_varies(errors):
    train, test = targets.Target(1).samples(errors, (2000, 2000))
    spread = targets.deviation(train.exact)
    assert np.abs(train.y - train.exact).mean() == pytest.approx(targets.SIZES[errors] * spread)
    largest = np.abs(train.y - train.exact).max() / spread
    assert largest < 6.0 if errors == "normal" else largest > 15.0
    assert not np.array_equal(train.X, test.X)


def test_relative_errors_by_hand():
    exact = np.array([0.0, 1.0, 5.0])
    assert targets.relative_error(exact, np.ones(3)) == 1.0
    assert targets.relative_error(exact, exact) == 0.0
    assert targets.relative_error(exact, exact + 1.0) == pytest.approx(0.6)


def test_classes_are_of_equal_size_and_in_order():
    samples = targets.Target(0).samples("normal", (500, 100))
    first, second = targets.classes(samples)
    assert np.bincount(first).tolist() == [100] * 5
    assert (np.diff(first[np.argsort(samples[0].exact)]) >= 0).all()
    assert set(second) <= set(range(5))


def results(errors, plan=runs.QUICK):
    """Results with these errors by target, of models by name; 1 for all others."""
    cells = {name: {"error": 1.0, "rounds": 1, "too_large": False} for name in plan.names()}
    for (kind, what), own in errors.items():
        for number, error in enumerate(own):
            cells[runs.name(kind, number, what)]["error"] = error
    return report.Results(cells, plan)


def test_worse_than_the_best_by_hand():
    own = {("normal", "squared"): [0.5, 0.4], ("normal", "huber"): [0.6, 0.2]}
    worse = results(own).worse_than_best(COMPARISONS[0])
    assert worse == pytest.approx(np.array([[0.0, 100.0], [100.0, 400.0], [20.0, 0.0]]))


def test_intervals_by_hand():
    low, high = report.interval(np.array([1.0, 2.0, 3.0]))
    assert (low, high) == pytest.approx((2.0 - 4.3027 / 3**0.5, 2.0 + 4.3027 / 3**0.5), abs=1e-4)


def test_verdicts_by_hand():
    first, second = CLAIMS[0]
    assert results({first: [0.5, 0.505]}).verdict(first, second) == report.SAME
    assert results({second: [0.5, 0.505]}).verdict(first, second) == report.OPPOSITE
    assert results({first: [0.5, 2.0]}).verdict(first, second) == report.OPEN


def test_claims_follow_from_the_published_figures():
    for comparison in COMPARISONS:
        printed = dict(zip(comparison.models, comparison.worse, strict=True))
        for better, other in CLAIMS:
            if better in printed and other in printed and printed[better] is not None:
                assert printed[better] < printed[other]


@pytest.mark.parametrize("name", [name for name in runs.QUICK.names() if "/000/" in name])
def test_a_cell_is_better_than_a_guess(name):
    found = runs.run(name, runs.QUICK)
    if "slash" in name:
        assert found["error"] < 3.0  # one outlier can spoil a squared error
    else:
        assert found["error"] < (1.0 if name.startswith("normal") else 0.8)
    assert 1 <= found["rounds"] <= runs.QUICK.rounds[runs.SHRUNK]


def test_the_short_form_runs(tmp_path):
    command.run(tmp_path, tmp_path / "cache", quick=True)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Random targets")
    assert "with 2 targets for regression" in page
    assert (tmp_path / "errors.png").stat().st_size > 5000


def test_the_page_is_what_the_cells_say(tmp_path, monkeypatch):
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    (tmp_path / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())

    def refuse(self, names, work, title):
        assert set(names) <= set(self)

    monkeypatch.setattr(Cells, "compute", refuse)
    command.run(tmp_path, tmp_path / "cache", quick=False)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

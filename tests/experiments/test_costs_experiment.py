"""The experiment on imbalanced data: its numbers by hand, its verdicts, and its short form."""

import gzip
import json
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone

from experiments.cells import Cells
from experiments.costs import __main__ as command
from experiments.costs import data, figures, models, runs, statement, verdicts
from experiments.costs.against import Duel, duels, signed_ranks
from experiments.costs.results import PLACES, Results
from tests.estimators.small import ROBUST, VOTES
from tests.experiments.corpus import DATA
from underdog import AdaBoostMHClassifier, BoostingClassifier, Costs
from underdog.estimators import all_boosters

TWO = ["rare cancer", "third wine"]
with_archive = pytest.mark.skipif(not (DATA / data.KEEL).exists(), reason="the sets are not here")


def made_up(counts, sets=TWO, cost="5", repetitions=1):
    """Cells in which each model has the counts of its title, or those of None."""
    cells = {}
    for title, (model, way) in PLACES.items():
        known = cost if models.FITTED[model].learns_costs else runs.ANY
        own = counts.get(title, counts[None])
        for i, name in enumerate(sets):
            for repetition in range(repetitions):
                cell = cells.setdefault(f"{name}/{model}/{known}/{repetition}", {})
                cell[way] = {"counts": {cost: own[i]}, "precision": [0.5, 0.7]}
    return Results(cells, sets, [cost], repetitions)


def test_the_rare_class_is_positive_and_halves_part_the_rows():
    for name in TWO:
        found = data.load(name)
        assert 0 < found.positives < len(found.y) / 2
        assert found.ratio == pytest.approx((found.y == 0).sum() / (found.y == 1).sum())
        (train, test), (other, rest) = found.halves(0)
        assert sorted([*train, *test]) == list(range(len(found.y)))
        assert np.array_equal(train, rest)
        assert np.array_equal(test, other)
        assert abs(found.y[train].sum() - found.y[test].sum()) <= 1
        again = next(found.halves(1))[0]
        assert not np.array_equal(train, again)


@pytest.mark.parametrize(
    ("name", "origin"),
    [("ecoli-0-1_vs_5", "ecoli"), ("ecoli3", "ecoli"), ("new-thyroid2", "new-thyroid"),
     ("oil-spill", "oil-spill"), ("vowel0", "vowel"), ("glass-0-4_vs_5", "glass")],
)  # fmt: skip
def test_sets_of_the_same_examples_have_one_origin(name, origin):
    empty = np.empty(0)
    assert data.DataSet(name, empty, empty).origin == origin


@with_archive
def test_the_archive_has_all_sets_and_one_of_them_twice():
    names = data.archive()
    assert len(names) == 46
    one, other = data.load("ecoli"), data.load("ecoli3")
    rows = [sorted(map(tuple, np.column_stack([s.X, s.y]).tolist())) for s in (one, other)]
    assert rows[0] == rows[1]
    assert data.load("oil-spill").X.shape == (937, 48)
    assert round(data.load("mammography").ratio, 1) == 42.0


def test_every_booster_is_there():
    """AdaBoost.MH and BoostingClassifier are AdaBoost on two classes, to the last bit."""
    X, y = data.load(TWO[0]).X, data.load(TWO[0]).y
    task = models.Task(Costs(fn=5, fp=1), float(y.mean()), rounds=5)
    special = {name: make(task).estimator for name, make in models.SPECIAL.items()}
    shown = {type(booster).__name__ for booster in special.values()}
    twins = {"AdaBoostMHClassifier", "BoostingClassifier"}
    later = {  # than its tables
        "ADTreeClassifier",
        "BlendedTreesClassifier",
        "GentleAdaBoostClassifier",
        "GradientBoostingClassifier",
        "HullBoostClassifier",
        "LADTreeClassifier",
        "LogisticAdaBoostClassifier",
        "LogitBoostClassifier",
        "SlipperClassifier",
    }
    later |= {kind.__name__ for kind in VOTES + ROBUST}
    assert shown | twins | later == set(all_boosters())
    known = clone(special["AdaBoost, weighted"]).fit(X, y).decision_function(X)
    for twin in (AdaBoostMHClassifier, BoostingClassifier):
        scores = twin(costs=task.costs, n_estimators=5).fit(X, y).decision_function(X)
        np.testing.assert_array_equal(scores, known)


def test_nu_leaves_no_constant_a_positive_margin():
    """Neither LPBoost nor LPUBoost warns of nu, at any cost, on a set with few positives."""
    found = data.load(TWO[0])
    for cost in (1.0, 5.0, 20.0, 100.0):
        task = models.Task(Costs(fn=cost, fp=1), float(found.y.mean()), rounds=1)
        for name in ("LPBoost", "LPUBoost", "ERLPBoost", "SoftBoost"):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                models.SPECIAL[name](task).estimator.fit(found.X, found.y)
            assert not [w for w in caught if "so large that a constant" in str(w.message)]


def test_nu_by_hand():
    even = models.Task(Costs(fn=1, fp=1), 0.1)
    assert (even.nu, even.uneven_nu) == (0.1, 0.1)
    dear = models.Task(Costs(fn=20, fp=1), 0.01)  # 0.2 of 1.19 in weight
    assert dear.nu == pytest.approx(0.2 / 1.19)
    assert dear.uneven_nu == models.NU


def test_a_cell_counts_every_example_once():
    found = runs.run("third wine/AdaBoost, weighted/20/0", ["20"], rounds=3)
    y = data.load("third wine").y
    for way in ("own", "calibrated"):
        counts = np.sum(found[way]["counts"]["20"], axis=0)
        assert counts.sum() == len(y)
        assert counts[0] + counts[2] == y.sum()
        assert len(found[way]["brier"]) == 2
    assert json.loads(json.dumps(found)) == found


@pytest.mark.filterwarnings("ignore")  # five rules are not enough to converge
@pytest.mark.parametrize(
    ("model", "twin"),
    [("AdaBoost, weighted/1", "Calibrated AdaMEC/any"), ("AdaUBoost/1", "Calibrated AdaMEC/any"),
     ("LPUBoost/1", "LPBoost/1")],
)  # fmt: skip
def test_at_cost_1_there_are_no_costs(model, twin):
    one, other = (runs.run(f"third wine/{name}/0", ["1"], rounds=5) for name in (model, twin))
    for way in ("own", "calibrated"):
        assert one[way] == other[way]


@pytest.mark.filterwarnings("ignore")
def test_the_lp_family_has_no_probabilities_before_calibration():
    found = runs.run("third wine/LPUBoost/5/0", ["5"], rounds=5)
    assert "brier" not in found["own"]
    assert "brier" in found["calibrated"]


def test_costs_and_f1_by_hand():
    """Two halves of 50 examples in a set of 140 with 20 positives; a miss costs 5."""
    halves = [[3, 4, 2, 41], [5, 0, 0, 45]]
    results = made_up({None: [halves]}, sets=["rare cancer"])
    share = 20 / 140
    assert results.constant("5") == pytest.approx([min(5 * share, 1 - share)])
    spent = np.array([(5 * 2 + 4) / 50, 0.0])
    np.testing.assert_allclose(results.cost("LPBoost", "5"), [spent / results.constant("5")])
    assert results.f1("LPBoost", "5") == pytest.approx([2 * 8 / (2 * 8 + 4 + 2)])
    assert results.measure("LPBoost", "5", "precision") == pytest.approx([0.6])
    assert results.measure("LPBoost", "5", "brier") is None


def test_ranks_share_ties():
    poor, good = [[0, 0, 5, 45]] * 2, [[5, 0, 0, 45]] * 2
    results = made_up({None: [poor, poor], "LPBoost": [good, poor]})
    ranks = results.ranks(["LPBoost", "AdaBoost", "AdaMEC"], "5")
    np.testing.assert_allclose(ranks, [(1 + 2) / 2, (2.5 + 2) / 2, (2.5 + 2) / 2])


@pytest.mark.parametrize("repetitions", [1, 2])
def test_a_duel_by_hand(repetitions):
    """Cheaper by the same on every half of one set, and equal on the other."""
    poor, good = [[0, 0, 5, 45]] * 2, [[5, 0, 0, 45]] * 2
    counts = {None: [poor, poor], "LPBoost": [good, poor]}
    results = made_up(counts, repetitions=repetitions)
    (duel,) = duels(results, ["LPBoost"], "5")
    assert results.sets == ["third wine", "rare cancer"]  # by imbalance ratio
    assert duel.differences == pytest.approx([0.0, -0.5 / (5 * 20 / 140)])
    assert (duel.cheaper, duel.costlier, duel.origins) == (1, 0, (1, 2))
    # two halves that agree may do so by chance
    assert duel.wins == (["rare cancer"] if repetitions == 2 else [])
    assert duel.losses == []
    assert duel.verdict == "undecided"


def test_signed_ranks_by_hand():
    """All six of one sign: 2 of 64 orders of signs are as one-sided."""
    p_value, sign = signed_ranks(np.array([-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, 0.0]))
    assert (p_value, sign) == (pytest.approx(2 / 64), -1)
    assert signed_ranks(np.zeros(3)) == (1.0, 0)


def duel_of(model, p_value, sign, wins=(), losses=(), differences=(0.0,)):
    return Duel(model, "5", np.array(differences), list(wins), [], list(losses), 3, 1, (1, 1),
                p_value, sign)  # fmt: skip


def test_the_statement_says_what_the_duels_found():
    found = [
        duel_of("one", 0.01, -1, wins=["a", "b"]),
        duel_of("two", 0.04, 1, wins=["a"], losses=["c"]),
        duel_of("three", 0.2, -1),
    ]
    assert [duel.verdict for duel in found] == ["beats", "loses", "undecided"]
    assert statement.over_sets(found) == (
        "one (3:1) is cheaper; two (3:1) is costlier; the other 1 does not differ significantly"
    )
    assert statement.over_sets(found[2:]) == (
        "none of the 1 differs significantly from the baseline"
    )
    assert statement.single_sets(found) == (
        "2 or more of them are cheaper on a (2); 2 or more of them are costlier on no set"
    )
    assert statement.total(found).endswith(
        "significantly cheaper in 1, costlier in 1, and not significantly different in 1"
    )


def test_sets_are_grouped_by_imbalance_ratio():
    results = SimpleNamespace(
        ratios=np.array([2.0, 5.0, 9.9, 40.0]), distinct=np.array([True, True, False, True])
    )
    duel = duel_of("one", 1.0, 0, differences=[-0.1, 0.2, -0.3, 0.0])
    assert statement.by_ratio(results, [duel, duel]) == (
        "2:0 at IR below 5, 0:2 at IR 5 to 10, 0:0 at IR from 10"
    )


def found_by(verdicts_of):
    """Duels at two costs; those named here differ significantly, -1 for cheaper."""
    return {
        cost: {
            title: duel_of(title, 0.01, verdicts_of[title, cost])
            if (title, cost) in verdicts_of
            else duel_of(title, 0.9, 0)
            for title in models.TITLES
        }
        for cost in ("1", "20")
    }


@pytest.mark.parametrize(
    ("judge", "significant", "holds"),
    [
        (verdicts.calibrated_alike, {}, True),
        (verdicts.calibrated_alike, {("LPBoost", "20"): -1}, True),
        (verdicts.calibrated_alike, {("LPBoost, calibrated", "20"): -1}, False),
        (verdicts.calibrated_alike, {("LPBoost, calibrated", "20"): 1}, True),
        (verdicts.never_everywhere, {("LPBoost", "20"): -1}, True),
        (verdicts.never_everywhere, {("LPBoost", "20"): -1, ("LPBoost", "1"): -1}, False),
        (verdicts.gains_where_costs_matter, {("LPBoost", "1"): -1}, False),
        (verdicts.gains_where_costs_matter, {("LPBoost", "20"): -1}, True),
        (verdicts.losses, {("LPBoost", "20"): -1}, False),
        (verdicts.losses, {("LPBoost", "20"): 1}, True),
        (verdicts.calibration_of_few, {("AdaBoost", "1"): -1}, True),
        (verdicts.calibration_of_few, {("AdaBoost", "20"): -1}, False),
    ],
)
def test_a_claim_holds_when_the_duels_say_so(judge, significant, holds):
    found = judge(None, found_by(significant))
    assert found.holds is holds
    assert found.why


def test_sets_on_which_all_agree_are_named():
    results = SimpleNamespace(sets=["a", "b", "c"], distinct=np.array([True, True, False]))
    found = [duel_of("one", 1.0, 0, differences=row) for row in ([-1, 2, -1], [-2, 1, -1])]
    assert statement.agreed(results, found) == "all 2 are cheaper on a; all 2 are costlier on b"


def test_the_short_form_runs_without_the_archive_and_goes_on(tmp_path, monkeypatch, capfd):
    """Built-in sets, and all is written; what is kept is not computed again."""
    monkeypatch.setenv("UNDERDOG_DATA", str(tmp_path / "nowhere"))
    command.run(tmp_path, tmp_path / "cache", quick=True)
    said = capfd.readouterr().err
    assert "is not there" in said
    assert "stand in" in said
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "Where boosters with costs beat the baseline" in page
    for name in ("cost.png", "differences.png", "brier.png"):
        assert (tmp_path / name).stat().st_size > 1000
    rows = gzip.decompress((tmp_path / "results.csv.gz").read_bytes()).decode().splitlines()
    assert len(rows) == 1 + len(data.BUILT_IN) * len(models.TITLES)
    monkeypatch.setattr(Cells, "compute", refuse_missing)
    monkeypatch.setattr(command.report, "write", lambda *_: None)
    command.run(tmp_path, tmp_path / "another cache", quick=True)


def refuse_missing(self, names, work, title):
    assert set(names) <= set(self)


def test_without_the_archive_the_long_form_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("UNDERDOG_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="set UNDERDOG_DATA to the folder"):
        command.run(tmp_path, tmp_path / "cache", quick=False)


@with_archive
@pytest.mark.skipif(not (command.HERE / "cells.json.gz").exists(), reason="nothing is kept yet")
def test_the_page_is_what_the_cells_say(tmp_path, monkeypatch):
    """The kept cells give the kept page, with every number and verdict in it."""
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    (tmp_path / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())
    monkeypatch.setattr(Cells, "compute", refuse_missing)
    for draw in ("draw_costs", "draw_differences", "draw_brier"):
        monkeypatch.setattr(figures, draw, lambda *_: None)
    command.run(tmp_path, tmp_path / "cache", quick=False)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

"""The grid of the experiment, the choices among its settings, and its short form."""

import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.sparse import csr_matrix

from experiments.cells import Cells
from experiments.lpuboost2003 import __main__ as command
from experiments.lpuboost2003 import grid, report, small, small_report
from experiments.lpuboost2003.baselines import FAMILIES, SETTINGS, family, tuned
from experiments.lpuboost2003.choices import Choices
from experiments.lpuboost2003.data import FOLDS, Sample, corpus, small_topics
from experiments.lpuboost2003.grid import Setting, counts, f1, few_settings, in_form, settings
from tests.experiments.corpus import DATA, ROOT, with_reuters
from underdog import AdaBoostClassifier, TermVectorizer
from underdog.datasets import fetch_reuters21578

SAMPLES = [Sample("earn"), Sample("money-fx", fold=3), Sample("acq", positives=50, seed=2)]

useless = pytest.mark.filterwarnings("ignore::underdog.checks.UnderdogWarning")
"""Settings of the paper's grid that are known to learn nothing."""


def test_the_whole_grid_is_there():
    whole = list(settings())
    assert len(set(whole)) == len(whole) == 6 + 18 + 48 + 144
    assert {s.booster for s in whole} == set(grid.BOOSTERS)


def test_the_grid_for_many_topics_is_a_part_of_it():
    few = list(few_settings())
    assert len(set(few)) == len(few) == 2 + 6 + 8 + 24
    assert set(few) <= set(settings())
    everything = small.settings(quick=False)
    assert len(set(map(str, everything))) == len(everything) == 40 + 2 * 32
    assert {s.column for s in everything} == set(small.COLUMNS) - set(small.OTHERS)


def test_four_of_the_pairs_of_nu_and_lower_bound_make_120_runs():
    """As the page says; all eight make 216."""
    pairs = len(grid.NUS) * len(grid.RATIOS)
    runs = [
        len(grid.LEARNERS) * (1 + len(grid.BETAS) + n + len(grid.BETAS) * n) for n in (4, pairs)
    ]
    assert runs == [120, 216]
    assert len(list(settings())) == runs[1]


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_names_lead_back(sample):
    assert Sample.parse(str(sample)) == sample
    for setting in [*settings(), *small.settings(quick=False)]:
        assert Setting.parse(str(setting)) == setting


def rare_word():
    """Five positives of 100, which have the word, as do eight of the negatives."""
    y = (np.arange(100) < 5).astype(np.int8)
    X = (np.arange(100) < 13).astype(float)[:, np.newaxis]
    return X, y


@pytest.mark.filterwarnings("ignore:nu=0.2 is so large")
@useless
def test_nu_as_a_share_of_each_class_leaves_no_room_for_saying_no():
    """With a share of all examples the positives may all lie below the margin."""
    X, y = rare_word()
    plain = Setting("LP", "disc.mh", nu=0.2)
    assert not plain.model(100).fit(X, y).predict(X).any()
    (balanced,) = in_form([plain], "balanced")
    assert counts(y, balanced.model(100).fit(X, y).predict(X)) == [5, 8, 0]


@pytest.mark.filterwarnings("ignore::underdog.NotConverged", "ignore:nu=0.2 is so large")
@pytest.mark.parametrize("beta", [1.0, 4.0])
def test_the_printed_form_of_rules_of_size_one_is_that_of_the_library(beta):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 8)).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.random(60) > 2).astype(int)
    setting = Setting("LPU", "disc.mh", beta, 0.2)
    (printed,) = in_form([setting], "printed")
    own, other = (s.model(60).set_params(tol=0.0).fit(X, y) for s in (printed, setting))
    np.testing.assert_array_equal(own.decision_function(X), other.decision_function(X))


@pytest.mark.filterwarnings("ignore::underdog.NotConverged", "ignore:nu=0.2 is so large")
@useless
def test_the_printed_form_takes_real_rules_as_they_come():
    """The first is that of AdaBoost, whose weights are equal, too: no on both sides of the word."""
    X, y = rare_word()
    (printed,) = in_form([Setting("LP", "real.mh", nu=0.2)], "printed")
    model = printed.model(100).fit(X, y)
    first = AdaBoostClassifier(learner="real.mh", n_estimators=1, smoothing=1 / 100).fit(X, y)
    assert model.n_iter_ == 1
    own, other = model.decision_function(X), first.decision_function(X)
    np.testing.assert_allclose(own, other, atol=2.0**-20)
    assert own.min() < -2.0 < -0.3 < own.max() < 0.0


@pytest.mark.filterwarnings("ignore::underdog.NotConverged")
@useless
def test_twins_are_the_same_models():
    """What the grid computes once gives the same scores with either name."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 8)).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.random(60) > 2).astype(int)
    pairs = [(s, s.twin) for s in settings() if s.twin != s and s.nu in (0.0, 0.2) and not s.ratio]
    assert len(pairs) == 10
    for setting, twin in pairs:
        models = [s.model(60, rounds=10).fit(X, y) for s in (setting, twin)]
        own, other = (model.decision_function(X) for model in models)
        np.testing.assert_array_equal(own, other)


def test_folds_part_the_documents_and_keep_the_share_of_positives():
    y = (np.arange(200) % 10 == 0).astype(np.int8)
    held = [Sample("earn", fold=fold).rows(y)[1] for fold in range(FOLDS)]
    assert sorted(np.concatenate(held)) == list(range(200))
    for fold, rows in enumerate(held):
        assert not np.intersect1d(Sample("earn", fold=fold).rows(y)[0], rows).size
        assert y[rows].sum() == 4


def test_fewer_positives_than_folds():
    y = np.zeros(50, dtype=np.int8)
    y[[3, 30]] = 1
    held = [y[Sample("earn", fold=fold).rows(y)[1]].sum() for fold in range(FOLDS)]
    assert sorted(held) == [0, 0, 0, 1, 1]
    assert tuned(2) is None
    assert tuned(3) is not None


def test_few_positives_are_drawn_and_all_negatives_kept():
    y = (np.arange(100) < 30).astype(np.int8)
    rows, _ = Sample("earn", positives=7, seed=1).rows(y)
    assert y[rows].sum() == 7
    assert (y[rows] == 0).sum() == 70
    other, _ = Sample("earn", positives=7, seed=2).rows(y)
    assert set(rows) != set(other)


def test_counts_and_f1():
    y, predicted = np.array([1, 1, 0, 0, 1]), np.array([1, 0, 1, 0, 1])
    assert counts(y, predicted) == [2, 1, 1]
    assert f1([2, 1, 1]) == pytest.approx(2 / 3)
    assert f1([0, 0, 0]) == 0.0


def test_the_choice_by_folds_does_not_see_the_test_documents():
    """Whatever happens on the test documents, the same setting is chosen."""
    tried = [s for s in settings() if s.booster == "U" and s.learner == "real.mh"]
    rng = np.random.default_rng(0)

    def results(seed):
        test = np.random.default_rng(seed)
        cells = {}
        for setting in tried:
            for fold in (None, *range(FOLDS)):
                held = rng_counts[setting, fold]
                name = grid.name(Sample("earn", fold=fold), setting)
                found = test.integers(1, 50, 3).tolist()
                cells[name] = {"status": "ok", "test": found, "held out": held}
        return cells

    rng_counts = {
        (setting, fold): rng.integers(1, 50, 3).tolist()
        for setting in tried
        for fold in (None, *range(FOLDS))
    }
    chosen = [Choices(results(seed), tried).by_folds("U", "earn") for seed in range(5)]
    assert len({choice.setting for choice in chosen}) == 1
    assert len({choice.f1 for choice in chosen}) > 1


def test_small_topics_have_few_training_and_enough_test_documents():
    train = {"large": 97, "edge": 96, "no test": 20, "least": 3, "too few": 2}
    test = {"large": 50, "edge": 3, "no test": 2, "least": 40, "too few": 9}
    matrices = (
        csr_matrix(np.arange(100)[:, np.newaxis] < np.array(list(sizes.values())))
        for sizes in (train, test)
    )
    Y, Y_test = (matrix.astype(np.int8) for matrix in matrices)
    data = SimpleNamespace(Y=Y, Y_test=Y_test, topics=list(train))
    assert small_topics(data) == ["least", "edge"]


def test_the_groups_part_the_small_topics():
    sizes = [size for group in small_report.GROUPS for size in group]
    assert sizes == list(small_report.SMALL)


def test_a_duel_leaves_ties_out():
    rng = np.random.default_rng(0)
    second = rng.random(30)
    first = second + np.where(np.arange(30) < 8, 0.0, rng.normal(0.1, 0.2, 30))
    duel = small.Duel.of(first, second)
    assert (duel.tied, duel.won + duel.lost) == (8, 22)
    assert duel.p_value == pytest.approx(stats.wilcoxon(first[8:], second[8:]).pvalue)
    assert duel.difference == pytest.approx((first - second).mean())
    back = small.Duel.of(second, first)
    assert (back.won, back.lost, back.p_value) == (duel.lost, duel.won, duel.p_value)


def test_a_duel_of_equals_finds_nothing():
    same = np.array([0.1 + 0.2, 0.5])
    assert small.Duel.of(same, np.array([0.3, 0.5])) == small.Duel(0.0, 0, 2, 0, 1.0)


def test_models_of_one_rule_and_those_that_say_no_are_counted():
    tried = [s for s in few_settings() if s.column == "LP"][:2]
    trains = {"a": [[0, 0, 5], [0, 0, 5]], "b": [[0, 0, 5], [2, 0, 3]], "c": [[0, 1, 5], [0, 0, 5]]}
    cells = {
        grid.name(Sample(topic), setting): {"rules": rules, "train": train, "test": [0, 0, 1]}
        for topic, found in trains.items()
        for setting, train, rules in zip(tried, found, (1, 2), strict=True)
    }
    tally = small.Tally.of(Choices(cells, tried), "LP", list(trains))
    assert tally == small.Tally(models=6, single=3, silent=4, silent_topics=1)


def test_every_other_classifier_has_a_family():
    assert {family(setting) for setting in SETTINGS} == set(FAMILIES)


@with_reuters
def test_the_terms_are_those_of_the_training_documents():
    """Words of many test documents that no training document has are no terms."""
    few = 600
    archive = DATA / "text" / "reuters21578.tar.gz"
    analysis = {"digits": "drop", "stop_words": "english", "stemmer": "porter"}
    train, test = (
        TermVectorizer(**analysis).fit(fetch_reuters21578(subset=part, archive=archive).data[:few])
        for part in ("train", "test")
    )
    only_in_test = set(test.vocabulary_) - set(train.vocabulary_)
    assert len(only_in_test) > 100
    data = corpus(few)
    assert not only_in_test & set(data.terms)
    assert data.X_test.shape == (few, len(data.terms))
    assert (np.asarray(data.X.sum(axis=0)).ravel() >= 4).all()


@with_reuters
def test_the_short_form_runs():
    done = subprocess.run(
        [sys.executable, "-m", "experiments.lpuboost2003", "--quick"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "# Boosting for uneven classes" in done.stdout
    assert "## Figure 5" in done.stdout
    assert "## All small topics" in done.stdout


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder with what is written from the kept cells, without computing any."""
    folder = tmp_path_factory.mktemp("lpuboost2003")
    (folder / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cells, "compute", refuse_missing)
        for module in (report, small_report):  # drawing takes long
            patch.setattr(module, "save", lambda *_: None)
        command.run(command.PARTS, folder, folder / "cache", quick=False)
    return folder


def refuse_missing(self, names, work, title):
    assert set(names) <= set(self), title


@with_reuters
@pytest.mark.parametrize("name", ["README.md", "small.csv", "cells.json.gz"])
def test_the_page_is_what_the_cells_say(page, name):
    assert (page / name).read_bytes() == (command.HERE / name).read_bytes()


def test_the_verdicts_on_small_topics_have_the_figures_of_the_tables():
    """They are written by hand."""
    text = (command.HERE / "README.md").read_text(encoding="utf-8")
    tables, verdicts = text.split("## What the paper says")
    rows = [row for row in verdicts.splitlines() if "52 topics" in row]
    assert len(rows) == 7
    for row in rows:
        figures = re.findall(r"(?<!\d)\.\d{3}\b", row)
        assert len(figures) >= 7
        assert [figure for figure in figures if f"0{figure}" not in tables] == []

"""The grid of the experiment, the choices among its settings, and its short form."""

import subprocess
import sys

import numpy as np
import pytest

from experiments.lpuboost2003 import grid
from experiments.lpuboost2003.baselines import FAMILIES, SETTINGS, family, tuned
from experiments.lpuboost2003.choices import Choices
from experiments.lpuboost2003.data import FOLDS, Sample, corpus
from experiments.lpuboost2003.grid import Setting, counts, f1, settings
from tests.experiments.corpus import DATA, ROOT, with_reuters
from underdog import TermVectorizer
from underdog.datasets import fetch_reuters21578

SAMPLES = [Sample("earn"), Sample("money-fx", fold=3), Sample("acq", positives=50, seed=2)]


def test_the_whole_grid_is_there():
    whole = list(settings())
    assert len(set(whole)) == len(whole) == 6 + 18 + 48 + 144
    assert {s.booster for s in whole} == set(grid.BOOSTERS)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_names_lead_back(sample):
    assert Sample.parse(str(sample)) == sample
    for setting in settings():
        assert Setting.parse(str(setting)) == setting


@pytest.mark.filterwarnings("ignore::underdog.NotConverged")
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

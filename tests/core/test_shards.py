"""A fit has the same bits wherever its rows are: on one shard, on two or on three."""

import functools
import warnings

import numpy as np
import pytest

from tests.core.shards import fit_on, positions
from tests.estimators import digest_fits
from tests.estimators.fits import members
from underdog import AdaBoostClassifier
from underdog.estimators import all_boosters
from underdog.estimators.support import certificates
from underdog.learners.criteria import NAMES

PLACE = "this needs all rows in one place, but there are 2 shards"


@functools.cache
def needs_all_rows(booster):
    """Whether a booster solves a master problem, which has a variable per example."""
    return "box" in all_boosters()[booster]()._make_loss().gives


def spreadable(fit):
    learner = fit.parameters.get("learner", "real")
    return not needs_all_rows(fit.booster) and isinstance(learner, str)


FIXED = {
    title: [fit for fit in by_form.values() if spreadable(fit)]
    for title, by_form in digest_fits.fixed_fits().items()
}
FIXED = {title: found for title, found in FIXED.items() if found}
RANDOM = dict(digest_fits.random_fit(5, number) for number in range(100))
RANDOM = {title: fit for title, fit in RANDOM.items() if spreadable(fit)}


def learned(model):
    """All that a fit has found, but for the seconds that it took."""
    history = {name: own.tobytes() for name, own in model.history_.items() if name != "seconds"}
    return {
        "members": members(model),
        "history": history,
        "certificate": {name: repr(value) for name, value in model.certificate_.items()},
        "stop": model.stop_reason_,
        "rounds": model.n_iter_,
        "shift": model._log_odds_shift,
    }


def outcome(fit):
    """What is learned, or why nothing can be: some random problems have too few rows."""
    try:
        return learned(fit.model())
    except ValueError as error:
        return {"refused": str(error)}


def assert_same_on_shards(fit, monkeypatch, numbers=(2, 3)):
    """Returns what was found."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = outcome(fit)
        for n_shards in numbers:
            placed = fit_on(monkeypatch, n_shards)
            found = outcome(fit)
            assert set(placed) == {n_shards} or "refused" in found
            assert found.keys() == wanted.keys()
            for what, own in found.items():
                assert own == wanted[what], f"{what} on {n_shards} shards"
        monkeypatch.undo()
    return wanted


def test_the_fits_are_of_every_booster_and_kind():
    """Else nothing would be known of those that are left out."""
    known = {fit.booster for found in FIXED.values() for fit in found}
    others = {name for name in all_boosters() if needs_all_rows(name)}
    others |= {"BlendedTreesClassifier"}  # its linear model needs them, too
    assert known == all_boosters().keys() - others
    assert len(known) >= 5
    settings = " ".join(FIXED)
    for word in ("weights", "early stopping, cv", "fraction", "warm start", "costs", "nothing"):
        assert word in settings
    assert len(RANDOM) > 40


def test_shards_are_of_different_kinds():
    sign = (np.arange(60) % 3 == 0).astype(np.uint8)[:, np.newaxis]
    for n_shards in (1, 2, 3):
        where = positions(sign, n_shards)
        assert sorted(np.concatenate(where).tolist()) == list(range(60))
        assert len({len(own) for own in where}) == len(where) == n_shards
        if n_shards > 1:
            assert not sign[where[0]].any()


def in_turn(number, found):
    """Of a few fits the one whose turn it is: all forms of the data have theirs."""
    return found[number % len(found)]


@pytest.mark.parametrize(("number", "title"), list(enumerate(FIXED)), ids=FIXED)
def test_every_booster_learner_and_setting(number, title, monkeypatch):
    fit = in_turn(number, FIXED[title])
    assert "refused" not in assert_same_on_shards(fit, monkeypatch, (3,))


@pytest.mark.slow
@pytest.mark.parametrize("title", FIXED)
def test_every_booster_learner_setting_and_form(title, monkeypatch):
    for fit in FIXED[title]:
        assert "refused" not in assert_same_on_shards(fit, monkeypatch, (3,))


@pytest.mark.parametrize("number", range(10))
def test_random_problems(number, monkeypatch):
    for fit in list(RANDOM.values())[number::10]:
        assert_same_on_shards(fit, monkeypatch)


@pytest.mark.parametrize("learner", [name for name in NAMES if name not in digest_fits.LEARNERS])
@pytest.mark.parametrize("form", digest_fits.FORMS)
def test_learners_that_have_no_digests(learner, form, monkeypatch):
    parameters = {"learner": learner, "n_estimators": 10}
    data = digest_fits.FORMS[form]
    assert_same_on_shards(
        digest_fits.Fit("AdaBoostMHClassifier", parameters, data, {}), monkeypatch
    )


@pytest.mark.parametrize("form", digest_fits.FORMS)
def test_a_shard_without_rows(form, monkeypatch):
    data = digest_fits.FORMS[form]
    fit = digest_fits.Fit("BoostingClassifier", {"n_estimators": 8}, data, {})
    assert_same_on_shards(fit, monkeypatch, numbers=(4,))


def test_rounds_that_are_replayed_because_weights_were_lost(monkeypatch):
    """Steps so large that the product of the Z is not the loss of the scores."""
    X = np.array([[0, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]])
    y = np.array([0, 0, 1, 1, 1, 0])
    parameters = {"learner": "discrete", "learning_rate": 2.5, "smoothing": 0.0}
    replayed, replay = [], certificates._replayed
    monkeypatch.setattr(
        certificates, "_replayed", lambda *given: (replayed.append(1), replay(*given))[1]
    )
    models = []
    for n_shards in (1, 2, 3):
        fit_on(monkeypatch, n_shards)
        models.append(AdaBoostClassifier(n_estimators=12, **parameters).fit(X, y))
    assert len(replayed) == 3
    assert learned(models[0]) == learned(models[1]) == learned(models[2])


@pytest.mark.parametrize("booster", [name for name in all_boosters() if needs_all_rows(name)])
def test_a_master_problem_needs_all_rows(booster, monkeypatch):
    X, _, y = digest_fits.FORMS["numbers"]
    fit_on(monkeypatch, 2)
    with pytest.raises(ValueError, match=PLACE):
        all_boosters()[booster](n_estimators=3).fit(X, y)


def test_a_classifier_of_another_library_needs_all_rows(monkeypatch):
    X, _, y = digest_fits.FORMS["numbers"]
    fit_on(monkeypatch, 2)
    with pytest.raises(ValueError, match=PLACE):
        AdaBoostClassifier(learner=digest_fits.Above(), n_estimators=3).fit(X, y)


def test_missing_on_one_shard_where_no_row_was_before(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] > 0.3).astype(int)
    later = X.copy()
    later[np.flatnonzero(y == 1)[:3], 0] = np.nan
    models = []
    for n_shards in (1, 2):
        fit_on(monkeypatch, n_shards)
        model = AdaBoostClassifier(n_estimators=3, warm_start=True, max_bins=8).fit(X, y)
        models.append(model.set_params(n_estimators=6).fit(later, y))
    assert learned(models[0]) == learned(models[1])

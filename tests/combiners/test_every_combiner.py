"""What every combiner promises, with every loss: what goes together, what rounds leave behind."""

import json
import re

import numpy as np
import pytest
from sklearn.base import clone

import underdog.codes
import underdog.estimators.support.base
import underdog.losses
from tests.combiners.every_combiner import (
    COMBINERS,
    SHARED,
    accepts,
    each_combiner,
    pairs,
    solves,
)
from tests.estimators.fits import members
from tests.estimators.small import noisy
from underdog import BoostingClassifier, BoostingRegressor
from underdog.core import Criterion, Learner, Loss, Parts, RunRecord
from underdog.core.components import MEANINGS
from underdog.core.parts import CHANNELS
from underdog.files.plain import Decoder, Encoder
from underdog.learners import StumpLearner
from underdog.learners.criteria import criterion
from underdog.losses import Exponential, SoftMargin

ROUNDS = 6
pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
together, apart = pairs(accepted=True), pairs(accepted=False)
each_kind = pytest.mark.parametrize("learner", ["real", "discrete"])


def booster(combiner, loss, learner="discrete", **given):
    code = "auto" if loss.code is None else getattr(underdog.codes, loss.code)()
    given = {"n_estimators": ROUNDS, "code": code, **given}
    if loss.reads == "newton" and isinstance(learner, str):  # there are no votes on gradients
        learner = "real"
    if loss.reads == "classes" and isinstance(learner, str):  # nothing but votes for a class
        learner = "discrete"
    if loss.code == "RealValues":
        del given["code"]
        return BoostingRegressor(combiner=combiner, loss=loss, learner=learner, **given)
    return BoostingClassifier(combiner=combiner, loss=loss, learner=learner, **given)


def rows_for(loss):
    """Classes, or numbers of at least 0."""
    X, y = noisy()
    return X, np.abs(X[:, 0] + X[:, 1]) + y if loss.code == "RealValues" else y


def test_every_combiner_can_be_made():
    assert COMBINERS.made
    assert not COMBINERS.lacking()


@each_combiner
def test_it_goes_with_some_loss_that_it_names(combiner):
    """And with no loss that gives nothing."""
    assert combiner.such_as, f"{combiner!r} should name a loss in such_as"
    names = re.findall(r"\w+", combiner.such_as)
    loss = eval(combiner.such_as, {name: getattr(underdog.losses, name) for name in names})
    assert accepts(combiner, loss)
    assert not accepts(combiner, Loss())
    assert set(combiner.needs) <= set(MEANINGS)


# Rounds.


@together
@each_kind
def test_rounds_leave_the_facts_that_are_promised(combiner, loss, learner):
    """One of each for every round, finite where that is said; and a file may hold the run."""
    X, y = rows_for(loss)
    model = booster(combiner, loss, learner).fit(X, y)
    promised = {*loss.facts, *combiner.facts, "coefficient", "seconds"}
    assert set(model.history_) == promised
    assert {len(own) for own in model.history_.values()} == {model.n_iter_}
    assert model.n_iter_ == ROUNDS or "converged" in model.stop_reason_
    assert len(loss.facts) + len(combiner.facts) == len({*loss.facts, *combiner.facts})
    for name in promised - {*combiner.not_always_finite}:
        assert np.isfinite(model.history_[name]).all()
    record = RunRecord(model.model_.members, model.model_.path, model.history_)
    combiner.check_run(loss, record)
    gains = loss.gains(model.history_, model.model_.members)
    assert gains.shape == (model.n_iter_,)
    for name in promised - {"seconds"}:
        less = {key: own for key, own in model.history_.items() if key != name}
        with pytest.raises(ValueError, match="but that of"):
            combiner.check_run(loss, record._replace(history=less))


@together
@each_kind
def test_a_run_that_is_resumed_is_the_same(combiner, loss, learner):
    X, y = rows_for(loss)
    whole = booster(combiner, loss, learner).fit(X, y)
    halves = booster(combiner, loss, learner, n_estimators=2, warm_start=True).fit(X, y)
    halves.set_params(n_estimators=ROUNDS).fit(X, y)
    assert halves.n_iter_ == whole.n_iter_
    assert halves.stop_reason_ == whole.stop_reason_
    if solves(combiner):
        scores = [model.decision_function(X) for model in (whole, halves)]
        np.testing.assert_allclose(*scores, rtol=0, atol=1e-9)
        assert [line[:4] for line in members(whole)] == [line[:4] for line in members(halves)]
        exact = {"hypotheses"}
    else:
        assert members(whole) == members(halves)
        exact = set(whole.history_) - {"seconds"}
    for name in exact:
        np.testing.assert_array_equal(whole.history_[name], halves.history_[name])
    for name in set(whole.history_) - {"seconds"} - exact:
        np.testing.assert_allclose(whole.history_[name], halves.history_[name], atol=1e-9)


@together
def test_what_is_remembered_belongs_to_the_run(combiner, loss):
    """A combiner and a loss may serve two fits, one after the other, and are left as they were."""
    X, y = rows_for(loss)
    before = [vars(encoded).copy() for encoded in (combiner, loss)]
    one = booster(combiner, loss).fit(X, y)
    other = booster(combiner, loss).fit(X, y)
    assert members(one) == members(other)
    assert [vars(encoded) for encoded in (combiner, loss)] == before


# What does not go together.


def lacking(combiner, loss):
    return [name for name in combiner.needs if name not in loss.gives]


@apart
@each_kind
def test_a_loss_that_does_not_do_is_refused(combiner, loss, learner, monkeypatch):
    """Before any row is looked at, by a message that names both and what is missing."""

    def too_late(*_):
        raise AssertionError("rows were placed")

    monkeypatch.setattr(underdog.estimators.support.base, "place_rows", too_late)
    X, y = noisy()
    for refused in (
        Parts(loss, StumpLearner(learner), combiner).check,
        lambda: booster(combiner, loss, learner).fit(X, y),
    ):
        with pytest.raises(ValueError, match=re.escape(repr(loss))) as error:
            refused()
        message = str(error.value)
        assert type(combiner).__name__ in message
        for name in lacking(combiner, loss):
            assert f"{MEANINGS[name]} ({name})" in message
        assert lacking(combiner, loss) or "use" in message


class Classes(Criterion):
    """Reads the weights of every class."""

    reads = "classes"
    number = 0


class Sides(Criterion):
    """Reads the weights of negatives and positives."""

    number = 0


class Other(Learner):
    """Has a criterion that reads other channels than the loss has."""

    knows_columns = True

    def criterion(self, loss):
        return Sides() if loss.reads == "classes" else Classes()

    def start(self, run):
        raise AssertionError("rounds have begun")


@together
def test_a_learner_that_reads_other_channels_is_refused(combiner, loss):
    X, y = noisy()
    for refused in (
        Parts(loss, Other(), combiner).check,
        lambda: booster(combiner, loss, Other()).fit(X, y),
    ):
        with pytest.raises(ValueError, match=r"Other\(\) needs weights of ") as error:
            refused()
        assert f"{loss!r} has {CHANNELS[loss.reads]}" in str(error.value)


class OnlyFinal(Exponential):
    """Knows what a step does, but not how large it is best."""

    gives = Exponential().gives - {"best_coefficient"}


@each_combiner
def test_votes_need_a_loss_that_finds_their_coefficient(combiner):
    """Values that are final do not, unless the combiner finds one for them too."""
    if "measure" not in combiner.needs:
        return
    without = OnlyFinal()
    without.gives = {*OnlyFinal.gives, *combiner.needs} - {"best_coefficient"}
    for kind in ("real", "discrete", "disc.mh", "real.u"):
        parts = Parts(without, StumpLearner(kind), combiner)
        needed = not criterion(kind).final or "best_coefficient" in combiner.needs
        if not needed:
            parts.check()
            continue
        with pytest.raises(ValueError, match=r"the best coefficient of a voting rule"):
            parts.check()


@each_combiner
def test_it_is_the_same_as_a_clone_and_from_a_file(combiner):
    encoder = Encoder()
    text = json.dumps(encoder.encode(combiner, ""))
    assert not encoder.left_out
    loaded = Decoder(encoder.arrays).decode(json.loads(text))
    for other in (loaded, clone(combiner)):
        assert type(other) is type(combiner)
        assert other.get_params() == combiner.get_params()
        assert repr(other) == repr(combiner)
        other.check()


@pytest.mark.parametrize("name", sorted(SHARED))
def test_what_is_shared_is_no_combiner_of_its_own(name):
    """Else it would have to be tested as the others are."""
    X, y = noisy()
    with pytest.raises((TypeError, ValueError), match=rf"{name}(\(\))? does not define"):
        booster(COMBINERS.classes[name](), SoftMargin()).fit(X, y)

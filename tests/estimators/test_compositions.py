"""Boosters made of parts: the named ones again, and parts that do not fit."""

import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone

from tests.estimators.small import (
    noisy,
    stages,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
    load,
)
from underdog.codes import Binary
from underdog.combiners import (
    CostWeighted,
    EntropyProjection,
    EntropyRegularised,
    LinearProgramme,
    Stagewise,
)
from underdog.core import Combiner, Learner, Loss
from underdog.learners import StumpLearner
from underdog.losses import Exponential, SoftMargin


def test_every_named_algorithm_is_a_composition():
    X, y = noisy()
    cost = np.random.default_rng(2).uniform(1, 3, len(y))
    pairs = [
        (AdaBoostClassifier(), BoostingClassifier()),
        (AdaUBoostClassifier(beta=3.0), BoostingClassifier(loss=Exponential(3.0))),
        (AdaBoostClassifier(pos_label=0), BoostingClassifier(code=Binary(0))),
        (AdaBoostClassifier(learning_rate=0.5), BoostingClassifier(combiner=Stagewise(0.5))),
        (
            AdaBoostAClassifier(learner="discrete"),
            BoostingClassifier(learner="discrete", combiner=CostWeighted()),
        ),
    ]
    for named, composed in pairs:
        for model in (named, composed):
            model.set_params(n_estimators=8).fit(X, y, sample_weight=np.ceil(cost))
        np.testing.assert_array_equal(stages(named, X), stages(composed, X))


@unfinished
def test_every_corrective_algorithm_is_a_composition():
    X, y = noisy()
    weight = np.random.default_rng(2).integers(1, 3, len(y))
    hard = 1.0 / weight.sum()
    triples = [
        (LPBoostClassifier(nu=0.4), SoftMargin(0.4), LinearProgramme()),
        (LPUBoostClassifier(nu=0.4, beta=3.0), SoftMargin(0.4, 3.0), LinearProgramme()),
        (ERLPBoostClassifier(nu=0.4, tol=0.05), SoftMargin(0.4), EntropyRegularised(0.05)),
        (SoftBoostClassifier(nu=0.4), SoftMargin(0.4), EntropyProjection()),
        (TotalBoostClassifier(tol=0.1), SoftMargin(hard), EntropyProjection(0.1)),
    ]
    for named, loss, combiner in triples:
        composed = BoostingClassifier(loss=loss, combiner=combiner, code=Binary())
        for model in (named, composed):
            model.set_params(n_estimators=8, learner="discrete").fit(X, y, sample_weight=weight)
        np.testing.assert_array_equal(stages(named, X), stages(composed, X))


@unfinished
@pytest.mark.parametrize(
    ("loss", "combiner", "message"),
    [
        (
            Exponential(),
            LinearProgramme(),
            "LinearProgramme() needs bounds on the weights (box), which Exponential() does not "
            "define: use a loss such as SoftMargin()",
        ),
        (
            SoftMargin(),
            Stagewise(),
            "Stagewise() needs the effect of a step on the loss (measure), which SoftMargin() does "
            "not define: use a loss such as Exponential()",
        ),
        (
            SoftMargin(lower_bound_ratio=20.0),
            EntropyProjection(),
            "has lower bounds on the weights",
        ),
        (SoftMargin(nu=1.0), LinearProgramme(), "nu=1.0 must be between 0 and 1"),
        (SoftMargin(), LinearProgramme(tol=-1), "tol=-1 must be a finite number of at least 0"),
        (SoftMargin(), LinearProgramme(), None),
    ],
)
def test_a_loss_with_a_combiner_that_does_not_suit_it(loss, combiner, message):
    X, y = noisy()
    model = BoostingClassifier(loss=loss, combiner=combiner, n_estimators=3)
    if message is None:
        assert model.fit(X, y).n_iter_ == 3
        return
    with pytest.raises(ValueError, match=re.escape(message)):
        model.fit(X, y)


class NoStep(Combiner):
    """Lacks step()."""


class NoSignal(Loss):
    """Lacks make_signal()."""


class NoFit(Learner):
    """Lacks everything."""


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"loss": "logistic"}, "loss='logistic' is of type str: give 'exponential' or a Loss"),
        ({"loss": Stagewise()}, "loss=Stagewise() is a Combiner: give 'exponential' or a Loss"),
        ({"loss": 3}, "loss=3 is of type int: give 'exponential' or a Loss"),
        ({"loss": NoSignal()}, "loss=NoSignal() does not define make_signal(), which every Loss"),
        ({"combiner": "lp"}, "combiner='lp' is of type str: give 'stagewise' or a Combiner"),
        (
            {"combiner": Exponential()},
            "combiner=Exponential() is a Loss: give 'stagewise' or a Combiner",
        ),
        ({"combiner": NoStep()}, "combiner=NoStep() does not define step(), which every"),
        ({"code": "ecoc"}, "code='ecoc' is of type str: give 'auto' or a Code"),
        ({"code": Stagewise()}, "code=Stagewise() is a Combiner: give 'auto' or a Code"),
        ({"code": Binary}, "code=<class 'underdog.codes.binary.Binary'> is of type type"),
        ({"learner": Exponential()}, "learner=Exponential() is not a learner: give one of real"),
        ({"learner": NoFit()}, "NoFit does not define criterion()"),
        ({"learner": StumpLearner("x")}, "learner='x' is not one of real, discrete"),
        ({"loss": Exponential(-1.0)}, "beta=-1.0 must be a finite number above 0"),
        ({"loss": Exponential(0)}, "beta=0 must be a finite number above 0"),
        ({"loss": Exponential(np.nan)}, "beta=nan must be a finite number above 0"),
        ({"combiner": Stagewise(-1.0)}, "learning_rate=-1.0 must be a finite number above 0"),
        (
            {"combiner": Stagewise(0.5), "learning_rate": 0.1},
            "learning_rate=0.1 would be ignored, because it is for combiner='stagewise', and "
            "combiner=Stagewise(learning_rate=0.5) was given: set it in a combiner object",
        ),
        ({"combiner": CostWeighted(stall="x")}, "stall='x' must be 'skip' or 'stop'"),
    ],
)
def test_parts_that_do_not_fit(parts, message):
    X, y = noisy()
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        BoostingClassifier(**parts).fit(X, y)


ODD_NUMBERS = [np.float32(0.5), np.float16(0.5), np.longdouble(0.5), Fraction(1, 2)]


@pytest.mark.parametrize("half", ODD_NUMBERS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (AdaBoostClassifier, ["learning_rate"]),
        (AdaBoostAClassifier, ["learning_rate"]),
        (AdaUBoostClassifier, ["beta", "learning_rate"]),
        (LPBoostClassifier, ["nu", "tol"]),
        (LPUBoostClassifier, ["nu", "beta"]),
        (ERLPBoostClassifier, ["nu", "tol"]),
        (SoftBoostClassifier, ["nu", "tol"]),
    ],
)
@pytest.mark.filterwarnings("ignore::underdog.checks.UnderdogWarning")
def test_numbers_of_all_types(kind, names, half, tmp_path):
    """A half is a half, also in a file."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
    model = kind(n_estimators=4, **dict.fromkeys(names, half)).fit(X, y)
    plain = kind(n_estimators=4, **dict.fromkeys(names, 0.5)).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    if not isinstance(half, Fraction | np.longdouble):
        model.save(tmp_path / "model.udg")
        loaded = load(tmp_path / "model.udg")
        np.testing.assert_array_equal(loaded.decision_function(X), plain.decision_function(X))


def test_parts_with_numbers_of_all_types():
    for half in ODD_NUMBERS:
        encoded = clone(Stagewise(half))
        assert type(encoded.learning_rate) is float
        assert encoded.learning_rate == 0.5

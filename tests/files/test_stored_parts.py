"""Every loss, learner, combiner and code can be in a file, and a booster that is made of them."""

import inspect

import numpy as np
import pytest

from tests.files.damage import NOWHERE, sealed
from tests.files.models import classes, labels, numbers, two_classes
from tests.files.test_round_trip import assert_same
from underdog import BoostingClassifier, BoostingRegressor, codes, combiners, learners, losses
from underdog.core import Component, Parts
from underdog.files import BadFile, CannotStore
from underdog.files.container import unpack
from underdog.files.plain import Decoder, Encoder
from underdog.files.registry import KINDS
from underdog.files.store import from_bytes, to_bytes
from underdog.learners import C45LikeLearner, ForeignLearner, Pool, StumpLearner, TreeLearner
from underdog.learners.criteria import NAMES
from underdog.losses import Exponential, SoftMargin

X = numbers()
Y = two_classes(X)
NUMBERS = np.abs(np.nan_to_num(X[:, 0])) * 3.0 + np.arange(len(X)) % 7

pytestmark = [
    pytest.mark.filterwarnings("ignore::underdog.NotConverged"),
    pytest.mark.filterwarnings("ignore:.*is so large that a constant:underdog.UnderdogWarning"),
    pytest.mark.filterwarnings("ignore:beta=.* favours the positive:underdog.UnderdogWarning"),
    pytest.mark.filterwarnings("ignore:.*the coefficients mean little:underdog.UnderdogWarning"),
]


def classes_in(package):
    """The parts of a package that can be made; those of other libraries cannot be stored."""
    found = [getattr(package, name) for name in package.__all__]
    return [
        each
        for each in found
        if inspect.isclass(each) and issubclass(each, Component)
        and each not in (ForeignLearner, Pool)
        and each not in (codes.Code, losses.RegressionLoss, losses.CustomLoss, losses.Descent)
    ]  # fmt: skip


FOR_NUMBERS = (codes.Grades, codes.RealValues, codes.ThresholdColumns)
OF_OTHERS = (
    combiners.Barrier, combiners.Hull, combiners.PairSteps, combiners.SteepestDescent
)  # fmt: skip
"""Combiners of losses that compare rows, or of gradients, which have tests of their own."""
LOSSES, LEARNERS, COMBINERS, CODES = map(classes_in, (losses, learners, combiners, codes))
OF_ROWS = [loss for loss in LOSSES if loss.code != "Grades"]
OTHERS = {
    "beta": 3.0, "nu": 0.25, "lower_bound_ratio": 40.0, "learning_rate": 0.5, "stall": "stop",
    "tol": 0.03, "kind": "disc.mh", "pos_label": "yes", "z_max": 2.0, "max_depth": 5,
    "max_leaf_nodes": 9, "min_samples_leaf": 3, "min_weight_fraction_leaf": 0.01, "growth": "depth",
    "split_criterion": "squared_error", "subsample": 0.5, "max_features": "sqrt",
    "min_leaf_weight": 3.0, "confidence": None, "quantiles": (0.2, 0.7), "log_link": True,
    "cuts": "random", "bootstrap": True, "alpha": 0.8, "scale": 2.0, "unit": 4.0, "thresholds": 7,
    "code": "sparse", "decoding": "hamming", "random_state": 7,
    "cut": 0.5, "grow": "singles", "missing": "neither",
    "values": "bound", "smoothing": 0.5, "line_search": True,
    "total_time": 3.0, "time": 0.5, "target_error": 0.02, "target_margin": 0.25, "final_width": 0.3,
    "C": 0.7, "gamma": 0.2, "radius": 3.0, "rounds": 31,
    "max_conditions": 3, "max_rules": 7, "prune": False, "signs": "both",
}  # fmt: skip
"""Parameters that are not the default."""


def other(cls):
    """A part none of whose parameters is the default."""
    kind = {TreeLearner: "discrete", C45LikeLearner: "real"}.get(cls, OTHERS["kind"])
    own = {**OTHERS, "kind": kind}
    return cls(**{name: own[name] for name in cls._get_param_names()})


@pytest.mark.parametrize("cls", [*LOSSES, *LEARNERS, *COMBINERS, *CODES])
def test_a_part_keeps_its_parameters(cls):
    assert KINDS[cls.__name__] == cls.__module__
    for encoded in (cls(), other(cls)):
        loaded = Decoder({}).decode(Encoder().encode(encoded, "part"))
        assert type(loaded) is cls
        assert loaded.get_params() == encoded.get_params()
        loaded.check()


def fit_together(loss, combiner, learner):
    try:
        Parts(loss, learner, combiner).check()
    except ValueError:
        return False
    return True


def learner_for(loss):
    """There are no votes on gradients."""
    return StumpLearner("real" if loss.reads == "newton" else "discrete")


PAIRS = [
    (loss, combiner, learner_for(loss))
    for loss in (cls() for cls in OF_ROWS)
    for combiner in (cls() for cls in COMBINERS)
    if fit_together(loss, combiner, learner_for(loss))
]
WITH_LEARNERS = [
    next(
        (loss, combiner, StumpLearner(kind))
        for combiner in (cls() for cls in COMBINERS)
        if fit_together(loss, combiner, StumpLearner(kind))
    )
    for loss in (cls() for cls in OF_ROWS)
    for kind in NAMES
    if any(fit_together(loss, cls(), StumpLearner(kind)) for cls in COMBINERS)
]


def made(loss, combiner, learner, y=Y, **others):
    """Fitted; the soft margin needs a nu that these rows allow."""
    if isinstance(loss, SoftMargin):
        loss = SoftMargin(nu=0.4)
    if loss.code == "RealValues":
        model = BoostingRegressor(
            loss=loss, combiner=combiner, learner=learner, n_estimators=4, max_bins=8
        )
        return model.fit(X, NUMBERS)
    if loss.code is not None:
        others["code"] = getattr(codes, loss.code)()
    model = BoostingClassifier(
        loss=loss, combiner=combiner, learner=learner, n_estimators=4, max_bins=8, **others
    )
    return model.fit(X, y)


def test_every_loss_and_every_combiner_has_a_partner():
    assert {type(loss) for loss, _, _ in PAIRS} == set(OF_ROWS)
    assert {type(combiner) for _, combiner, _ in PAIRS} == set(COMBINERS) - set(OF_OTHERS)
    assert {learner.kind for _, _, learner in WITH_LEARNERS} == set(NAMES)


@pytest.mark.parametrize("parts", [*PAIRS, *WITH_LEARNERS], ids=repr)
def test_a_booster_of_these_parts(parts):
    model = made(*parts)
    data = to_bytes(model)[0]
    loaded = from_bytes(data, NOWHERE)
    assert_same(model, loaded, X)
    assert to_bytes(loaded)[0] == data
    assert repr(loaded.get_params()) == repr(model.get_params())
    assert type(loaded._link) is type(parts[0])
    assert loaded._link.get_params() == model._link.get_params()
    for one in (model, loaded):
        y = NUMBERS if isinstance(one, BoostingRegressor) else Y
        one.set_params(warm_start=True, n_estimators=6).fit(X, y)
        del one.history_["seconds"]
    assert_same(model, loaded, X)


@pytest.mark.parametrize("code", [each for each in CODES if each not in FOR_NUMBERS])
def test_a_booster_with_a_code(code):
    several = {codes.MultiLabel: labels, codes.Ranked: labels}
    several |= {codes.OneOfK: classes, codes.OutputCode: classes}
    y = several.get(code, two_classes)(X)
    model = made(Exponential(), combiners.Stagewise(), StumpLearner(), y, code=code())
    loaded = from_bytes(to_bytes(model)[0], NOWHERE)
    assert_same(model, loaded, X)
    assert type(loaded.code) is code


@pytest.mark.parametrize("parts", PAIRS, ids=repr)
def test_the_history_has_what_loss_and_combiner_write(parts):
    loss, combiner, _ = parts
    model = made(*parts)
    assert set(model.history_) == {*loss.facts, *combiner.facts, "coefficient", "seconds"}
    data = to_bytes(model)[0]
    for name in model.history_:
        header, arrays = unpack(NOWHERE, data)
        del arrays[header["model"]["state"]["history"].pop(name)["name"]]
        with pytest.raises(BadFile, match=f"the history has .* but that of .* has .*'{name}'"):
            from_bytes(sealed(header, arrays), NOWHERE)
    header, arrays = unpack(NOWHERE, data)
    arrays["more"] = np.ones(len(model.history_["coefficient"]))
    header["model"]["state"]["history"]["more"] = {"is": "array", "name": "more"}
    with pytest.raises(BadFile, match=r"the history has .*'more'"):
        from_bytes(sealed(header, arrays), NOWHERE)


class Tilted(Exponential):
    """A loss that is the exponential one, but not of its class."""


def test_the_link_is_of_the_class_of_the_loss(monkeypatch):
    data = to_bytes(made(Exponential(), combiners.Stagewise(), StumpLearner()))[0]
    monkeypatch.setitem(KINDS, "Tilted", Tilted.__module__)
    for kind in ("Tilted", "SoftMargin", "Stagewise"):
        header, arrays = unpack(NOWHERE, data)
        header["model"]["state"]["link"] = {"is": kind, "state": {"parameters": {}}}
        with pytest.raises(BadFile, match="link of BoostingClassifier must be a Exponential"):
            from_bytes(sealed(header, arrays), NOWHERE)
    tilted = made(Tilted(2.0), combiners.Stagewise(), StumpLearner())
    loaded = from_bytes(to_bytes(tilted)[0], NOWHERE)
    assert type(loaded.loss) is type(loaded._link) is Tilted


def test_parts_that_do_not_fit_each_other_are_refused():
    header, arrays = unpack(
        NOWHERE, to_bytes(made(Exponential(), combiners.Stagewise(), StumpLearner()))[0]
    )
    header["model"]["state"]["parameters"]["combiner"] = {
        "is": "LinearProgramme", "state": {"parameters": {}},
    }  # fmt: skip
    with pytest.raises(BadFile, match=r"LinearProgramme\(\) needs bounds on the weights"):
        from_bytes(sealed(header, arrays), NOWHERE)


def test_a_loss_of_ones_own_cannot_be_stored(tmp_path):
    model = made(Tilted(), combiners.Stagewise(), StumpLearner())
    with pytest.raises(CannotStore, match="Tilted, which an underdog file cannot hold"):
        model.save(tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())

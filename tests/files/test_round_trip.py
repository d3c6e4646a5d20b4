"""What comes out of a file is what went in: every booster, every form of data, bit for bit."""

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

from tests.estimators.small import BOOSTERS, each_booster, make
from tests.files.models import FORMS, categorical, classes, labels, numbers, two_classes
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
    Costs,
    LPBoostClassifier,
    TotalBoostClassifier,
    UnderdogWarning,
)
from underdog.codes import Binary, MultiLabel, OneOfK
from underdog.combiners import CostWeighted, EntropyProjection, LinearProgramme, Stagewise
from underdog.files import load, save
from underdog.files.registry import KINDS
from underdog.files.store import from_bytes, to_bytes
from underdog.learners import StumpLearner
from underdog.losses import Exponential, SoftMargin

X = numbers()
ROUNDS = 6

pytestmark = [
    pytest.mark.filterwarnings("ignore::underdog.NotConverged"),
    pytest.mark.filterwarnings("ignore:nu=.* is so large that a constant:underdog.UnderdogWarning"),
    pytest.mark.filterwarnings("ignore:.*the coefficients mean little:underdog.UnderdogWarning"),
    pytest.mark.filterwarnings("ignore:beta=.* favours the positive:underdog.UnderdogWarning"),
]


def again(model, tmp_path):
    """The model from its file, whose bytes are the same when it is saved again."""
    first, second = tmp_path / "first.udg", tmp_path / "second.udg"
    model.save(first)
    loaded = load(first)
    loaded.save(second)
    assert first.read_bytes() == second.read_bytes()
    return loaded


def assert_same(model, other, rows):
    """The same answers, bit for bit."""
    assert type(other) is type(model)
    for method in ("decision_function", "predict", "predict_proba"):
        if hasattr(model, method):
            expected, got = getattr(model, method)(rows), getattr(other, method)(rows)
            assert got.dtype == expected.dtype
            assert got.tobytes() == expected.tobytes(), method
    method = "staged_predict" if is_regressor(model) else "staged_decision_function"
    staged = zip(getattr(model, method)(rows), getattr(other, method)(rows), strict=True)
    assert all(one.tobytes() == two.tobytes() for one, two in staged)
    assert other.describe(None) == model.describe(None)
    assert other.feature_importances_.tobytes() == model.feature_importances_.tobytes()
    if not is_regressor(model):
        assert other.classes_.dtype == model.classes_.dtype
    assert sorted(vars(other)) == sorted(vars(model))
    assert repr(other.certificate_) == repr(model.certificate_)
    assert (other.stop_reason_, other.n_iter_) == (model.stop_reason_, model.n_iter_)
    assert {k: v.tobytes() for k, v in other.history_.items()} == {
        k: v.tobytes() for k, v in model.history_.items()
    }


@each_booster
@pytest.mark.parametrize("form", FORMS)
def test_two_classes(booster, form, tmp_path):
    rows = FORMS[form](X)
    model = make(booster, n_estimators=ROUNDS, **categorical(form)).fit(rows, two_classes(X))
    loaded = again(model, tmp_path)
    assert_same(model, loaded, rows)
    assert repr(loaded.get_params()) == repr(model.get_params())
    assert repr(clone(loaded)) == repr(clone(model))


@pytest.mark.parametrize("target", [classes, labels])
@pytest.mark.parametrize("form", FORMS)
def test_more_classes_and_labels(form, target, tmp_path):
    rows = FORMS[form](X)
    model = AdaBoostMHClassifier(n_estimators=ROUNDS, **categorical(form)).fit(rows, target(X))
    assert_same(model, again(model, tmp_path), rows)


@pytest.mark.parametrize(
    "names",
    [
        np.array([3, 7]),
        np.array([-1, 1], dtype=np.int8),
        np.array([False, True]),
        np.array([1.0, 2.0]),
        np.array(["n", "y"], dtype="<U40"),
        np.array(["n", "y"], dtype=object),
        np.array(["ändern", "\U0001f600"], dtype=object),
    ],
    ids=lambda names: str(names.dtype),
)
def test_classes_of_any_type(names, tmp_path):
    y = names[(two_classes(X) == "yes").astype(int)]
    model = AdaBoostClassifier(n_estimators=ROUNDS, pos_label=names[0]).fit(X, y)
    loaded = again(model, tmp_path)
    assert loaded.predict(X).dtype == model.predict(X).dtype
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.classes_.tolist() == names.tolist()


@each_booster
def test_going_on_from_a_file_is_going_on(booster, tmp_path):
    y = two_classes(X)
    model = make(booster, n_estimators=3, warm_start=True).fit(X, y)
    loaded = again(model, tmp_path)
    for one in (model, loaded):
        one.set_params(n_estimators=ROUNDS).fit(X, y)
    assert model.n_iter_ > 3 or model._finished
    for one in (model, loaded):
        del one.history_["seconds"]
    assert_same(model, loaded, X)


def test_going_on_after_early_stopping(tmp_path):
    y = two_classes(X)
    model = AdaBoostClassifier(
        n_estimators=40, early_stopping=True, n_iter_no_change=3, random_state=0, warm_start=True
    ).fit(X, y)
    assert model._finished
    loaded = again(model, tmp_path)
    assert_same(model, loaded, X)
    loaded.fit(X, y)
    assert loaded.n_iter_ == model.n_iter_
    assert loaded.history_["validation_score"].shape == model.history_["validation_score"][
        : model.n_iter_
    ].shape  # fmt: skip


def test_weights_and_costs(tmp_path):
    y = two_classes(X)
    rng = np.random.default_rng(0)
    weighted = AdaBoostClassifier(n_estimators=ROUNDS, class_weight={"no": 1, "yes": 3.5}).fit(
        X, y, sample_weight=rng.random(len(y))
    )
    priced = AdaBoostAClassifier(
        n_estimators=ROUNDS, costs=Costs(fn=3, fp=1), initial=("geometric", 0.9)
    ).fit(X, y)
    for model in (weighted, priced):
        loaded = again(model, tmp_path)
        assert_same(model, loaded, X)
        assert loaded.get_params() == model.get_params()


def test_costs_of_labels(tmp_path):
    costs = Costs.per_label([Costs(fn=3, fp=1), Costs(fn=1, fp=1), Costs(fn=9, fp=2)])
    model = AdaBoostMHClassifier(n_estimators=ROUNDS, costs=costs).fit(X, labels(X))
    loaded = again(model, tmp_path)
    assert_same(model, loaded, X)
    assert loaded.costs == costs


@pytest.mark.parametrize(
    "parts",
    [
        {"loss": Exponential(beta=2.0), "learner": StumpLearner("disc.u"), "code": Binary("yes")},
        {"loss": SoftMargin(nu=0.5), "combiner": LinearProgramme(0.1), "learner": "disc.lp"},
        {"loss": SoftMargin(nu=0.5), "combiner": EntropyProjection(0.1), "learner": "disc.lp"},
        {"combiner": Stagewise(0.5), "code": OneOfK()},
        {"combiner": CostWeighted(0.5)},
    ],
)
def test_composed_boosters(parts, tmp_path):
    model = BoostingClassifier(n_estimators=ROUNDS, **parts).fit(X, two_classes(X))
    loaded = again(model, tmp_path)
    assert_same(model, loaded, X)
    assert repr(loaded.get_params()) == repr(model.get_params())


def test_composed_for_labels(tmp_path):
    model = BoostingClassifier(n_estimators=ROUNDS, code=MultiLabel()).fit(X, labels(X))
    assert_same(model, again(model, tmp_path), X)


def test_a_model_that_is_a_constant(tmp_path):
    for booster in (AdaBoostClassifier, LPBoostClassifier):
        with np.errstate(all="ignore"):
            model = make(booster).fit(np.ones((6, 2)), [0, 0, 0, 0, 1, 1])
        assert_same(model, again(model, tmp_path), np.ones((2, 2)))


@pytest.mark.parametrize("booster", [AdaBoostClassifier, TotalBoostClassifier])
def test_the_same_model_gives_the_same_bytes(booster, tmp_path):
    model = make(booster, n_estimators=3).fit(X, two_classes(X))
    assert to_bytes(model) == to_bytes(model)
    assert b"seconds" in to_bytes(model)[0]


def test_threads_and_verbosity_are_parameters_like_others(tmp_path):
    model = AdaBoostClassifier(n_estimators=2, n_jobs=2).fit(X, two_classes(X))
    assert again(model, tmp_path).n_jobs == 2


def test_names_of_columns_are_checked_after_loading(tmp_path):
    rows = FORMS["categories"](X)
    model = AdaBoostClassifier(n_estimators=ROUNDS, **categorical("categories"))
    loaded = again(model.fit(rows, two_classes(X)), tmp_path)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(rows.rename(columns={"town": "city"}))


def test_every_booster_can_be_stored():
    assert {booster.__name__ for booster in BOOSTERS} <= set(KINDS)


def test_parameters_that_are_not_plain_are_left_out(tmp_path):
    model = AdaBoostClassifier(
        n_estimators=2, random_state=np.random.RandomState(0), scoring=lambda *_: 0.0
    ).fit(X, two_classes(X))
    with pytest.warns(UnderdogWarning, match=r"random_state=RandomState.*scoring=<function"):
        save(model, tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert (loaded.random_state, loaded.scoring) == (None, "auto")
    assert_same(model, loaded, X)


def test_a_model_does_not_share_memory_with_its_file(tmp_path):
    model = AdaBoostClassifier(n_estimators=2).fit(X, two_classes(X))
    data = bytearray(to_bytes(model)[0])
    loaded = from_bytes(bytes(data), tmp_path)
    assert all(member.steps.flags.writeable for member in loaded.model_.members)


def test_a_booster_of_the_users_own_is_refused(tmp_path):
    class OwnClassifier(AdaBoostClassifier):
        pass

    model = OwnClassifier(n_estimators=2).fit(X, two_classes(X))
    with pytest.raises(TypeError, match="OwnClassifier"):
        save(model, tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())

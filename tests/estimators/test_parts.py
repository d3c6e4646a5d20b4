"""Learners, splits and compositions."""

import itertools
import pickle
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import (
    assert_one_entry_per_round,
    assert_same_model,
    each_booster,
    learnable,
    make,
    noisy,
    stages,
    three_classes,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
    UnderdogWarning,
    load,
)
from underdog.codes import Binary, MultiLabel, OneOfK
from underdog.combiners import (
    CostWeighted,
    EntropyProjection,
    EntropyRegularised,
    LinearProgramme,
    Stagewise,
)
from underdog.core import Combiner, Learner, Loss, Proposal, Stop, unit_weight
from underdog.learners import ForeignLearner, StumpLearner
from underdog.losses import Exponential, SoftMargin
from underdog.partitions import RowBlocks


def test_a_tree_of_another_library_is_adaboost_on_trees():
    """Against ten lines of the textbook."""
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=6, random_state=0).fit(X, y)
    sign, weight, score = np.where(y == 1, 1.0, -1.0), np.ones(len(y)) / len(y), np.zeros(len(y))
    for _ in range(6):
        stump = DecisionTreeClassifier(max_depth=2, random_state=0)
        says = stump.fit(X, sign, sample_weight=weight * len(y)).predict(X)
        edge = float(weight @ (sign * says))
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight = weight * np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-6)
    np.testing.assert_array_equal(tree.get_params()["max_depth"], 2)
    assert not hasattr(tree, "tree_")  # a clone was fitted


def test_a_classifier_without_weights_is_given_drawn_rows():
    X, y = noisy()
    message = (
        "KNeighborsClassifier takes no sample_weight: it is trained on rows drawn with replacement "
        "in proportion to their weights (set random_state to repeat the result)"
    )
    models = []
    for seed in (0, 0, 1):
        model = AdaBoostClassifier(
            learner=KNeighborsClassifier(3), n_estimators=4, random_state=seed
        )
        with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
            models.append(model.fit(X, y))
        assert len(caught) == 1  # once a fit, not once a round
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))
    assert not np.array_equal(stages(models[0], X), stages(models[2], X))
    assert models[0].score(X, y) > 0.8


def test_drawn_rows_follow_the_weights():
    """Rows of next to no weight are next to never drawn."""
    X, y = noisy()
    heavy = np.arange(len(y)) < 100
    model = AdaBoostClassifier(learner=KNeighborsClassifier(1), n_estimators=1, random_state=0)
    with pytest.warns(UnderdogWarning):
        model.fit(X, np.where(heavy, y, 1 - y), sample_weight=np.where(heavy, 1.0, 1e-12))
    memory = model.model_.members[0].hypothesis.classifiers[0]._fit_X
    assert {tuple(row) for row in memory} <= {tuple(row) for row in X[heavy]}


def test_a_foreign_learner_of_several_labels_is_cloned_for_each():
    X, y = three_classes()
    model = AdaBoostMHClassifier(
        learner=DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0
    ).fit(X, y)
    for member in model.model_.members:
        assert len(member.hypothesis.classifiers) == 3
        assert len({id(classifier) for classifier in member.hypothesis.classifiers}) == 3
        np.testing.assert_allclose(np.abs(member.steps), abs(member.coefficient), atol=1e-10)
    assert model.score(X, y) > 0.8
    assert_one_entry_per_round(model, 5)


@each_booster
@unfinished
def test_every_learner_that_is_named(booster):
    X, y = learnable(booster)
    names = ["real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u"]
    for name in names:
        by_name = make(booster, learner=name, n_estimators=4).fit(X, y)
        by_object = make(booster, learner=StumpLearner(name), n_estimators=4).fit(X, y)
        assert_same_model(by_name, by_object, X)
        assert by_name.score(X, y) > 0.6


class SumIsLarge:
    """Whether the values of a row sum to more than a number."""

    def __init__(self, limit, values):
        self.limit, self.values = limit, values

    def partition(self, part):
        rows = np.flatnonzero(part.table.matrix().sum(axis=1) > self.limit).astype(np.int32)
        return RowBlocks(rows, 1, part.n_rows)

    def words(self, names):
        return f"sum > {self.limit:.3f}"


class SumLearner(Learner):
    """The smallest learner there is: one question, with another limit each round.

    Parameters
    ----------
    limits : tuple of float
    """

    def __init__(self, limits=(0.0, 1.0)):
        self.limits = limits

    def confidence(self, loss):
        return "coefficient"

    def start(self, run):
        return run

    def fit(self, memory, question):
        done = len(memory.state.members)
        if done == len(self.limits):
            return Stop("no limits are left")
        hypothesis = SumIsLarge(self.limits[done], np.array([[-1.0], [1.0]]))
        partition = hypothesis.partition(memory.part)
        sums = tuple(partition.sums(signal) for signal in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        units = tuple(unit_weight(signal, counted.sum(axis=0)) for signal, counted in pairs)
        return Proposal(hypothesis, partition, sums, units)


def test_a_learner_of_ones_own():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0))).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (3, "no limits are left")
    weight, sign = np.ones(len(y)) / len(y), np.where(y == 1, 1.0, -1.0)
    score = np.zeros(len(y))
    for limit in (0.0, 1.0, -1.0):
        says = np.where(X.sum(axis=1) > limit, 1.0, -1.0)
        edge = weight @ (sign * says)
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight *= np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-9)
    np.testing.assert_array_equal(stages(model, X)[-1], model.decision_function(X))
    assert "1. sum > 0.000" in model.describe()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    resumed = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0)), n_estimators=1)
    resumed.set_params(warm_start=True).fit(X, y).set_params(n_estimators=9).fit(X, y)
    np.testing.assert_array_equal(resumed.decision_function(X), model.decision_function(X))


def test_a_learner_of_ones_own_that_never_finds_anything():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner(())).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, "no limits are left; the model is a constant")
    assert model.predict_proba(X)[0, 1] == pytest.approx(y.mean(), abs=0.01)


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
        (Exponential(), LinearProgramme(), "LinearProgramme needs a loss with bounds on"),
        (SoftMargin(), Stagewise(), "has no Z that Stagewise could step by"),
        (SoftMargin(lower_bound_ratio=20.0), EntropyProjection(), "knows no lower bounds"),
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


def test_two_columns_for_two_classes():
    X, y = noisy()
    model = BoostingClassifier(code=OneOfK(), n_estimators=8).fit(X, y)
    assert model.decision_function(X).shape == (len(X), 2)
    np.testing.assert_array_equal(
        model.predict(X), AdaBoostClassifier(n_estimators=8).fit(X, y).predict(X)
    )


class NoStep(Combiner):
    """Lacks step()."""


class NoWeigh(Loss):
    """Lacks weigh()."""


class NoFit(Learner):
    """Lacks everything."""


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"loss": "logistic"}, "loss='logistic' is of type str: give 'exponential' or a Loss"),
        ({"loss": Stagewise()}, "loss=Stagewise() is a Combiner: give 'exponential' or a Loss"),
        ({"loss": 3}, "loss=3 is of type int: give 'exponential' or a Loss"),
        ({"loss": NoWeigh()}, "loss=NoWeigh() lacks weigh(), which every Loss must define"),
        ({"combiner": "lp"}, "combiner='lp' is of type str: give 'stagewise' or a Combiner"),
        (
            {"combiner": Exponential()},
            "combiner=Exponential() is a Loss: give 'stagewise' or a Combiner",
        ),
        ({"combiner": NoStep()}, "combiner=NoStep() lacks step(), which every Combiner must"),
        ({"code": "ecoc"}, "code='ecoc' is of type str: give 'auto' or a Code"),
        ({"code": Stagewise()}, "code=Stagewise() is a Combiner: give 'auto' or a Code"),
        ({"code": Binary}, "code=<class 'underdog.codes.binary.Binary'> is of type type"),
        ({"learner": Exponential()}, "learner=Exponential() is not a learner: give one of real"),
        ({"learner": NoFit()}, "NoFit does not define confidence()"),
        ({"learner": StumpLearner("x")}, "learner='x' is not one of real, discrete"),
        ({"loss": Exponential(-1.0)}, "beta=-1.0 must be a finite number above 0"),
        ({"loss": Exponential(0)}, "beta=0 must be a finite number above 0"),
        ({"loss": Exponential(np.nan)}, "beta=nan must be a finite number above 0"),
        ({"combiner": Stagewise(-1.0)}, "learning_rate=-1.0 must be a finite number above 0"),
        ({"combiner": CostWeighted(stall="x")}, "stall='x' must be 'skip' or 'stop'"),
    ],
)
def test_parts_that_do_not_fit(parts, message):
    X, y = noisy()
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        BoostingClassifier(**parts).fit(X, y)


def test_a_binary_code_for_three_classes():
    X, y = three_classes()
    with pytest.raises(ValueError, match="two classes are needed for this code, but y has 3"):
        BoostingClassifier(code=Binary()).fit(X, y)


def test_a_foreign_learner_may_be_wrapped_by_hand():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=1)
    models = [
        BoostingClassifier(learner=learner, n_estimators=3, random_state=0).fit(X, y)
        for learner in (tree, ForeignLearner(tree))
    ]
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))


def all_sides(groups):
    """Every way to put groups on two sides, each once."""
    for mask in itertools.product([False, True], repeat=groups - 1):
        sides = np.array([False, *mask])
        if sides.any():
            yield sides


def least_z(plus, minus, rule, beta=1.0):
    """The least Z over all ways to put the groups on two sides, from their weights."""
    best = np.inf
    for side in all_sides(len(plus)):
        tp, tm, fp, fm = plus[side].sum(), minus[side].sum(), plus[~side].sum(), minus[~side].sum()
        if rule == "real":
            z = sum(uneven(p, m, beta) for p, m in ((tp, tm), (fp, fm)))
        else:
            z = np.sqrt(1 - (abs(tp - tm) + abs(fp - fm)) ** 2)
        best = min(best, z)
    return best


def uneven(plus, minus, beta):
    """min over c of plus exp(-c / beta) + minus exp(c)."""
    c = beta / (1 + beta) * np.log(plus / beta / minus)
    return plus * np.exp(-c / beta) + minus * np.exp(c)


@pytest.mark.parametrize("seed", range(6))
@two_kinds
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("beta", [1.0, 3.0])
def test_the_set_of_categories_is_the_best_of_all(seed, learner, missing, beta):
    if beta != 1.0 and learner == "discrete":
        learner = "real"
    rng = np.random.default_rng(seed)
    level = np.concatenate([np.repeat(np.arange(7), 2), rng.integers(0, 7, 60)])
    y = np.concatenate([np.tile([0, 1], 7), rng.integers(0, 2, 60)])
    weight = rng.uniform(0.1, 3.0, len(y))
    named = np.array([*"abcdef", None if missing else "g"], dtype=object)[level]
    model = AdaUBoostClassifier(
        beta=beta, pos_label=1, learner=learner, smoothing=0.0, n_estimators=1
    ).fit(pd.DataFrame({"c": named}), y, sample_weight=weight)
    start = weight * np.where(y == 1, beta, 1.0)
    start /= start.sum()
    plus, minus = (np.bincount(level[y == s], weights=start[y == s]) for s in (1, 0))
    assert model.history_["z"][0] == pytest.approx(least_z(plus, minus, learner, beta), rel=1e-9)


@pytest.mark.parametrize("like", ["low", "high", "neither"])
@two_kinds
def test_missing_values_go_to_the_better_side(like, learner):
    """Three groups: low, high, missing; the split is the best of the three there are."""
    value = np.repeat([0.0, 1.0, np.nan], 40)
    share = {"low": (0.1, 0.8, 0.15), "high": (0.1, 0.8, 0.75), "neither": (0.4, 0.45, 0.95)}[like]
    y = np.concatenate([np.arange(40) < round(40 * part) for part in share]).astype(int)
    X = value[:, np.newaxis]
    model = AdaBoostClassifier(learner=learner, smoothing=0.0, n_estimators=1).fit(X, y)
    plus, minus = (np.array([(y[g : g + 40] == s).sum() for g in (0, 40, 80)]) for s in (1, 0))
    expected = least_z(plus / 120, minus / 120, learner)
    assert model.history_["z"][0] == pytest.approx(expected, rel=1e-9)
    low, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    if like == "neither":
        assert low == high
        assert low != gone
    else:
        assert gone == {"low": low, "high": high}[like]
        assert low != high
    words = {"low": "x0 > 0.5 ", "high": "x0 > 0.5 or missing", "neither": "x0 is missing"}[like]
    assert words in model.describe()


def test_missing_at_prediction_but_never_in_training_goes_with_the_majority():
    X = np.repeat([0.0, 1.0], [30, 70])[:, np.newaxis]
    y = np.concatenate([np.arange(30) < 25, np.arange(70) < 10]).astype(int)
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    _, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    assert gone == high


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
        part = clone(Stagewise(half))
        assert type(part.learning_rate) is float
        assert part.learning_rate == 0.5


@pytest.mark.parametrize(
    ("code", "several", "words"),
    [
        (MultiLabel(), False, "MultiLabel needs a column of 0 and 1 for every label, but y has"),
        (OneOfK(), True, "Binary and OneOfK need one label per row, but y has 3 columns"),
        (Binary(), True, "Binary and OneOfK need one label per row, but y has 3 columns"),
    ],
)
def test_a_code_that_does_not_suit_the_target(code, several, words):
    X, y = three_classes()
    target = (np.unique(y) == y[:, np.newaxis]).astype(int) if several else y
    with pytest.raises(ValueError, match=words):
        BoostingClassifier(code=code).fit(X, target)


def test_a_positive_class_where_nobody_asks_for_it():
    X, y = three_classes()
    target = (np.unique(y) == y[:, np.newaxis]).astype(int)
    with pytest.raises(ValueError, match="is for two classes, but y has a column for every label"):
        AdaBoostMHClassifier(pos_label=1).fit(X, target)
    X, y = noisy()
    with pytest.raises(ValueError, match=r"a code says itself which class is positive"):
        BoostingClassifier(code=Binary(), pos_label=0).fit(X, y)

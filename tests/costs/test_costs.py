"""Costs: the textbook by enumeration, invariances, and what is refused."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import cross_val_predict

from underdog import AdaBoostClassifier, Costs

TWO = ["no", "yes"]


def random_costs(rng, classes, examples=None):
    """A matrix in which every mistake costs more than the right decision."""
    shape = (classes, classes) if examples is None else (examples, classes, classes)
    table = rng.uniform(0.5, 9.0, shape)
    right = rng.uniform(-3.0, 0.4, shape[:-1])
    table[..., np.arange(classes), np.arange(classes)] = right
    return Costs.matrix(table, list("abcdef"[:classes]))


def enumerated(tables, p):
    """The decision about each example by the textbook: try all, add up, take the cheapest."""
    decided = []
    for table, shares in zip(tables, p, strict=True):
        expected = [
            sum(shares[true] * table[true, d] for true in range(len(shares)))
            for d in range(len(shares))
        ]
        decided.append(int(np.argmin(expected)))
    return decided


problems = st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 5), st.booleans())
few = settings(max_examples=40, deadline=None)


@few
@given(problems)
def test_decisions_are_those_of_the_textbook(problem):
    seed, classes, own = problem
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, classes, 20 if own else None)
    names, p = list("abcdef"[:classes]), rng.dirichlet(np.ones(classes), 20)
    tables = np.broadcast_to(costs.table(names), (20, classes, classes))
    decided = costs.decide(p, names)
    assert decided.tolist() == enumerated(tables, p)
    y = rng.integers(0, classes, 20)
    each = [tables[i, y[i], decided[i]] for i in range(20)]
    np.testing.assert_array_equal(costs.each(y, decided, names), each)
    assert costs.total(y, decided, names) == pytest.approx(sum(each))
    expected = np.array([p[i] @ tables[i] for i in range(20)])
    np.testing.assert_allclose(costs.expected(p, names), expected)


@few
@given(problems, st.floats(1e-6, 1e6), st.integers(0, 4), st.floats(-1e3, 1e3))
def test_no_decision_depends_on_the_unit_or_on_what_a_class_costs_anyway(
    problem, factor, true, constant
):
    seed, classes, own = problem
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, classes, 20 if own else None)
    names, p = list("abcdef"[:classes]), rng.dirichlet(np.ones(classes), 20)
    decided = costs.decide(p, names).tolist()
    table = costs.table(names)
    assert Costs.matrix(table * factor, names).decide(p, names).tolist() == decided
    table[..., true % classes, :] += constant
    assert Costs.matrix(table, names).decide(p, names).tolist() == decided


@few
@given(st.floats(0, 100), st.floats(0, 100), st.floats(-50, 0), st.floats(-50, 0), st.floats(0, 1))
def test_the_threshold_is_where_the_decision_changes(fn, fp, tn, tp, p):
    costs = Costs(fn + 1.0, fp + 1.0, tn, tp)
    threshold = costs.threshold()
    assert threshold == pytest.approx((fp + 1.0 - tn) / (fp + 1.0 - tn + fn + 1.0 - tp))
    if abs(p - threshold) > 1e-9:
        assert costs.decide([[1.0 - p, p]], TWO)[0] == (p > threshold)


def test_table_of_two_classes():
    costs = Costs(fn=20, fp=2, tn=-1, tp=-3)
    assert costs.table(TWO).tolist() == [[-1, 2], [20, -3]]
    assert costs.table(TWO, positive=0).tolist() == [[-3, 20], [2, -1]]
    assert costs.ratio() == 23 / 3
    assert costs.mistakes(np.array([0, 1, 1]), TWO).tolist() == [3, 23, 23]


def test_table_of_named_classes_is_in_the_order_of_the_data():
    costs = Costs.matrix({"flu": {"cold": 5, "flu": -1}, "cold": {"flu": 1}})
    assert costs.table(["cold", "flu"]).tolist() == [[0, 1], [5, -1]]
    assert costs.table(np.array(["flu", "cold"])).tolist() == [[-1, 5], [1, 0]]
    assert costs == Costs.matrix([[0, 1], [5, -1]], ["cold", "flu"])
    numbers = Costs.matrix({np.int64(2): {7: 5}, 7: {np.int64(2): 1}})
    assert numbers.table(np.array([2, 7])).tolist() == [[0, 5], [1, 0]]


def test_mistakes_of_several_classes_are_means_over_the_wrong_decisions():
    costs = Costs.matrix([[0, 1, 3], [4, -2, 6], [1, 1, 1]], list("abc"))
    assert costs.mistakes(np.array([0, 1, 2]), list("abc")).tolist() == [2, 7, 0]


def test_equally_expensive_decisions_go_to_the_more_probable_class():
    assert Costs(fn=4, fp=1).decide([[0.8, 0.2]], TWO).tolist() == [0]
    assert Costs(fn=1, fp=4).decide([[0.2, 0.8]], TWO).tolist() == [1]
    assert Costs(fn=1, fp=1).decide([[0.5, 0.5]], TWO).tolist() == [0]


@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize("use", [Costs.decide, Costs.expected])
def test_without_probabilities_nothing_is_decided(use, number):
    message = f"the probabilities of example 1 are [0.5, {number}], but they must be finite"
    with pytest.raises(ValueError, match=re.escape(message)):
        use(Costs(2, 1), [[0.5, 0.5], [0.5, number]], TWO)


def test_a_mistake_may_cost_nothing():
    never = Costs(fn=0, fp=1)
    assert never.threshold() == 1.0
    assert never.decide([[0.01, 0.99], [0.0, 1.0]], TWO).tolist() == [0, 1]
    always = Costs(fn=1, fp=0)
    assert always.threshold() == 0.0
    assert always.decide([[0.99, 0.01], [1.0, 0.0]], TWO).tolist() == [1, 0]


def test_if_nothing_costs_anything_no_decision_can_be_made():
    for costs in (Costs(0, 0), Costs(fn=3, fp=1, tn=1, tp=3), Costs.matrix(np.ones((2, 2)), TWO)):
        with pytest.raises(ValueError, match="no mistake costs more than the correct"):
            costs.decide([[0.5, 0.5]], TWO)
    with pytest.raises(ValueError, match="no mistake costs more than the correct"):
        Costs(0, 0).threshold()
    # A single example may be worth nothing.
    assert Costs(fn=[0, 9], fp=[0, 1]).decide([[0.8, 0.2]] * 2, TWO).tolist() == [0, 1]
    assert Costs(fn=[0], fp=[0]).decide([[0.3, 0.7]], TWO).tolist() == [1]


def test_costs_of_single_examples():
    costs = Costs(fn=np.array([1.0, 100.0, 3.0]), fp=2)
    assert costs.n_examples == 3
    assert costs.decide([[0.7, 0.3]] * 3, TWO).tolist() == [0, 1, 0]
    y = np.array([1, 1, 0])
    assert costs.mistakes(y, TWO).tolist() == [1, 100, 2]
    assert costs.total(y, np.array([0, 0, 1]), TWO) == 103
    for rows in ([2, 0], np.array([True, False, True]), slice(0, 2), np.array([], dtype=int)):
        assert costs.take(rows) == Costs(fn=np.array([1.0, 100.0, 3.0])[rows], fp=2)
        assert costs[rows] == costs.take(rows)
    shared = Costs(20, 1)
    assert shared.take([0, 5]) is shared
    assert not hasattr(shared, "shape")
    with pytest.raises(TypeError):
        iter(shared)


def test_folds_of_a_booster_with_costs_of_single_examples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    costs, folds = Costs(fn=rng.uniform(1, 5, 60), fp=1), [np.arange(0, 60, 2), np.arange(1, 60, 2)]
    model = AdaBoostClassifier(n_estimators=3)
    splits = [(folds[0], folds[1]), (folds[1], folds[0])]
    found = cross_val_predict(
        model, X, y, cv=splits, method="decision_function", params={"costs": costs}
    )
    for train, test in splits:
        part = clone(model).fit(X[train], y[train], costs=costs[train])
        np.testing.assert_array_equal(found[test], part.decision_function(X[test]))


def test_costs_of_several_labels():
    costs = Costs.per_label({"b": Costs(3, 2, tn=1), "a": Costs(20, 1, tp=-1)})
    assert costs.label_mistakes(["a", "b"]).tolist() == [[1, 1], [21, 3]]
    assert costs.label_mistakes(np.array(["b", "a"])).tolist() == [[1, 1], [3, 21]]
    assert costs == Costs.per_label({"a": Costs(20, 1, tp=-1), "b": Costs(3, 2, tn=1)})
    assert costs != Costs.per_label({"a": Costs(20, 1), "b": Costs(3, 2, tn=1)})
    in_order = Costs.per_label([Costs(20, 1), Costs(3, 1)])
    assert in_order == Costs.per_label({np.int64(1): Costs(3, 1), 0: Costs(20, 1)})
    assert repr(in_order) == "Costs.per_label({0: Costs(fn=20, fp=1), 1: Costs(fn=3, fp=1)})"
    assert repr(Costs.per_label([Costs(2, 1)] * 115)).endswith("3: Costs(fn=2, fp=1), ...})")
    assert in_order.n_examples is None
    assert in_order.take([0, 5]) is in_order
    assert Costs(20, 1, tn=-1).label_mistakes(range(3)).tolist() == [[2, 2, 2], [20, 20, 20]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "costs=3 must be a sequence or a mapping with a Costs for each label"),
        (Costs(20, 1), "costs=Costs(fn=20, fp=1) must be a sequence or a mapping"),
        ([], "costs is empty: give a Costs for each label"),
        ({"a": 5}, "the costs of label 'a' are 5: give one fn and one fp for all examples"),
        ([Costs(2, 1), (2, 1)], "the costs of label 1 are (2, 1): give"),
        ([Costs([2, 3], 1)], "the costs of label 0 are Costs(fn=<2"),
        ([Costs.per_label([Costs(2, 1)])], "the costs of label 0 are Costs.per_"),
        ([Costs.matrix([[0, 1], [1, 0]], TWO)], "the costs of label 0 are Costs.matrix("),
    ],
)
def test_costs_of_labels_that_are_refused(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Costs.per_label(given)


@pytest.mark.parametrize(
    "use",
    [
        lambda costs: costs.threshold(),
        lambda costs: costs.ratio(),
        lambda costs: costs.decide([[0.5, 0.5]], TWO),
        lambda costs: costs.mistakes(np.array([0, 1]), TWO),
        lambda costs: costs.total(np.array([0, 1]), np.array([0, 1]), TWO),
    ],
)
def test_costs_of_several_labels_decide_nothing_about_two_classes(use):
    for costs in (Costs.per_label([Costs(2, 1)] * 2), Costs.per_label([Costs(2, 1)])):
        with pytest.raises(
            ValueError, match=r"has no single|for multilabel problems, but y has one"
        ):
            use(costs)


class Holder(BaseEstimator):
    def __init__(self, costs=None):
        self.costs = costs


@pytest.mark.parametrize(
    "costs",
    [
        Costs(20, 1),
        Costs(fn=[1, 2, 3], fp=1, tp=-1),
        Costs.matrix({"a": {"b": 1}, "b": {"a": 2}}),
        Costs.matrix(np.arange(8).reshape(2, 2, 2)[:, :, ::-1] * [[0, 1], [1, 0]], TWO),
        Costs.per_label({"a": Costs(20, 1), "b": Costs(3, 1, tp=-1)}),
    ],
    ids=repr,
)
def test_copies_are_equal(costs):
    for other in (
        copy.copy(costs),
        copy.deepcopy(costs),
        pickle.loads(pickle.dumps(costs)),
        clone(Holder(costs)).costs,
    ):
        assert other == costs
        assert repr(other) == repr(costs)
    assert costs != Costs(20, 2)
    assert costs != "costs"


def test_equality_and_text():
    assert Costs(20, 1) == Costs(fn=20.0, fp=np.int8(1), tn=0)
    assert Costs(20, 1) != Costs(20, 1, tp=-1)
    assert Costs(20, 1) != Costs.matrix([[0, 1], [20, 0]], [0, 1])
    assert Costs(20, 1) != Costs([20, 20], 1)
    assert Costs.matrix([[0, 1], [2, 0]], "ab") != Costs.matrix([[0, 1], [2, 0]], "ac")
    assert repr(Costs(20, 0.5, tp=-3)) == "Costs(fn=20, fp=0.5, tp=-3)"
    assert repr(Costs([20, 1], 1)) == "Costs(fn=<2 costs>, fp=<2 costs>)"
    assert repr(Costs.matrix([[0, 1], [2, 0]], "ab")) == (
        "Costs.matrix([[0.0, 1.0], [2.0, 0.0]], ['a', 'b'])"
    )


FINITE = ": costs must be finite; for a mistake that must not happen use a large number"
BETTER = ": less than the correct prediction; a mistake must cost at least as much"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fn": np.inf, "fp": 1}, f"fn costs inf{FINITE}"),
        ({"fn": 1, "fp": np.nan}, f"fp costs nan{FINITE}"),
        ({"fn": 1, "fp": 1, "tp": -np.inf}, f"tp costs -inf{FINITE}"),
        ({"fn": [1, np.nan], "fp": 1}, f"fn costs nan for example 1{FINITE}"),
        ({"fn": -2, "fp": 1}, f"fn costs -2{BETTER}"),
        ({"fn": 1, "fp": [1, 1, 0], "tn": 0.5}, f"fp costs 0 for example 2{BETTER}"),
        ({"fn": 1, "fp": 1, "tp": 2}, f"fn costs 1{BETTER}"),
        ({"fn": "20", "fp": 1}, "fn='20' must be a number, or an array of numbers"),
        ({"fn": True, "fp": 1}, "fn=True must be a number"),
        ({"fn": None, "fp": 1}, "fn=None must be a number"),
        ({"fn": 1, "fp": 1j}, "fp=1j must be a number"),
        ({"fn": [[1], [2, 3]], "fp": 1}, "fn=[[1], [2, 3]] must be a number"),
        ({"fn": [[1.0]], "fp": 1}, "fn has the shape (1, 1): give a number, or one number per"),
        (
            {"fn": [1, 2], "fp": [1, 2, 3]},
            "costs per example have different lengths: {'fn': 2, 'fp': 3}",
        ),
    ],
)
def test_costs_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Costs(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"a": {"b": 1}},), "costs['b']['a'] is missing: every wrong prediction must have a cost"),
        (
            ({"a": {"b": 1}, "b": 2},),
            "costs['b']=2 must be a mapping from predicted classes to costs",
        ),
        (({"a": {"b": "x"}, "b": {"a": 1}},), "costs['a']['b']='x' must be a number"),
        (({"a": {"b": [1, 2]}, "b": {"a": 1}},), "costs['a']['b'] has the shape (2,)"),
        (
            ({"a": {"b": np.nan}, "b": {"a": 1}},),
            f"predicting 'b' for class 'a' costs nan{FINITE}",
        ),
        (({"a": {"b": -1}, "b": {"a": 1}},), f"predicting 'b' for class 'a' costs -1{BETTER}"),
        (({"a": {"a": 0}},), "classes=['a'] must be two or more different classes"),
        (({},), "classes=[] must be two or more different classes"),
        (
            ({"a": {"b": 1}, "b": {"a": 1}}, ["a", "b"]),
            "classes were given with a mapping of costs",
        ),
        (([[0, 1], [1, 0]],), "costs are for 2 classes, but classes has 0 names"),
        (([[0, 1], [1, 0]], "abc"), "costs are for 2 classes, but classes has 3 names"),
        (([[0, 1], [1, 0]], "aa"), "classes=['a', 'a'] must be two or more different"),
        (([[0, 1, 2], [1, 0, 2]], "ab"), "costs have the shape (2, 3): give a matrix with"),
        (([0, 1], "ab"), "costs have the shape (2,): give a matrix with"),
        (([["0", "1"], ["1", "0"]], "ab"), "must be a number, or an array of numbers"),
    ],
)
def test_matrices_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Costs.matrix(*arguments)


def test_costs_that_do_not_fit_the_data():
    three, named = ["a", "b", "c"], Costs.matrix([[0, 1], [2, 0]], ["a", "b"])
    own = Costs(fn=[1, 2, 3], fp=1)
    for call, message in (
        (lambda: Costs(1, 1).table(three), "Costs(fn, fp) is for two classes, but there are 3"),
        (lambda: named.table(three), "classes ['c'] have no costs: there are costs only"),
        (lambda: named.table(["a"]), "costs for classes ['b'], but the data only has ['a']"),
        (lambda: named.table([0, 1]), "classes [0, 1] have no costs"),
        (lambda: own.decide([[0.5, 0.5]], TWO), "there are costs for 3 examples, but 1 examples"),
        (lambda: own.mistakes(np.array([0, 1]), TWO), "there are costs for 3 examples, but 2"),
        (lambda: own.threshold(), "has no single threshold"),
        (lambda: named.ratio(), "has no single ratio"),
        (lambda: Costs(0, 1).ratio(), "both kinds of mistakes must cost more than 0"),
        (lambda: named.decide([0.5, 0.5], "ab"), "probabilities have the shape (2,)"),
        (lambda: named.expected([[1.0]], "ab"), "probabilities have the shape (1, 1)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            call()

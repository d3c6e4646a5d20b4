"""Pools of given rules and classifiers."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from underdog import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LPBoostClassifier,
    Table,
    load,
)
from underdog.learners import Pool

NAMES = ["image", "link", "won", "office", "known"]
SPAM_RULES = [
    "if image present: spam",
    "if link present: spam",
    "if 'won' in text: spam",
    "if office present: ham",
    "if known present: ham",
]
"""Five rules by which people recognise spam."""


def mails(n_rows=150):
    rng = np.random.default_rng(5)
    X = (rng.random((n_rows, 5)) < 0.35).astype(float)
    badness = X @ [1.0, 0.7, 2.0, -1.5, -1.0] + rng.normal(0, 1.0, n_rows)
    return Table.hstack([X], names=NAMES), np.where(badness > 0.4, "spam", "ham"), X


def textbook(H, sign, rounds, e):
    """AdaBoost with rules that abstain: least Z, and the coefficient with the least Z."""
    D, f = np.full(len(sign), 1.0 / len(sign)), np.zeros(len(sign))
    for _ in range(rounds):
        right = ((H * sign[:, None]) > 0).T @ D
        wrong = ((H * sign[:, None]) < 0).T @ D
        best = int(np.argmax((np.sqrt(right) - np.sqrt(wrong)) ** 2))
        a = 0.5 * np.log(max(right[best], e / 2) / max(wrong[best], e / 2))
        f = f + a * H[:, best]
        D = np.exp(-sign * f)
        D = D / D.sum()
    return f


def test_equals_the_textbook():
    X, y, words = mails()
    model = AdaBoostClassifier(learner=Pool(SPAM_RULES), n_estimators=12).fit(X, y)
    expected = textbook(words * [1, 1, 1, -1, -1], np.where(y == "spam", 1, -1), 12, 1 / len(y))
    assert np.allclose(model.decision_function(X), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("booster", [AdaBoostClassifier, LogisticAdaBoostClassifier])
def test_same_bits(booster, tmp_path):
    X, y, words = mails()
    rules = [*SPAM_RULES, "if 'won' in text and known absent or link > 0.25: spam"]
    model = booster(learner=Pool(rules), n_estimators=8).fit(X, y)
    scores = model.decision_function(X)
    order = np.random.default_rng(0).permutation(len(y))
    other = clone(model).fit(X[order], y[order])
    assert np.array_equal(other.decision_function(X), scores)
    model.save(tmp_path / "pool.udg")
    loaded = load(tmp_path / "pool.udg")
    assert np.array_equal(loaded.decision_function(X), scores)
    loaded.set_params(warm_start=True, n_estimators=10).fit(X, y)
    longer = clone(model).set_params(n_estimators=10).fit(X, y)
    assert np.array_equal(loaded.decision_function(X), longer.decision_function(X))
    dense = Table.hstack([words], names=NAMES)
    assert np.array_equal(clone(model).fit(dense, y).decision_function(X), scores)


def test_a_sum_of_given_classifiers():
    X, y, words = mails()
    given = [DecisionTreeClassifier(max_depth=1, random_state=0).fit(words[:, :], y)]
    given += [AdaBoostClassifier(n_estimators=k).fit(X, y) for k in (1, 3)]
    model = AdaBoostClassifier(learner=Pool(given), n_estimators=5).fit(X, y)
    votes = [
        2.0 * (each.predict(words if k == 0 else X) == "spam") - 1 for k, each in enumerate(given)
    ]
    scores = model.decision_function(X)
    solution, _residual, *_ = np.linalg.lstsq(np.column_stack(votes), scores, rcond=None)
    assert np.allclose(np.column_stack(votes) @ solution, scores)
    assert (model.predict(X) != y).mean() <= min(
        (np.sign(v) != 2 * (y == "spam") - 1).mean() for v in votes
    )


def test_margins_several_classes_and_labels():
    X, y, words = mails()
    model = LPBoostClassifier(learner=Pool(SPAM_RULES), nu=0.3, n_estimators=20).fit(X, y)
    assert 1 <= len(model.model_) <= 5
    three = np.where(words[:, 0] > 0, "egg", y)
    many = AdaBoostClassifier(learner=Pool(["if image present: egg", *SPAM_RULES[1:]]))
    assert (many.fit(X, three).predict(X) == three).mean() > 0.6
    labels = words[:, :2].astype(int)
    both = AdaBoostClassifier(learner=Pool(["if image present: 0", "if link present: 1"]))
    assert (both.fit(X, labels).predict(X)[words[:, 0] > 0, 0] == 1).all()


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([], "must be a list of rules"),
        ("if a > 1: spam", "must be a list of rules"),
        ([3], "3 in Pool is neither a rule in words nor a fitted classifier"),
        ([DecisionTreeClassifier()], "nor a fitted classifier"),
        (["else: spam"], "needs a condition"),
        (["if image present: spam 0.9"], "without a probability"),
        (["if image present: egg"], "there is no class 'egg'"),
        (["if picture present: spam"], "there is no column 'picture'"),
        (["if image: spam"], "expected '>'"),
    ],
)
def test_what_is_refused(rules, message):
    X, y, _ = mails()
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(learner=Pool(rules)).fit(X, y)


def test_other_refusals():
    X, y, words = mails()
    other = DecisionTreeClassifier().fit(words, np.where(y == "spam", "egg", "ham"))
    with pytest.raises(ValueError, match="predicts the classes"):
        AdaBoostClassifier(learner=Pool([other])).fit(X, y)
    with pytest.raises(ValueError, match="gradients and curvatures"):
        GradientBoostingClassifier(learner=Pool(SPAM_RULES)).fit(X, y)
    constant = AdaBoostClassifier(learner=Pool(["if image > 3: spam"])).fit(X, y)
    assert "no rule of the pool has an edge left" in constant.stop_reason_

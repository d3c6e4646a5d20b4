"""Schapire's first booster: the majority of three rules, and of majorities."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length

from underdog.checks import check_integer
from underdog.types import Floats

Draw = Callable[[int], tuple[Any, Any]]
"""Draws some new examples: X and y."""
MOST_DRAWS = 1000
"""Batches without enough examples after which filtering stops."""


class MajorityOfThree:
    """A majority of three rules, each of which may be such a majority.

    Attributes
    ----------
    rules : list
        Three classifiers or majorities, or one that was enough.
    errors : list of floats
        The error of each under the weights that it was fitted to.
    bound : float
        3 a**2 - 2 a**3 with the greatest of these errors, on the error under the first weights. NaN
        if a rule is not better than chance.
    """

    def __init__(self, rules: list[Any], errors: list[float]) -> None:
        self.rules, self.errors = rules, errors
        worst = max(errors)
        self.bound = majority_bound(worst) if worst < 0.5 else math.nan

    def predict(self, X: Any) -> Any:
        votes = np.array([rule.predict(X) for rule in self.rules])
        if len(votes) == 1:
            return votes[0]
        return np.where(votes[1] == votes[2], votes[1], votes[0])


def majority_bound(error: float) -> float:
    """3 a**2 - 2 a**3: the error of a majority of three whose errors are at most a.

    Examples
    --------
    >>> from underdog.games import majority_bound
    >>> round(majority_bound(0.3), 3), round(majority_bound(majority_bound(0.3)), 3)
    (0.216, 0.12)
    """
    return error * error * (3.0 - 2.0 * error)


def three_hypotheses(
    classifier: Any, X: Any, y: Any, sample_weight: Any = None, *, depth: int = 1
) -> MajorityOfThree:
    """Boost by a majority of three rules, on a sample with weights.

    The first rule is fitted under D. The second sees weights under which the first is right half of
    the time, the third only rows on which the two differ. With a depth of more than 1 each rule is
    a majority of three itself, so depth k fits up to 3**k rules.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Cloned and fitted with `sample_weight`.
    X : array of shape (n, d)
    y : array of shape (n,), two classes
    sample_weight : array of shape (n,), optional
        D, by default equal weights.
    depth : int, default=1

    Returns
    -------
    MajorityOfThree

    References
    ----------
    Schapire, "The strength of weak learnability", Machine Learning 5, 1990.

    Differs from the paper: errors are measured on the given rows, and the weights are exact instead
    of drawn; `boost_by_filtering` draws.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from underdog.games import three_hypotheses
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = three_hypotheses(DecisionTreeClassifier(max_depth=1), X, y)
    >>> bool((model.predict(X) != y).mean() <= model.bound)
    True
    """
    check_integer("depth", depth, 1)
    X, y = np.asarray(X), np.asarray(y)
    check_consistent_length(X, y)
    _check_two(y)
    D = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    return _majority(classifier, X, y, D / D.sum(), depth)


def _majority(classifier: Any, X: Any, y: Any, D: Floats, depth: int) -> MajorityOfThree:
    rules: list[Any] = []
    errors: list[float] = []

    def fit(weights: Floats) -> Any:
        """A rule under weights, with its error; returns what it predicts."""
        own = weights / weights.sum()
        seen = own > 0.0
        if depth > 1:
            rule: Any = _majority(classifier, X[seen], y[seen], own[seen], depth - 1)
        else:
            rule = clone(classifier).fit(X[seen], y[seen], sample_weight=own[seen] * seen.sum())
        said = rule.predict(X)
        rules.append(rule)
        errors.append(float(own[said != y].sum()))
        return said

    first = fit(D)
    if errors[0] in (0.0, 1.0):
        return MajorityOfThree(rules, errors)
    right = np.where(first == y, 1.0 - errors[0], errors[0])
    second = fit(D / (2.0 * right))
    if not bool((D * (first != second)).any()):
        return MajorityOfThree(rules[:1], errors[:1])
    fit(np.where(first != second, D, 0.0))
    return MajorityOfThree(rules, errors)


def boost_by_filtering(
    classifier: Any, draw: Draw, size: int, *, depth: int = 1, random_state: int = 0
) -> MajorityOfThree:
    """The same from a source of new examples, of which filters choose those to learn from.

    The second rule sees examples that the first gets right or wrong by the toss of a coin, the
    third those on which the two differ. Errors are measured on examples that were not learned from.

    Parameters
    ----------
    classifier : scikit-learn classifier
    draw : callable
        draw(n) returns X and y of n new examples.
    size : int
        How many examples each rule learns from, and how many measure its error.
    depth : int, default=1
    random_state : int, default=0
        Of the coin.

    Returns
    -------
    MajorityOfThree
        `errors` are estimates here, and so is `bound`.

    References
    ----------
    Schapire, "The strength of weak learnability", Machine Learning 5, 1990.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from underdog.games import boost_by_filtering
    >>> rng = np.random.default_rng(0)
    >>> def draw(n):
    ...     X = rng.normal(size=(n, 2))
    ...     return X, X.sum(axis=1) > 0
    >>> model = boost_by_filtering(DecisionTreeClassifier(max_depth=1), draw, 500)
    >>> len(model.rules)
    3
    """
    check_integer("size", size, 1)
    check_integer("depth", depth, 1)
    coin = np.random.default_rng(random_state)
    return _filtered(classifier, draw, size, depth, coin)


def _filtered(
    classifier: Any, draw: Draw, size: int, depth: int, coin: np.random.Generator
) -> MajorityOfThree:
    def learn(source: Draw) -> tuple[Any, float]:
        if depth > 1:
            rule: Any = _filtered(classifier, source, size, depth - 1, coin)
        else:
            rule = clone(classifier).fit(*source(size))
        X, y = source(size)
        return rule, float((rule.predict(X) != y).mean())

    first, error = learn(draw)
    rules, errors = [first], [error]

    def second_source(n: int) -> tuple[Any, Any]:
        heads = int(coin.binomial(n, 0.5))
        parts = [
            _until(draw, lambda X, y: first.predict(X) == y, heads),
            _until(draw, lambda X, y: first.predict(X) != y, n - heads),
        ]
        return tuple(np.concatenate(own) for own in zip(*parts, strict=True))  # type: ignore

    if error == 0.0:
        return MajorityOfThree(rules, errors)
    second, error = learn(second_source)
    rules.append(second)
    errors.append(error)
    third, error = learn(
        lambda n: _until(draw, lambda X, _: first.predict(X) != second.predict(X), n)
    )
    return MajorityOfThree([*rules, third], [*errors, error])


def _until(draw: Draw, wanted: Callable[[Any, Any], Any], n: int) -> tuple[Any, Any]:
    """The first n examples that a filter lets pass."""
    found: list[tuple[Any, Any]] = []
    count = 0
    for _ in range(MOST_DRAWS):
        X, y = draw(max(n, 1))
        X, y = np.asarray(X), np.asarray(y)
        passed = np.flatnonzero(wanted(X, y))[: n - count]
        found.append((X[passed], y[passed]))
        count += len(passed)
        if count >= n:
            return tuple(np.concatenate(own) for own in zip(*found, strict=True))  # type: ignore
    raise ValueError(
        f"only {count} of {MOST_DRAWS * max(n, 1)} drawn examples passed a filter that needs {n}: "
        "the rules are (nearly) always right or always agree, so a smaller depth is enough"
    )


def _check_two(y: Any) -> None:
    classes = np.unique(y)
    if len(classes) != 2:
        raise ValueError(f"y has {len(classes)} classes: a majority of three is for two")

"""The models that are compared, each with the size of what a person reads.

A model is a function of (training rows, training classes, test rows) that returns the predicted
classes and the number of conditions that its rules test together. More models are added to MODELS.
"""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from underdog import (
    AdaBoostClassifier,
    ADTreeClassifier,
    GradientBoostingClassifier,
    LADTreeClassifier,
    SlipperClassifier,
)
from underdog.hypotheses.rule import partition_key

Predicted = tuple[Any, int]
Model = Callable[[pd.DataFrame, Any, pd.DataFrame], Predicted]


ROUNDS = 60
"""At most, where folds choose them."""
TESTS = 20
"""The default number of tests of an alternating tree."""


def conditions(booster: Any) -> int:
    """How many conditions all different rules of a fitted booster have.

    One that is under others is one.
    """
    rules = {partition_key(each.hypothesis): each.hypothesis for each in booster.model_.members}
    return sum(map(_own, rules.values()))


def _own(rule: Any) -> int:
    """The splits of a tree; the test of a rule of an alternating tree, or the path of a rule."""
    if rule.is_constant:
        return 0
    if rule.rest is None:
        return len(rule.tests)
    return 1 if len(rule.leaves) == 3 else len(rule.leaves[-1])


def _booster(make: Callable[[], Any]) -> Model:
    def fit(X: pd.DataFrame, y: Any, X_test: pd.DataFrame) -> Predicted:
        model = make().fit(X, y)
        return model.predict(X_test), conditions(model)

    return fit


def _slipper(X: pd.DataFrame, y: Any, X_test: pd.DataFrame) -> Predicted:
    """Rules for the rarer class, as many rounds as five folds choose by their error."""
    classes, counts = np.unique(y, return_counts=True)
    rarer = classes[counts.argmin()]
    made = SlipperClassifier(n_estimators=ROUNDS, early_stopping=True, pos_label=rarer)
    made.fit(X, y)
    return made.predict(X_test), conditions(made)


def _stopped(kind: Any, **parameters: Any) -> Model:
    """With the number of rounds chosen by five folds, as alternating trees do by default."""
    own = {"early_stopping": True, "cv": 5, "scoring": "ranking", "n_iter_no_change": 20}
    return _booster(lambda: kind(n_estimators=ROUNDS, **own, **parameters))


def _as_numbers(X: pd.DataFrame) -> pd.DataFrame:
    """Levels as columns of 0 and 1, missing numbers as the median: what other libraries take."""
    numbers = X.select_dtypes("number")
    levels = X.drop(columns=numbers.columns).astype(str)
    made = [numbers.fillna(numbers.median())]
    return pd.concat(
        [*made, pd.get_dummies(levels).astype(float)] if levels.shape[1] else made, axis=1
    )


def _filled(X: pd.DataFrame, median: pd.Series) -> pd.DataFrame:
    """Without missing values, levels as texts."""
    levels = X.columns.difference(median.index)
    return X.fillna(median).astype(dict.fromkeys(levels, str)).reset_index(drop=True)


def _wittgenstein(name: str) -> Model:
    """RIPPER or IREP; they know two classes, of which the rarer has the rules."""

    def fit(X: pd.DataFrame, y: Any, X_test: pd.DataFrame) -> Predicted:
        import wittgenstein

        classes, counts = np.unique(y, return_counts=True)
        rarer, other = classes[np.argsort(counts)].tolist()
        made = getattr(wittgenstein, name)(random_state=0)
        median = X.median(numeric_only=True)
        made.fit(_filled(X, median), y=pd.Series(y, name="y"), pos_class=rarer)
        found = made.predict(_filled(X_test, median))
        size = sum(len(rule.conds) for rule in made.ruleset_.rules)
        return np.where(found, rarer, other), size

    return fit


def _figs(X: pd.DataFrame, y: Any, X_test: pd.DataFrame) -> Predicted:
    """FIGS of imodels: a sum of small trees with 12 splits at most."""
    from imodels import FIGSClassifier

    train = _as_numbers(X)
    test = _as_numbers(X_test).reindex(columns=train.columns, fill_value=0.0)
    classes, numbers = np.unique(y, return_inverse=True)
    made = FIGSClassifier(max_rules=12, random_state=0).fit(train.to_numpy(), numbers)
    return classes[made.predict(test.to_numpy()).astype(int)], int(made.complexity_)


MODELS: dict[str, Model] = {
    "SLIPPER": _slipper,
    "ADTree": _stopped(ADTreeClassifier),
    "ADTree, logistic": _stopped(ADTreeClassifier, loss="logistic"),
    "LADTree": _stopped(LADTreeClassifier),
    "stumps": _stopped(AdaBoostClassifier),
    "ADTree, 20 tests": _booster(lambda: ADTreeClassifier(n_estimators=TESTS)),
    "stumps, 20 rules": _booster(lambda: AdaBoostClassifier(n_estimators=TESTS)),
    "boosted trees": _booster(lambda: GradientBoostingClassifier()),
    "RIPPER": _wittgenstein("RIPPER"),
    "IREP": _wittgenstein("IREP"),
    "FIGS": _figs,
}
PEERS = {"RIPPER": "wittgenstein", "IREP": "wittgenstein", "FIGS": "imodels"}
"""The packages of models that are not of this library."""


def available() -> list[str]:
    """The models that can be fitted here."""
    return [
        name
        for name in MODELS
        if name not in PEERS or importlib.util.find_spec(PEERS[name]) is not None
    ]

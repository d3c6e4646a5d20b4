"""One cell: one model on one fold of one set of data."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from experiments.classes1996.runs import load
from underdog import AdaBoostClassifier, SlipperClassifier
from underdog.hypotheses.rule import Conjunction, partition_key

SETS = (
    "breast-cancer-w", "german", "hepatitis", "house-votes-84", "ionosphere", "kr-vs-kp", "labor",
    "pima-indians-diabetes", "votes1",
)  # fmt: skip
"""Sets of UCI with two classes."""
OURS = ("SLIPPER", "SLIPPER, 5 rules", "stumps", "trees")
PEERS = ("RIPPER", "IREP", "imodels SLIPPER", "imodels boosted rules", "imodels RuleFit")
MODELS = OURS + PEERS


@dataclass(frozen=True)
class Plan:
    """How many rounds and folds, and which models."""

    rounds: int
    folds: int
    models: tuple[str, ...] = MODELS

    @property
    def mark(self) -> str:
        """All that a cell depends on."""
        return f"{self.rounds} rounds, {self.folds} folds"

    def names(self, sets: Iterable[str]) -> Iterator[str]:
        """Of all cells: every model on one set of data, then the next."""
        for data in sets:
            yield from (f"{data}/{model}/{k}" for model in self.models for k in range(self.folds))


FULL = Plan(100, 5)
QUICK = Plan(5, 2, OURS)


def run(cell: str, plan: Plan = FULL) -> dict[str, Any]:
    """Fit and test.

    Returns
    -------
    dict
        wrong and rows of the test part, rules and conditions of the model, and the seconds of
        `fit`, which are measured beside other cells and are no benchmark.
    """
    data, model, number = cell.split("/")
    X, y, _ = load(data)
    classes, counts = np.unique(y, return_counts=True)
    rare = (y == classes[counts.argmin()]).astype(int)
    parts = StratifiedKFold(plan.folds, shuffle=True, random_state=0)
    train, test = list(parts.split(np.zeros(len(y)), rare))[int(number)]
    prepared = numbers(X) if model.startswith("imodels") else X
    if model in ("RIPPER", "IREP"):
        prepared = known(X)
    began = time.perf_counter()
    predict, size = fit(model, plan.rounds, prepared.iloc[train], rare[train])
    seconds = time.perf_counter() - began
    wrong = int((predict(prepared.iloc[test]) != rare[test]).sum())
    return {"wrong": wrong, "rows": len(test), "seconds": round(seconds, 3), **size}


def known(X: Any) -> Any:
    """Without missing values: the median of a number, a level of its own for a category."""
    filled = {}
    for name in X:
        column = X[name]
        if column.dtype == "category":
            filled[name] = column.astype(object).where(column.notna(), "missing").astype(str)
        else:
            filled[name] = column.fillna(column.median())
    return pd.DataFrame(filled)


def numbers(X: Any) -> Any:
    """Without missing values, and with a column for each level."""
    return pd.get_dummies(known(X)).astype(float)


def fit(model: str, rounds: int, X: Any, y: Any) -> tuple[Any, dict[str, int]]:
    """A function that predicts, and how many rules and conditions it has."""
    if model in OURS:
        return fit_ours(model, rounds, X, y)
    if model in ("RIPPER", "IREP"):
        return fit_wittgenstein(model, X, y)
    return fit_imodels(model, rounds, X, y)


def fit_ours(model: str, rounds: int, X: Any, y: Any) -> tuple[Any, dict[str, int]]:
    """SLIPPER with rounds by cross-validation; AdaBoost with all rounds."""
    made: Any
    if model.startswith("SLIPPER"):
        most = 5 if model.endswith("5 rules") else None
        made = SlipperClassifier(n_estimators=rounds, early_stopping=True, max_rules=most)
    else:
        learner = "real" if model == "stumps" else "tree"
        made = AdaBoostClassifier(n_estimators=rounds, learner=learner)
    made.fit(X, y)
    trees = {partition_key(each.hypothesis): each.hypothesis for each in made.model_.members}
    if model in ("stumps", "trees"):
        leaves = [leaf for tree in trees.values() for leaf in tree.leaves]
        rules = len(trees) if model == "stumps" else len(leaves)
        tests = len(trees) if model == "stumps" else sum(map(len, leaves))
        return made.predict, {"rules": rules, "conditions": tests}
    paths = [Conjunction.of(tree).path for tree in trees.values()]
    own = [path for path in paths if path]
    return made.predict, {"rules": len(own), "conditions": sum(map(len, own))}


def fit_wittgenstein(model: str, X: Any, y: Any) -> tuple[Any, dict[str, int]]:
    """Rules for the rarer class, with the defaults of the library."""
    import wittgenstein

    made = getattr(wittgenstein, model)(random_state=0)
    made.fit(X, y, pos_class=1)
    rules = made.ruleset_.rules
    size = {"rules": len(rules), "conditions": sum(len(rule.conds) for rule in rules)}
    return lambda rows: np.array(made.predict(rows)).astype(int), size


def fit_imodels(model: str, rounds: int, X: Any, y: Any) -> tuple[Any, dict[str, int]]:
    """With the defaults of the library, and as many rounds where it has any."""
    import imodels

    made: Any
    if model == "imodels SLIPPER":
        made = imodels.SlipperClassifier(n_estimators=rounds, random_state=0)
    elif model == "imodels boosted rules":
        made = imodels.BoostedRulesClassifier(n_estimators=rounds, random_state=0)
    else:
        made = imodels.RuleFitClassifier(random_state=0)
    try:
        made.fit(X.to_numpy(), y)
    except ValueError:  # no rule is better than chance there: the larger class
        return lambda rows: np.zeros(len(rows), dtype=int), {"rules": 0, "conditions": 0}
    size = size_of_imodels(made)
    return lambda rows: np.asarray(made.predict(rows.to_numpy())).astype(int), size


def size_of_imodels(made: Any) -> dict[str, int]:
    """Rules with an effect, and their conditions."""
    if type(made).__name__ == "RuleFitClassifier":
        kept = made._get_rules()
        rules = kept[kept["coef"] != 0]["rule"].astype(str).tolist()
        return {"rules": len(rules), "conditions": sum(rule.count(" and ") + 1 for rule in rules)}
    own = made.estimators_
    counts = [
        len(each.rule) if hasattr(each, "rule") else int((each.tree_.feature >= 0).sum())
        for each in own
    ]
    return {"rules": len(own), "conditions": sum(counts)}

"""Fits that must come out the same in many ways, and what "the same" is.

`python -m tests.estimators.fits digests` prints the digests of tiny fits as JSON, so that processes
with and without the compiler can be compared; `signatures` lists what was compiled.
"""

import hashlib
import importlib
import json
import pkgutil
import sys

import numpy as np
import pandas as pd
import scipy.sparse as sp

from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    Table,
)
from underdog.hypotheses import Tree

MANY_LABELS = 10

# Without totally corrective boosters: their coefficients come from a solver, which promises the
# same to 1e-9 for another form or order of the data, and not bit for bit without the compiler.
BOOSTERS = {
    "real": (AdaBoostClassifier, {"learner": "real"}, "binary"),
    "discrete": (AdaBoostClassifier, {"learner": "discrete"}, "binary"),
    "real.lp": (AdaBoostClassifier, {"learner": "real.lp"}, "binary"),
    "uneven real": (AdaUBoostClassifier, {"learner": "real", "beta": 3.0}, "binary"),
    "uneven real.u": (AdaUBoostClassifier, {"learner": "real.u", "beta": 3.0}, "binary"),
    "uneven disc.u": (AdaUBoostClassifier, {"learner": "disc.u", "beta": 3.0}, "binary"),
    "cost": (AdaBoostAClassifier, {"learner": "discrete"}, "cost"),
    "cost and start": (AdaBoostAClassifier, {"learner": "discrete"}, "cost and start"),
    "real cost and start": (AdaBoostAClassifier, {"learner": "real"}, "cost and start"),
    "labels": (AdaBoostMHClassifier, {"learner": "real"}, "labels"),
    "many labels": (AdaBoostMHClassifier, {"learner": "real"}, "many labels"),
    "discrete labels": (AdaBoostMHClassifier, {"learner": "discrete"}, "many labels"),
    "classes": (AdaBoostMHClassifier, {"learner": "real"}, "classes"),
    "discrete classes": (AdaBoostMHClassifier, {"learner": "discrete"}, "classes"),
}


def numbers(rows, seed=0, columns=9):
    """Continuous, counts, negative counts, presence, missing, always stored, nearly constant."""
    rng = np.random.default_rng(seed)
    X = np.zeros((rows, columns))
    X[:, 0] = rng.normal(size=rows)
    X[:, 1] = rng.poisson(0.8, rows)
    X[:, 2] = np.rint(rng.normal(size=rows) * 1.5)
    X[:, 3] = -(rng.random(rows) < 0.3).astype(float)
    X[:, 4] = np.where(rng.random(rows) < 0.5, 0.0, rng.normal(size=rows))
    X[rng.random(rows) < 0.15, 4] = np.nan
    X[:, 5] = rng.integers(1, 5, rows)  # never zero
    X[:, 6] = rng.random(rows) < 0.4
    X[:, 7] = np.where(rng.random(rows) < 0.02, 2.0, 0.0)
    for column in range(8, columns):
        X[:, column] = np.where(rng.random(rows) < 0.7, 0.0, rng.normal(size=rows).round(2))
    return X


def text(rows, seed=0):
    rng = np.random.default_rng(seed)
    colour = rng.choice(["r", "g", "b", "y"], rows).astype(object)
    colour[rng.random(rows) < 0.1] = None
    return pd.DataFrame({"colour": colour, "town": rng.choice(list("stuvwxyz"), rows)})


def targets(X, seed=0):
    """y and fit's other arguments, by name of target; every row's are a function of the row."""
    rng = np.random.default_rng(seed + 1)
    known = np.nan_to_num(X, nan=0.6)
    score = known @ rng.normal(size=(X.shape[1], MANY_LABELS))
    score += 0.6 * rng.normal(size=score.shape)
    binary = np.where(score[:, 0] > np.quantile(score[:, 0], 0.75), "yes", "no")
    cost = rng.integers(1, 9, len(X)) / 4
    start = rng.integers(1, 5, len(X)) / 2
    return {
        "binary": (binary, {}),
        "cost": (binary, {"cost": cost}),
        "cost and start": (binary, {"cost": cost, "initial_weight": start}),
        "labels": ((score[:, :3] > 0.5).astype(int), {}),
        "many labels": ((score > np.quantile(score, 0.8, axis=0)).astype(int), {}),
        "classes": (np.array(["a", "b", "c"])[score[:, :3].argmax(axis=1)], {}),
    }


def make(name, **parameters):
    kind, own, _ = BOOSTERS[name]
    return kind(**{**own, **parameters})


def fit(name, X, y, extra=None, rows=None, **parameters):
    """Fit a booster to some rows (by index, in that order)."""
    extra = dict(extra or {})
    if rows is not None:
        X, y = X[rows], y[rows]
        extra = {key: value[rows] for key, value in extra.items()}
    return make(name, **parameters).fit(X, y, **extra)


def members(model):
    """The model in bits: one line per member."""
    lines = []
    for member in model.model_.members:
        own = member.hypothesis
        tree = own if isinstance(own, Tree) else Tree((), own.values)
        tests = tree.tests
        number = {id(test): place for place, test in enumerate(tests)}
        lines.append(
            (
                type(own).__name__,
                [
                    leaf if isinstance(leaf, str) else [(number[id(t)], said) for t, said in leaf]
                    for leaf in tree.leaves
                ],
                [
                    (t.column, None if t.threshold is None else float(t.threshold).hex())
                    for t in tests
                ],
                [test.inside.tolist() for test in tests],
                [float(value).hex() for value in own.values.ravel()],
                float(member.coefficient).hex(),
                [float(step).hex() for step in member.steps.ravel()],
            )
        )
    return lines


def bits(scores):
    return np.ascontiguousarray(scores).tobytes()


SCALED = (0, 1, 2, 3, 6)
"""What of a member must not depend on the unit of weight: all but unrounded numbers."""


def assert_same(one, other, X, other_X=None, only=slice(None)):
    """The same members (or some of what is known of them), and the same scores bit for bit."""
    chosen = range(7)[only] if isinstance(only, slice) else only
    first, second = ([tuple(m[c] for c in chosen) for m in members(x)] for x in (one, other))
    assert len(first) > 1
    for number, (left, right) in enumerate(zip(first, second, strict=False)):
        assert left == right, f"round {number}"
    assert len(first) == len(second)
    assert one.stop_reason_ == other.stop_reason_
    other_X = X if other_X is None else other_X
    assert bits(one.decision_function(X)) == bits(other.decision_function(other_X))


def digest(model, X):
    """A short name for the bits of a model, its scores and its history."""
    parts = [repr(members(model)).encode(), bits(model.decision_function(X))]
    for name in sorted(set(model.history_) - {"seconds", "loss"}):  # loss is libm's exp
        parts.append(bits(model.history_[name]))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def digests(rows=40, rounds=5):
    """Digests of tiny fits of every booster on dense, sparse and mixed data."""
    found = {}
    X = numbers(rows)
    mixed = Table.hstack([X[:, :2], sp.csr_array(X[:, 2:]), text(rows)])
    for name, (_, _, target) in BOOSTERS.items():
        y, extra = targets(X)[target]
        for form, data in (("dense", X), ("sparse", sp.csr_array(X)), ("mixed", mixed)):
            model = fit(name, data, y, extra, n_estimators=rounds)
            found[f"{name}, {form}"] = digest(model, data)
    return found


def infinite():
    """Digests of fits whose neighbouring values are -inf and inf."""
    X = np.where(numbers(40)[:, [0, 4]] > 0, np.inf, -np.inf)
    y = targets(numbers(40))["binary"][0]
    forms = {"dense": X, "sparse": sp.csr_array(X)}
    return {
        name: digest(fit("real", form, y, n_estimators=5), form) for name, form in forms.items()
    }


def dispatchers():
    """name -> kernel, of all compiled functions."""
    import underdog.kernels

    found = {}
    for info in pkgutil.iter_modules(underdog.kernels.__path__):
        module = importlib.import_module(f"underdog.kernels.{info.name}")
        for name, value in vars(module).items():
            if hasattr(value, "signatures") and value.__module__ == module.__name__:
                found[f"{info.name}.{name}"] = value
    return found


def given(data, name):
    """(X, y, other arguments of fit) of a booster, from X and its targets."""
    X, targets = data
    return X, *targets[BOOSTERS[name][2]]


def signatures():
    """name -> compiled signatures after fits of data that might bring in other array types."""
    X = numbers(60)
    X[:, 3] = np.nan_to_num(X[:, 3])
    kept = X.copy()
    kept.setflags(write=False)
    columns = np.asfortranarray(X)
    columns.setflags(write=False)
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    frozen = sp.csr_array(X)
    for array in (frozen.data, frozen.indices, frozen.indptr):
        array.setflags(write=False)
    presence = sp.csr_array(X > 0)
    forms = [
        kept,
        columns,
        kept[:, :1],
        wide,
        frozen,
        presence,
        presence.astype(np.float32),
        X.astype(np.float32),
        np.nan_to_num(X).astype(np.int8),
        pd.DataFrame(X),
        Table.hstack([kept, wide, text(60)]),
    ]
    weight = np.arange(60) % 3 + 1.0
    weight.setflags(write=False)
    for name in ("real", "discrete", "uneven disc.u", "cost and start", "many labels", "classes"):
        y, extra = targets(X)[BOOSTERS[name][2]]
        y.setflags(write=False)
        for values in extra.values():
            values.setflags(write=False)
        for data in forms:
            model = make(name, n_estimators=3).fit(data, y, sample_weight=weight, **extra)
            model.decision_function(data)
            list(model.staged_decision_function(data))
    many = numbers(400)  # whose columns have more bins than a byte can number
    for name in ("real", "many labels"):
        y, _ = targets(many)[BOOSTERS[name][2]]
        model = make(name, n_estimators=3, max_bins=400).fit(many, y)
        list(model.staged_decision_function(many))
    return {name: [str(s) for s in fn.signatures] for name, fn in dispatchers().items()}


if __name__ == "__main__":
    tasks = {"digests": digests, "infinite": infinite, "signatures": signatures}
    print(json.dumps(tasks[sys.argv[1]]()))

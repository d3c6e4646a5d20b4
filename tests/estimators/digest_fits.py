"""The small fits whose digests are kept: fixed ones that are named, and random ones.

The data are whole numbers from raw bits, so that no version of NumPy changes them. Nothing but the
public interface is used: the same fits must run with older and newer code.
"""

import os
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from underdog import Costs, Table
from underdog.estimators import all_boosters
from underdog.losses import Exponential

LEARNERS = ("real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u")
ROWS, UNSEEN, ROUNDS = 140, 40, 10
ONLY = os.environ.get("DIGESTS_OF", "").split()
"""Names of boosters, where not all are wanted."""
BOOSTERS = {
    name: one
    for name, one in all_boosters().items()
    if (not ONLY or name in ONLY) and not name.startswith("Blended")
}
"""Without blends: the last digits of a linear model depend on the solver."""
NEWTON = ("GradientBoostingClassifier", "LADTreeClassifier", "LogitBoostClassifier")
"""They take no learners that vote, and none of another library."""
ALTERNATING = ("ADTreeClassifier", "LADTreeClassifier")
"""With other learners they are AdaBoost and LogitBoost."""
CORRECTIVE = [name for name in BOOSTERS if name.startswith(("LP", "ERLP", "SoftBoost", "Total"))]
"""Their numbers come from a solver and from BLAS, whose last digits depend on the machine."""
CLASSES = (
    "AdaBoostECCClassifier",
    "AdaBoostM1Classifier",
    "AdaBoostM2Classifier",
    "AdaBoostOCClassifier",
    "OutputCodeBoostClassifier",
)
"""They take no indicators of labels."""
ONE_VOTE = "BoostByMajorityClassifier"
"""All its rules have one vote, and there is no learning rate."""
SEVERAL = [name for name in BOOSTERS if get_tags(BOOSTERS[name]()).classifier_tags.multi_class]
"""More than two classes, and several labels."""
UNEVEN = [name for name in BOOSTERS if hasattr(BOOSTERS[name], "beta")]
"""One beta for all examples."""


def learners(name):
    """The learners that a booster takes, by their names."""
    if name == "AdaBoostOCClassifier":  # its rules vote
        return tuple(learner for learner in LEARNERS if learner.startswith("disc"))
    if name == "AdaBoostM1Classifier":  # its rules answer with a class
        return ("discrete", "tree")
    if name == "AdaBoostM2Classifier":  # the same as AdaBoostMRClassifier with one label
        return ("discrete",)
    if name in ALTERNATING:
        return ("alternating",)
    return ("real", "tree") if name in NEWTON else (*LEARNERS, "tree")


def plain(name):
    """The parameters of all fixed fits: stumps, which are fast."""
    voting = {"learner": "discrete"} if name == "AdaBoostM1Classifier" else {}
    return {"n_estimators": ROUNDS, **voting}


class Dice:
    """Whole numbers from raw bits, which no version of NumPy may change."""

    def __init__(self, *seed):
        self.bits = np.random.PCG64(list(seed))

    def below(self, high, *shape):
        drawn = self.bits.random_raw(int(np.prod(shape))) % np.uint64(high)
        return drawn.astype(np.int64).reshape(shape)

    def number(self, low, high):
        return low + int(self.below(high - low + 1, 1)[0])

    def pick(self, *things):
        return things[self.number(0, len(things) - 1)]

    def chance(self, one_in):
        return self.number(1, one_in) == 1


class Data(NamedTuple):
    X: object
    unseen: object
    y: object


class Fit(NamedTuple):
    """One model: how it is made, what it is given, and the rounds of a first fit before it."""

    booster: str
    parameters: dict
    data: Data
    given: dict
    first_rounds: int | None = None

    def model(self):
        model = BOOSTERS[self.booster](**self.parameters)
        if self.first_rounds is not None:
            rounds = model.n_estimators
            model.set_params(warm_start=True, n_estimators=self.first_rounds)
            model.fit(self.data.X, self.data.y, **self.given)
            model.set_params(n_estimators=rounds)
        return model.fit(self.data.X, self.data.y, **self.given)


class Above(ClassifierMixin, BaseEstimator):
    """A classifier of another library: the best column, cut at zero."""

    def fit(self, X, y, sample_weight):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        edges = (np.where(self._cut(X), 1.0, -1.0) * (y * sample_weight)[:, np.newaxis]).sum(axis=0)
        self.column_ = int(np.abs(edges).round(9).argmax())
        self.sign_ = 1 if edges[self.column_] > 0 else -1
        return self

    def predict(self, X):
        return np.where(self._cut(X)[:, self.column_], self.sign_, -self.sign_)

    @staticmethod
    def _cut(X):
        return np.nan_to_num(X.toarray() if sp.issparse(X) else np.asarray(X)) > 0


# The data.


def make_numbers(dice, rows, columns, levels, missing):
    """Eighths of whole numbers; `missing` of a hundred are NaN in every other column."""
    X = dice.below(levels, rows, columns) / 8.0 - levels // 2 / 8.0
    X[:, 1::2][dice.below(100, rows, columns)[:, 1::2] < missing] = np.nan
    return X


def make_target(dice, X, kind, noise=3):
    """Labels that follow from the columns and some noise."""
    known = (np.nan_to_num(X, nan=1.0) * 8).astype(np.int64)
    n, d = X.shape
    score = np.sign(known) @ (dice.below(7, d, 3) - 3) + dice.below(noise, n, 3)
    above = score >= np.sort(score, axis=0)[6 * n // 10]
    if kind == "two":
        return np.where(above[:, 0], "yes", "no")
    return np.array(["a", "b", "c"])[score.argmax(axis=1)] if kind == "three" else above.astype(int)


def make_frame(dice, X):
    """Two of the columns as they are, beside two columns of categories."""
    n = len(X)
    known = np.nan_to_num(X).astype(np.int64)
    colour = np.array(["red", "green", "blue", "grey", "pink"], dtype=object)[known[:, 0] % 5]
    colour[dice.below(9, n) == 0] = None
    town = np.array(list("stuvwxyz"), dtype=object)[(known.sum(axis=1) + dice.below(4, n)) % 8]
    return pd.DataFrame({"colour": colour, "size": X[:, 0], "town": town, "width": X[:, -1]})


def make_form(dice, X, form):
    if form == "words":
        return sp.csr_array((np.nan_to_num(X, nan=-9.0) >= 0.0).astype(float))
    if form == "counts":
        return sp.csr_array(np.where(np.abs(X) < 2, 0.0, X))  # NaN stays
    if form == "halves":
        return Table.hstack([X[:, :1], sp.csr_array(X[:, 1:])]) if X.shape[1] > 1 else X
    return make_frame(dice, X) if form == "mixed" else X


def make_data(dice, form, kind, rows, shape=(6, 60, 20), noise=3):
    """Rows to learn from and others, in which values are missing that never were before."""
    X = make_numbers(dice, rows + UNSEEN, *shape)
    y = make_target(dice, X, kind, noise)[:rows]
    X[rows:][dice.below(8, UNSEEN, shape[0]) == 0] = np.nan
    X = make_form(dice, X, form)
    take = X.iloc if isinstance(X, pd.DataFrame) else X
    return Data(take[:rows], take[rows:], y)


FORMS = {
    form: make_data(Dice(7, number), *what, ROWS)
    for number, (form, what) in enumerate(
        {
            "numbers": ("numbers", "two"),
            "words": ("words", "two"),
            "counts": ("counts", "two"),
            "mixed": ("mixed", "two"),
            "three classes": ("halves", "three"),
            "labels": ("words", "labels"),
        }.items()
    )
}


ONLY = {"another library": 1, "costs": 2, "costs of examples": 2}
"""Settings that are only for the first forms of the data: numbers, or two classes."""


def settings(name):
    """Parameters and arguments of fit, by a few words."""
    dice = Dice(11)
    whole, tenths = dice.below(4, ROWS), (1 + dice.below(30, ROWS)) / 10.0
    start = np.where(dice.below(2, ROWS), 1.0, 1.0 + tenths**2)  # other rules than by the cost
    found = {
        "whole weights": ({}, {"sample_weight": whole}),
        "real weights": ({}, {"sample_weight": tenths}),
        "smoothing=0": ({"smoothing": 0.0}, {}),
        "min_weight_fraction_leaf=0.2": ({"min_weight_fraction_leaf": 0.2}, {}),
        "min_weight_fraction_leaf=0.45": ({"min_weight_fraction_leaf": 0.45}, {}),
        "max_bins=3": ({"max_bins": 3}, {}),
        "early stopping, fraction": (
            {"early_stopping": True, "validation_fraction": 0.45, "n_iter_no_change": 3}, {},
        ),
        "early stopping, cv": ({"early_stopping": True, "cv": 3, "scoring": "ranking"}, {}),
        "costs": ({"costs": Costs(fn=3, fp=1)}, {}),
        "warm start": ({}, {}),
        "another library": ({"learner": Above()}, {}),
    }  # fmt: skip
    if name in CORRECTIVE:
        found["to the end"] = ({"n_estimators": 60, "tol": 0.05}, {})
    elif name != ONE_VOTE:
        found["learning_rate=0.3"] = ({"learning_rate": 0.3}, {})
        if name not in (*NEWTON, *ALTERNATING):
            own = {"learning_rate": 0.3, "learner": "discrete"}
            found["learning_rate=0.3, discrete"] = (own, {})
    if name in NEWTON:  # smoothing is not used
        light = [setting for setting in found if setting.startswith("min_weight_fraction_leaf")]
        for setting in ("another library", "smoothing=0", *light):
            del found[setting]
    if name == "GradientBoostingClassifier":
        limits = {"max_leaf_nodes": 5, "min_samples_leaf": 6, "l2_regularization": 2.0}
        found["limited trees"] = ({"max_depth": None, **limits}, {})
    if name == "LogitBoostClassifier":
        found["z_max=2"] = ({"z_max": 2.0}, {})
    if name in ALTERNATING:
        found.pop("another library", None)
        found |= {f"grow={grow}": ({"grow": grow}, {}) for grow in ("root", "singles")}
        found["missing=neither"] = ({"missing": "neither"}, {})
    if name == "ADTreeClassifier":
        found["logistic"] = ({"loss": "logistic"}, {})
    if name == "LogisticAdaBoostClassifier":
        found["parallel"] = ({"update": "parallel"}, {})
    if name in UNEVEN:
        found["beta=1"] = ({"beta": 1.0}, {})
        found["beta=3"] = ({"beta": 3.0}, {})
    else:
        found["costs of examples"] = ({}, {"costs": Costs(fn=tenths, fp=1.0)})
    if name == "AdaUBoostClassifier":
        for learner in LEARNERS:
            found[f"beta=3, {learner}"] = ({"beta": 3.0, "learner": learner}, {})
    if name == "LPUBoostClassifier":
        found["lower bounds"] = ({"lower_bound_ratio": 20.0}, {})
    if name == "BoostingClassifier":  # the only way to uneven labels
        for learner in LEARNERS:
            found[f"uneven, {learner}"] = ({"loss": Exponential(2.5), "learner": learner}, {})
    if name == "AdaBoostAClassifier":
        both = {"initial_weight": start, "cost": tenths}
        for learner in ("discrete", "real", "disc.u", "real.lp"):
            for stall in ("skip", "stop"):
                own = {"learner": learner, "stall": stall, "n_estimators": 30}
                found[f"start and cost, {learner}, {stall}"] = (own, both)
        found["start"] = ({}, {"initial_weight": start})
        found["cost"] = ({"learner": "real"}, {"cost": tenths})
        found["zipf and cost"] = ({"initial": "zipf"}, {"cost": tenths})
        found["vetoed blocks"] = ({"min_weight_fraction_leaf": 0.2}, both)
    return found


def class_settings(name, form):
    """What depends on the names of the classes."""
    if form == "labels":
        costs = Costs.per_label([Costs(fn=k + 1, fp=1) for k in range(3)])
        return {"costs of classes": ({"costs": costs}, {})}
    names = ("a", "b", "c") if form == "three classes" else ("no", "yes")
    weights = {name: 2.0 + k for k, name in enumerate(names)}
    table = {name: dict.fromkeys(names, 1.0 + k) | {name: 0.0} for k, name in enumerate(names)}
    found = {
        "class_weight": ({"class_weight": weights}, {}),
        "balanced": ({"class_weight": "balanced"}, {}),
    }
    if name == "AdaBoostM1Classifier" and form == "three classes":  # slow on several shards
        found["c4.5-like"] = ({"learner": "c4.5-like", "n_estimators": 2}, {})
    if name not in UNEVEN:
        found["costs of classes"] = ({"costs": Costs.matrix(table)}, {})
    return found


def fixed_fits():
    """Booster and setting -> form of the data -> fit."""
    found = {}
    for name in BOOSTERS:
        forms = list(FORMS) if name in SEVERAL else list(FORMS)[:4]
        forms = [form for form in forms if form != "labels" or name not in CLASSES]
        plan = {
            learner: dict.fromkeys(forms, ({"learner": learner}, {})) for learner in learners(name)
        }
        some = [form for form in forms if form not in ("words", "counts")]
        for setting, what in settings(name).items():
            plan[setting] = dict.fromkeys(some[: ONLY.get(setting)], what)
        for form in some:
            for setting, what in class_settings(name, form).items():
                plan.setdefault(setting, {})[form] = what
        for setting, by_form in plan.items():
            first = ROUNDS // 2 if setting == "warm start" else None
            found[f"{name}, {setting}"] = {
                form: Fit(name, {**plain(name), **parameters}, FORMS[form], given, first)
                for form, (parameters, given) in by_form.items()
            }
        y = np.array(["no"] * 3 + ["yes"] * 6)
        nothing = {"one value": np.ones((9, 2)), "all missing": np.full((9, 1), np.nan)}
        found[f"{name}, nothing to split"] = {
            kind: Fit(name, {}, Data(X, 2.0 * X, y), {}) for kind, X in nothing.items()
        }
    return found


def random_fit(seed, number):
    """A problem and settings drawn by two numbers."""
    dice = Dice(seed, number)
    name = dice.pick(*BOOSTERS)
    kind = dice.pick("two", "three", "labels") if name in SEVERAL else "two"
    if kind == "labels" and name in CLASSES:
        kind = "three"
    shape = dice.number(1, 6), dice.pick(2, 4, 12, 60, 1000), dice.pick(0, 0, 20, 60)
    rows = dice.pick(dice.number(6, 30), dice.number(30, 150), dice.number(30, 150))
    form = dice.pick("numbers", "words", "counts", "halves", "mixed")
    data = make_data(dice, form, kind, rows, shape, noise=dice.pick(2, 3, 8))
    parameters = {"learner": dice.pick(*learners(name)), "n_estimators": dice.number(1, 15)}
    given = {}
    if form != "mixed" and name not in NEWTON and dice.chance(12):
        tree = DecisionTreeClassifier(max_depth=2)  # which takes NaN in dense numbers only
        parameters["learner"] = tree if form == "numbers" else Above()
    chances = {
        "smoothing": (0.0, 0.001, 0.3),
        "min_weight_fraction_leaf": (0.05, 0.2, 0.4),
        "max_bins": (2, 5, 20),
        "random_state": (3,),
    }
    if kind != "labels":
        chances["class_weight"] = ("balanced",)
    if name not in (*CORRECTIVE, ONE_VOTE):
        chances["learning_rate"] = (0.1, 0.3, 0.9, 1.7)
    own = {"beta": (1.0, 3.0, 6.0), "nu": (0.1, 0.3), "stall": ("stop",), "initial": ("zipf",)}
    chances |= {key: values for key, values in own.items() if hasattr(BOOSTERS[name], key)}
    if name in CORRECTIVE:
        chances["tol"] = (1e-3, 0.05)
    parameters |= {key: dice.pick(*v) for key, v in chances.items() if dice.chance(3)}
    weights = (1 + dice.below(20, rows)) / dice.pick(1.0, 4.0)
    if dice.chance(3):
        given["sample_weight"] = dice.pick(dice.below(4, rows), weights)
    if name == "AdaBoostAClassifier" and dice.chance(2):
        given["cost"] = (1 + dice.below(20, rows)) / 4.0
        if "initial" not in parameters:
            given["initial_weight"] = (1 + dice.below(9, rows)) / 2.0
    elif kind != "three" and dice.chance(4):
        parameters["costs"] = Costs(fn=dice.number(1, 9), fp=dice.number(1, 3))
    if dice.chance(6):
        parameters |= {"early_stopping": True, "n_iter_no_change": 3, "cv": dice.pick(None, 2, 3)}
        parameters["scoring"] = dice.pick("auto", "loss", "ranking")
    elif dice.chance(12):
        given |= {"X_val": data.X, "y_val": data.y}
    first = dice.pick(None, None, None, dice.number(1, parameters["n_estimators"]))
    title = ", ".join(f"{key}={value}" for key, value in parameters.items())
    title = f"{name}({title}) on {rows} x {shape[0]} {form}, {kind}, with {[*given]}, first={first}"
    return title, Fit(name, parameters, data, given, first)

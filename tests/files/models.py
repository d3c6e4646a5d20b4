"""Small fitted models of many kinds, with rows to ask them about."""

import functools
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from tests.model.hand_made_trees import with_trees
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaBoostR2Regressor,
    AdaBoostRRegressor,
    BoostingRegressor,
    Costs,
    CostSensitiveClassifier,
    ERLPBoostClassifier,
    ExpLevRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    LPBoostClassifier,
    NotConverged,
    RankBoostRanker,
    RidgewayRegressor,
    SoftBoostClassifier,
    SquareLevRegressor,
    Table,
    TermVectorizer,
    ThresholdClassifier,
    TotalBoostClassifier,
)
from underdog.files import load
from underdog.frames import FrameEncoder
from underdog.losses import HuberLoss

ROWS = 60
NAMES = np.array(["no", "perhaps", "yes"])
OLD = Path(__file__).parent / "v1"
OLD_FILES = {"old columns": "categories", "old classes": "classes", "old margin": "margin"}
"""Samples that are files of version 1."""


def numbers(seed=0):
    """Six columns: two that matter, one with holes, counts, presence, a constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, 6))
    X[rng.random(ROWS) < 0.2, 2] = np.nan
    X[:, 3] = rng.poisson(0.7, ROWS)
    X[:, 4] = rng.random(ROWS) < 0.3
    X[:, 5] = 1.0
    return X


def classes(X):
    """A class of each row, by name."""
    score = np.nan_to_num(X[:, 0] + 0.7 * X[:, 2] + 0.3 * X[:, 3])
    return NAMES[np.digitize(score, [-0.4, 0.8])]


def two_classes(X):
    return np.where(classes(X) == "yes", "yes", "no")


def labels(X):
    """Several labels at once."""
    return (np.nan_to_num(X[:, :3]) > 0.2).astype(int)


def prices(X):
    """A number of each row: a whole one that is not below 0, so that it can be a count."""
    return np.rint(np.exp(np.nan_to_num(0.8 * X[:, 0] + 0.5 * X[:, 2]) + 0.2 * X[:, 3] + 1.0))


def frame(X):
    """The same columns with names, and two categories, one of them with holes."""
    rng = np.random.default_rng(1)
    made = pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])
    made["town"] = np.array(["Ulm", "Köln", "Bonn"])[rng.integers(0, 3, len(X))]
    made["size"] = [None if i % 7 == 0 else int(i % 4) for i in range(len(X))]
    made["size"] = made["size"].astype(object)
    return made


def mixed(X):
    """Dense and sparse columns in one table."""
    return Table.hstack([X[:, :3], sp.csr_array(np.nan_to_num(X[:, 3:]))])


def texts():
    """Documents, and which of them are about oil."""
    about = [i % 3 == 0 for i in range(45)]
    documents = [
        f"{'Oil prices rose again' if oil else 'The wheat harvest fell'} {i % 5} in month {i % 4}"
        for i, oil in enumerate(about)
    ]
    return documents, np.where(about, "oil", "wheat")


def raw():
    """Rows as people have them: a number, a category, a text, a date; and which are about oil."""
    documents, subject = texts()
    made = pd.DataFrame(
        {
            "amount": [float(i * i % 17) if i % 6 else None for i in range(len(documents))],
            "town": [("Ulm", "Köln", "Bonn")[i % 3] for i in range(len(documents))],
            "body": documents,
            "signed": pd.date_range("2024-01-30", periods=len(documents), freq="9D"),
        }
    )
    return made, np.roll(subject, 1)


FORMS = {
    "dense": lambda X: X,
    "sparse numbers": lambda X: sp.csr_array(np.nan_to_num(X)),
    "presence": lambda X: sp.csr_array((np.nan_to_num(X) > 0.5).astype(float)),
    "categories": frame,
    "mixed": mixed,
}


def categorical(form):
    """Which columns are categories, where types do not say so."""
    return {"categorical_features": ["town", "size"]} if form == "categories" else {}


def regressors():
    """name -> regressor: every kind of loss, of combination and of code."""
    few = {"n_estimators": 3, "max_bins": 6}
    trees = {"n_estimators": 2, "max_bins": 5, "max_depth": 2}
    return {
        "squared": GradientBoostingRegressor(**trees),
        "quantiles": GradientBoostingRegressor(
            loss="quantile", quantiles=[0.1, 0.5, 0.9], learner="real", **few
        ),
        "counts": GradientBoostingRegressor(loss="poisson", **trees),
        "parts": BoostingRegressor(loss=HuberLoss(0.8), **few),
        "median": AdaBoostR2Regressor(**trees),
        "unweighted median": AdaBoostRRegressor(**trees),
        "thresholds": RidgewayRegressor(thresholds=6, learner="real", **few),
        "variance": SquareLevRegressor(**few),
        "cosh": ExpLevRegressor(**few),
        "ranks": RankBoostRanker(**few),
    }


@functools.cache
def samples():
    """name -> (fitted model, rows), of every kind of file: small, for damaging them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)  # so that a warm start has something to do
        return _samples()


def _samples():
    X = numbers()
    documents, subject = texts()
    boost = AdaBoostClassifier(n_estimators=3, max_bins=8)
    margins = {"n_estimators": 3, "max_bins": 6, "tol": 0.01}
    return {
        "columns": (
            AdaBoostClassifier(n_estimators=4, max_bins=8, **categorical("categories")).fit(
                frame(X), two_classes(X)
            ),
            frame(X),
        ),
        "classes": (
            AdaBoostMHClassifier(n_estimators=3, max_bins=6, class_weight="balanced").fit(
                X, classes(X)
            ),
            X,
        ),
        "labels": (AdaBoostMHClassifier(n_estimators=3, max_bins=6).fit(X, labels(X)), X),
        "weighted": (
            AdaBoostAClassifier(n_estimators=3, max_bins=6).fit(
                X, two_classes(X), initial_weight=np.linspace(1, 2, ROWS), cost=np.ones(ROWS)
            ),
            X,
        ),
        "margin": (LPBoostClassifier(nu=0.4, **margins | {"tol": 0.2}).fit(X, two_classes(X)), X),
        "entropy": (ERLPBoostClassifier(nu=0.4, **margins).fit(X, two_classes(X)), X),
        "projected": (SoftBoostClassifier(nu=0.4, **margins).fit(X, two_classes(X)), X),
        "hard": (TotalBoostClassifier(**margins).fit(X, two_classes(X)), X),
        "text": (
            make_pipeline(
                TermVectorizer(ngram_range=(1, 2), max_gap=1, stemmer="porter", max_features=12),
                clone(boost),
            ).fit(documents, subject),
            documents,
        ),
        "rows": (make_pipeline(FrameEncoder(), clone(boost)).fit(*raw()), raw()[0]),
        "costs": (
            CostSensitiveClassifier(boost, Costs(fn=5, fp=1), cv=2).fit(X, two_classes(X)),
            X,
        ),
        "isotonic": (
            CostSensitiveClassifier(boost, calibration="isotonic", cv=2).fit(X, classes(X)),
            X,
        ),
        "threshold": (ThresholdClassifier(boost, cv=2).fit(X, two_classes(X)), X),
        "trees": (
            with_trees(
                AdaBoostClassifier(n_estimators=6, max_bins=5, **categorical("categories")).fit(
                    frame(X), two_classes(X)
                )
            ),
            frame(X),
        ),
        "tree labels": (
            with_trees(AdaBoostMHClassifier(n_estimators=6, max_bins=5).fit(X, labels(X))), X
        ),
        "grown trees": (
            GradientBoostingClassifier(n_estimators=2, max_bins=5, max_depth=2).fit(X, classes(X)),
            X,
        ),
        **{name: (model.fit(X, prices(X)), X) for name, model in regressors().items()},
        "old columns": (old_model("old columns"), frame(X)),
        "old classes": (old_model("old classes"), X),
        "old margin": (old_model("old margin"), X),
    }  # fmt: skip


def old_path(name):
    """The file of version 1 that this sample is."""
    return OLD / f"{OLD_FILES[name]}.udg"


def old_model(name):
    return load(old_path(name))


def target(name):
    """What the booster of this sample was fitted on; None for one that has rows of its own."""
    X = numbers()
    if name in ("text", "rows"):
        return None
    kinds = {
        "classes": classes, "labels": labels, "isotonic": classes, "tree labels": labels,
        "old classes": classes, **dict.fromkeys(regressors(), prices),
    }  # fmt: skip
    return kinds.get(name, two_classes)(X)

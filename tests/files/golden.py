"""Files that stay in the repository, so that later versions of the library are seen to read them.

`python -m tests.files.golden FOLDER` writes them with the present version: once for each number of
the format. They are never written again. Models that were added since are written by their names,
as in `python -m tests.files.golden tests/files/v2 gradient logit`.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone, is_regressor
from sklearn.pipeline import make_pipeline

from tests.files.models import classes, frame, labels, numbers, raw, texts, two_classes
from tests.model.hand_made_trees import with_trees
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    BoostingRegressor,
    Costs,
    CostSensitiveClassifier,
    ERLPBoostClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
    TotalBoostClassifier,
    UnderdogWarning,
)
from underdog.files import load, save
from underdog.frames import FrameEncoder
from underdog.learners import StumpLearner, TreeLearner
from underdog.losses import Exponential, HuberLoss

SHOWN = 8
"""Rows whose answers are kept."""
MORE = 3
"""Rounds by which a loaded model goes on."""
TREES = ("trees", "tree_labels")
"""Models whose rules are made by hand."""
REAL = ("squared", "huber", "quantiles", "counts")
"""Models of real-valued targets."""
GROWN = ("grown", "gradient", "gradient_classes", "logit_trees", *REAL)
"""Models whose trees are grown."""
SINCE = {2: (*TREES, *GROWN, "gentle", "logistic", "parallel", "logit", "logit_classes")}
"""Models that only this and later versions of the format have."""


def problems():
    """name -> (model, rows, y): what the files are of."""
    X = numbers()
    two, documents = two_classes(X), texts()
    small = {"n_estimators": 5, "max_bins": 12}
    boost, six = AdaBoostClassifier(**small), small | {"n_estimators": 6}
    categories = {"categorical_features": ["town", "size"]}
    costs = Costs(fn=5, fp=1)
    words = TermVectorizer(ngram_range=(1, 2), max_gap=1, stemmer="porter")
    presence = sp.csr_array((np.nan_to_num(X) > 0.5).astype(float))
    own = BoostingClassifier(loss=Exponential(beta=2.0), learner=StumpLearner("disc.u"), **small)
    margin = {"nu": 0.4, "tol": 0.1, **small}
    trees = TreeLearner(max_depth=2)
    price = np.abs(np.nan_to_num(X[:, 0])) * 3.0 + np.arange(len(X)) % 5
    quantiles = GradientBoostingRegressor(loss="quantile", quantiles=[0.25, 0.75], **small)
    same, few = np.ones((6, 2)), ["no", "no", "no", "no", "yes", "perhaps"]
    return {
        "categories": (AdaBoostClassifier(**categories, **small), frame(X), two),
        "presence": (AdaBoostClassifier(learner="discrete", **small), presence, two),
        "costs": (AdaBoostAClassifier(costs=costs, **small), X, two),
        "uneven": (AdaUBoostClassifier(beta=3.0, learner="disc.mh", **small), X, two),
        "classes": (AdaBoostMHClassifier(class_weight="balanced", **small), X, classes(X)),
        "labels": (AdaBoostMHClassifier(**small), X, labels(X)),
        "trees": (AdaBoostClassifier(**categories, **six), frame(X), two),
        "tree_labels": (AdaBoostMHClassifier(**six), X, labels(X)),
        "constant": (clone(boost), same, [name == "no" for name in few]),
        "constant_classes": (AdaBoostMHClassifier(**small), same, few),
        "margin": (LPBoostClassifier(**margin), X, two),
        "uneven_margin": (LPUBoostClassifier(**margin | {"nu": 0.5, "beta": 2.0}), X, two),
        "entropy": (ERLPBoostClassifier(**margin), X, two),
        "projected": (SoftBoostClassifier(**margin), X, two),
        "hard": (TotalBoostClassifier(tol=0.1, **small), X, two),
        "constant_margin": (LPBoostClassifier(**margin), same, [name == "no" for name in few]),
        "composed": (own, X, two),
        "sigmoid": (CostSensitiveClassifier(boost, costs, cv=2), X, two),
        "isotonic": (
            CostSensitiveClassifier(boost, calibration="isotonic", cv=2), X, classes(X)
        ),
        "threshold": (ThresholdClassifier(boost, ("recall", 0.9), cv=2), X, two),
        "gentle": (GentleAdaBoostClassifier(**small), X, two),
        "logistic": (LogisticAdaBoostClassifier(**categories, **small), frame(X), two),
        "parallel": (LogisticAdaBoostClassifier(update="parallel", **small), X, two),
        "logit": (LogitBoostClassifier(**categories, **small), frame(X), two),
        "logit_classes": (LogitBoostClassifier(**small), X, classes(X)),
        "logit_trees": (LogitBoostClassifier(learner=trees, **small), X, two),
        "gradient": (GradientBoostingClassifier(**categories, **small), frame(X), two),
        "gradient_classes": (GradientBoostingClassifier(max_depth=2, **small), X, classes(X)),
        "squared": (GradientBoostingRegressor(**categories, **small), frame(X), 1e6 * price),
        "huber": (BoostingRegressor(loss=HuberLoss(0.8), learner="real", **small), X, price),
        "quantiles": (quantiles, X, price),
        "counts": (GradientBoostingRegressor(loss="poisson", **small), X, np.rint(price)),
        "grown": (AdaBoostClassifier(learner=trees, **categories, **small), frame(X), two),
        "text": (make_pipeline(words, clone(boost)), *documents),
        "text_threshold": (ThresholdClassifier(make_pipeline(words, boost), cv=2), *documents),
        "rows": (make_pipeline(FrameEncoder(), clone(boost)), *raw()),
    }  # fmt: skip


def answers(model, rows):
    """What a model says, as JSON can keep it: floats to the last bit."""
    said = {} if is_regressor(model) else {"predict": model.predict(rows).tolist()}
    numbers_of = ["predict"] if is_regressor(model) else ["decision_function", "predict_proba"]
    for method in numbers_of:
        if hasattr(model, method):
            scores = np.asarray(getattr(model, method)(rows), dtype=np.float64)
            digits = [score.hex() for score in scores.ravel().tolist()]
            said[method] = {"shape": scores.shape, "hex": digits}
    if hasattr(model, "describe"):
        said["describe"] = model.describe(None)
    return json.loads(json.dumps(said))


def going_on(model, rows, y):
    """The scores of a booster after more rounds."""
    model.set_params(warm_start=True, n_estimators=model.n_iter_ + MORE).fit(rows, y)
    said = answers(model, rows[:SHOWN])
    return said["predict" if is_regressor(model) else "decision_function"]


def fitted(name):
    """(model, rows, y)."""
    model, rows, y = problems()[name]
    model.fit(rows, y)
    return with_trees(model) if name in TREES else model, rows, y


def main(folder, names):
    kept = folder / "going_on.json"
    later = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for name in names:
        model, rows, y = fitted(name)
        said, path = answers(model, rows[:SHOWN]), folder / f"{name}.udg"
        if name in (*TREES, *GROWN):
            del said["describe"]  # the words for trees are not kept
        save(model, path, notes={"name": name})
        path.with_suffix(".json").write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        if hasattr(model, "warm_start"):
            later[name] = going_on(load(path), rows, y)
    kept.write_text(json.dumps(later, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore", UnderdogWarning)
    main(Path(sys.argv[1]), sys.argv[2:] or problems())

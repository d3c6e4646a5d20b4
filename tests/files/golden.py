"""Files that stay in the repository, so that later versions of the library are seen to read them.

`python -m tests.files.golden FOLDER` writes them with the present version: once for each number of
the format. They are never written again.
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from tests.files.models import classes, frame, labels, numbers, raw, texts, two_classes
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
    Costs,
    CostSensitiveClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
)
from underdog.files import save
from underdog.frames import FrameEncoder
from underdog.learners import StumpLearner
from underdog.losses import Exponential

SHOWN = 8
"""Rows whose answers are kept."""


def rows_of(name):
    """What the model of this name is asked about."""
    X = numbers()
    kinds = {
        "categories": frame(X),
        "presence": sp.csr_array((np.nan_to_num(X) > 0.5).astype(float)),
        "text": texts()[0],
        "text_threshold": texts()[0],
        "rows": raw()[0],
    }
    return kinds.get(name, X)[:SHOWN]


def models():
    """Fitted models by name."""
    X = numbers()
    two, documents = two_classes(X), texts()
    small = {"n_estimators": 5, "max_bins": 12}
    boost = AdaBoostClassifier(**small)
    costs = Costs(fn=5, fp=1)
    words = TermVectorizer(ngram_range=(1, 2), max_gap=1, stemmer="porter")
    presence = sp.csr_array((np.nan_to_num(X) > 0.5).astype(float))
    own = BoostingClassifier(loss=Exponential(beta=2.0), learner=StumpLearner("disc.u"), **small)
    return {
        "categories": AdaBoostClassifier(categorical_features=["town", "size"], **small).fit(
            frame(X), two
        ),
        "presence": AdaBoostClassifier(learner="discrete", **small).fit(presence, two),
        "costs": AdaBoostAClassifier(costs=costs, **small).fit(X, two),
        "classes": AdaBoostMHClassifier(class_weight="balanced", **small).fit(X, classes(X)),
        "labels": AdaBoostMHClassifier(**small).fit(X, labels(X)),
        "margin": LPBoostClassifier(nu=0.4, tol=0.1, **small).fit(X, two),
        "uneven_margin": LPUBoostClassifier(nu=0.5, beta=2.0, tol=0.1, **small).fit(X, two),
        "entropy": ERLPBoostClassifier(nu=0.4, tol=0.1, **small).fit(X, two),
        "composed": own.fit(X, two),
        "sigmoid": CostSensitiveClassifier(boost, costs, cv=2).fit(X, two),
        "isotonic": CostSensitiveClassifier(boost, calibration="isotonic", cv=2).fit(X, classes(X)),
        "threshold": ThresholdClassifier(boost, ("recall", 0.9), cv=2).fit(X, two),
        "text": make_pipeline(words, clone(boost)).fit(*documents),
        "text_threshold": ThresholdClassifier(make_pipeline(words, boost), cv=2).fit(*documents),
        "rows": make_pipeline(FrameEncoder(), clone(boost)).fit(*raw()),
    }


def answers(model, rows):
    """What a model says, as JSON can keep it: floats to the last bit."""
    said = {"predict": model.predict(rows).tolist()}
    for method in ("decision_function", "predict_proba"):
        if hasattr(model, method):
            scores = np.asarray(getattr(model, method)(rows), dtype=np.float64)
            digits = [score.hex() for score in scores.ravel().tolist()]
            said[method] = {"shape": scores.shape, "hex": digits}
    if hasattr(model, "describe"):
        said["describe"] = model.describe(None)
    return json.loads(json.dumps(said))


def main(folder):
    for name, model in models().items():
        save(model, folder / f"{name}.udg", notes={"name": name})
        said = json.dumps(answers(model, rows_of(name)), indent=1)
        (folder / f"{name}.json").write_text(said + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

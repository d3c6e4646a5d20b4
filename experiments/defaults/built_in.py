"""Small tasks from data that come with libraries: for the short form and the tests."""

from functools import partial

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from experiments.costs.data import BUILT_IN
from experiments.defaults.kinds import (
    BINARY,
    MULTICLASS,
    MULTILABEL,
    NUMBER,
    QUANTILES,
    Entry,
    Loaded,
)
from experiments.defaults.numbers import diabetes
from underdog.datasets import load_sms_spam

MESSAGES = 400


def _wine(name: str) -> Loaded:
    X, y = BUILT_IN[name]()
    return pd.DataFrame(X).rename(columns=str), y.astype(np.int64)


def _iris() -> Loaded:
    X, y = load_iris(return_X_y=True, as_frame=True)
    sizes = pd.cut(X.iloc[:, 0], 3, labels=["small", "medium", "large"])
    return X.assign(size=sizes.cat.as_unordered()), y.to_numpy(np.int64)


def _two_labels() -> Loaded:
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, np.column_stack([y > 0, X.iloc[:, 0] > 6.0]).astype(np.int64)


def _spam() -> Loaded:
    messages, labels = load_sms_spam()
    frame = pd.DataFrame({"text": messages[:MESSAGES]})
    return frame, (labels[:MESSAGES] == "spam").astype(np.int64)


ENTRIES = {
    "short/wine": Entry(BINARY, "new-thyroid", partial(_wine, "third wine")),
    "short/cancer": Entry(BINARY, "iris", partial(_wine, "rare cancer")),
    "short/iris": Entry(MULTICLASS, "iris", _iris),
    "short/labels": Entry(MULTILABEL, "iris", _two_labels),
    "text/short": Entry(BINARY, "sms", _spam),
    "short/diabetes": Entry(NUMBER, "diabetes", diabetes),
    "short/quantiles": Entry(QUANTILES, "diabetes", diabetes),
}

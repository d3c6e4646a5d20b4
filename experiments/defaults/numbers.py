"""Tables with a number to predict: its mean, and three of its quantiles."""

import zipfile
from collections.abc import Callable
from functools import partial
from io import BytesIO

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, load_svmlight_files

from benchmarks.corpora import source
from experiments.defaults.kinds import NUMBER, QUANTILES, Entry, Loaded, sample, typed

MOST = 10_000
"""Rows."""
SETS = {
    "california": ("regression/california_housing", "medianHouseValue"),
    "boston": ("regression/boston_housing", "class"),
    "concrete": ("regression/concrete", "strength"),
    "german": ("uci/german", "credit_amount"),
    "adult": ("big/adult", "age"),
}
"""File and target; the last two have categories."""


def table(name: str) -> Loaded:
    """A table and its target."""
    file, target = SETS[name]
    frame = pd.read_csv(source(f"{file}.csv.gz")).drop(columns="split", errors="ignore")
    frame = frame.iloc[sample(len(frame), MOST)].reset_index(drop=True)
    y = frame.pop(target).to_numpy(np.float64)
    return typed(frame), y


def diabetes() -> Loaded:
    """The set that comes with scikit-learn."""
    return load_diabetes(return_X_y=True, as_frame=True)[0], load_diabetes().target


def relevance() -> Loaded:
    """How well documents answer queries, from 0 to 4."""
    with zipfile.ZipFile(source("ranking/lightgbm_lambdarank.zip")) as files:
        parts = [BytesIO(files.read(f"rank.{part}")) for part in ("train", "test")]
        X, y, X_more, y_more = load_svmlight_files(parts)
    rows = np.vstack([X.toarray(), X_more.toarray()])
    return pd.DataFrame(rows).rename(columns=str), np.concatenate([y, y_more])


LOADERS: dict[str, Callable[[], Loaded]] = {
    **{name: partial(table, name) for name in SETS},
    "diabetes": diabetes,
    "ranking": relevance,
}
ENTRIES = {
    **{f"regression/{name}": Entry(NUMBER, name, load) for name, load in LOADERS.items()},
    **{f"quantiles/{name}": Entry(QUANTILES, name, load) for name, load in LOADERS.items()},
}

"""The imbalanced sets, with the rare class as 1, and the halves that they are cut into."""

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold

from benchmarks.corpora import source

KEEL = "imbalanced/keel_imbalanced_shared.zip"
SINGLE = {"oil-spill": "oil-spill", "mammography": "mammography", "ecoli": "z27_ecoli"}
"""Name -> file."""
REPEATED = {"ecoli": "ecoli3"}
"""A set that is another one with its rows in another order: it counts once in tests over sets."""
IDENTIFIER = {"oil-spill": "x1"}
"""A column that numbers the images and tells nothing about new ones: left out."""
QUICK = ("iris0", "glass-0-4_vs_5")
REPETITIONS = 3
"""How often each set is cut in two; with more, only the new cuts are computed."""

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class DataSet:
    """Numbers and labels; 1 is the rare class."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int8]

    @property
    def positives(self) -> int:
        """Examples of the rare class."""
        return int(self.y.sum())

    @property
    def ratio(self) -> float:
        """Imbalance ratio: examples of the frequent class for each of the rare one."""
        return (len(self.y) - self.positives) / self.positives

    @property
    def origin(self) -> str:
        """What was measured: many sets are the same examples with other classes."""
        return self.name.rstrip("0123456789").split("-0")[0]

    def halves(self, repetition: int) -> Iterator[tuple[Rows, Rows]]:
        """Rows to learn from and to judge by, and the other way round, of one stratified cut."""
        cut = StratifiedKFold(2, shuffle=True, random_state=repetition)
        return cut.split(self.X, self.y)  # type: ignore[no-any-return]


def archive() -> list[str]:
    """The names of all sets, those with the fewest rows first. Ends with a message if not there."""
    with zipfile.ZipFile(source(KEEL)) as sets:
        names = [name.removesuffix(".csv") for name in sets.namelist() if name != "SUMMARY.csv"]
    return sorted([*names, *SINGLE], key=lambda name: (len(load(name).y), name))


@cache
def load(name: str) -> DataSet:
    """A set of the archive, or one of the two that are built in."""
    if name in BUILT_IN:
        X, y = BUILT_IN[name]()
        return DataSet(name, X, y)
    if name in SINGLE:
        frame = pd.read_csv(source(f"imbalanced/{SINGLE[name]}.csv.gz"))
    else:
        with zipfile.ZipFile(source(KEEL)) as sets, sets.open(f"{name}.csv") as file:
            frame = pd.read_csv(file)
    target = frame.pop("target")
    if name in IDENTIFIER:
        frame = frame.drop(columns=IDENTIFIER[name])
    rare = target.value_counts().idxmin()
    return DataSet(name, frame.to_numpy(np.float64), (target == rare).to_numpy(np.int8))


def fingerprint(names: list[str], settings: str) -> str:
    """Of the numbers in these sets and of how the models are set."""
    digest = hashlib.sha256(settings.encode())
    for name in names:
        digest.update(name.encode() + load(name).X.tobytes() + load(name).y.tobytes())
    return digest.hexdigest()[:12]


def _rare_cancer() -> tuple[Any, Any]:
    X, y = load_breast_cancer(return_X_y=True)
    malignant, benign = np.flatnonzero(y == 0)[:20], np.flatnonzero(y == 1)[:120]
    rows = np.concatenate([malignant, benign])
    return X[rows, :6], (y[rows] == 0).astype(np.int8)


def _rare_wine() -> tuple[Any, Any]:
    X, y = load_wine(return_X_y=True)
    return X[:, :6], (y == 2).astype(np.int8)


BUILT_IN = {"rare cancer": _rare_cancer, "third wine": _rare_wine}
"""Cut from data that scikit-learn brings: for the short form where the archive is not there."""

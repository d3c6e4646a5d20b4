"""What the models are judged on: tasks, the sources that they are cut from, and their folds.

A source is an original data set. Many tasks are cut from one, so sources are counted, not tasks.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from experiments.defaults import built_in, numbers, tables, texts
from experiments.defaults.kinds import BINARY, MULTICLASS, NUMBER, QUANTILES, Entry

Rows = NDArray[np.intp]

FOLDS = 5
DEVELOPMENT, CHECK = "development", "check"
HALVES = (DEVELOPMENT, CHECK)
FAMILIES = {"tables": "Tables", "text": "Text", "regression": "Regression"}

PAIRS = {
    "tables": (
        ("glass", "ecoli"),
        ("new-thyroid", "iris"),
        ("haberman", "pima"),
        ("wisconsin", "hepatitis"),
        ("vehicle", "vowel"),
        ("mammography", "oil-spill"),
        ("ionosphere", "higgs"),
        ("german", "adult"),
        ("labor", "votes"),
        ("kr-vs-kp", "spambase"),
        ("audiology", "soybean"),
        ("fars", "letter"),
        ("emotions", "medical"),
    ),
    "text": (("reuters", "wordnet"), ("atis", "trec"), ("", "sms")),
    "regression": (
        ("california", "boston"),
        ("diabetes", "concrete"),
        ("german", "adult"),
        ("", "ranking"),
    ),
}
"""Sources on which rules are chosen, each beside a similar one on which they are checked."""


@dataclass(frozen=True)
class Task:
    """Rows and what to predict of them.

    Attributes
    ----------
    name : str
        Group and name: "imbalanced/glass0".
    kind : str
        BINARY (1 is the rare class), MULTICLASS (0, 1, ...), MULTILABEL (an indicator matrix),
        NUMBER or QUANTILES (of a number).
    source : str
        The original data set.
    """

    name: str
    kind: str
    source: str

    @property
    def group(self) -> str:
        """Of the name: the folder of the data."""
        return self.name.split("/")[0]

    @property
    def family(self) -> str:
        """One of FAMILIES; means and ranks are of one family."""
        if self.kind in (NUMBER, QUANTILES):
            return "regression"
        return "text" if self.group == "text" else "tables"

    @property
    def half(self) -> str:
        """DEVELOPMENT or CHECK, by the source."""
        firsts = [first for first, _ in PAIRS[self.family]]
        return DEVELOPMENT if self.source in firsts else CHECK

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802
        """Columns: numbers (float64), categories ("category"), or one column "text"."""
        return _load(self.name)[0]

    @property
    def y(self) -> NDArray[Any]:
        """What to predict."""
        return _load(self.name)[1]

    def folds(self) -> list[tuple[Rows, Rows]]:
        """Rows to learn from and rows to judge by; stratified where there are classes."""
        if self.kind in (BINARY, MULTICLASS):
            cut: Any = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        else:
            cut = KFold(FOLDS, shuffle=True, random_state=0)
        return list(cut.split(self.X, self.y))

    def fingerprint(self) -> bytes:
        """Changes with every value."""
        digest = hashlib.sha256(self.name.encode())
        digest.update(pd.util.hash_pandas_object(self.X, index=False).to_numpy().tobytes())
        digest.update(np.ascontiguousarray(self.y).tobytes())
        return digest.digest()


def _collect(*entries: dict[str, Entry]) -> dict[str, Task]:
    return {
        name: Task(name, entry.kind, entry.source)
        for group in entries
        for name, entry in group.items()
    }


TASKS = _collect(tables.ENTRIES, texts.ENTRIES, numbers.ENTRIES)
"""By name, in the order in which they are computed."""
SHORT = _collect(built_in.ENTRIES)
"""From data that come with libraries: for the short form and the tests."""
GROUPS = tuple(dict.fromkeys(task.group for task in TASKS.values()))


def find(
    names: Iterable[str] = (), *, half: str | None = None, family: str | None = None
) -> list[Task]:
    """Tasks by group ("imbalanced"), by name ("imbalanced/glass0") or all; of one half or family.

    Examples
    --------
    >>> [task.name for task in find(["uci"], half="check")][:2]
    ['uci/iris', 'uci/hepatitis']
    """
    wanted = list(names)
    unknown = [name for name in wanted if name not in GROUPS and name not in TASKS]
    if unknown:
        raise SystemExit(f"no sets are called {unknown[0]!r}: give one of {', '.join(GROUPS)}.")
    return [
        task
        for task in TASKS.values()
        if (not wanted or task.group in wanted or task.name in wanted)
        and half in (None, task.half)
        and family in (None, task.family)
    ]


def fingerprint(tasks: Sequence[Task]) -> str:
    """Of all their values."""
    digest = hashlib.sha256(b"".join(task.fingerprint() for task in tasks))
    return digest.hexdigest()[:12]


@lru_cache(maxsize=8)
def _load(name: str) -> tuple[pd.DataFrame, NDArray[Any]]:
    for module in (tables, texts, numbers, built_in):
        if name in module.ENTRIES:
            return module.ENTRIES[name].load()
    raise KeyError(name)

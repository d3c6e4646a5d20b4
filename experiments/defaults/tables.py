"""Tables with classes: imbalanced, UCI, multilabel and big ones."""

import zipfile
from functools import partial
from io import StringIO

import numpy as np
import pandas as pd

from benchmarks.corpora import source
from experiments.costs import data as imbalanced
from experiments.defaults.kinds import (
    BINARY,
    MULTICLASS,
    MULTILABEL,
    Entry,
    Loaded,
    codes,
    rare_first,
    sample,
    typed,
)

MOST, MOST_OF_MANY = 20_000, 5_000
"""Rows of a big table with two classes; with more."""
FEWEST = 5
"""Rows of a class; rows of rarer ones are left out."""
FEWEST_LABELS = 30
"""Rows with a label; labels of fewer rows are left out."""
ONE_SOURCE = {"breast-cancer-w": "wisconsin", "votes1": "votes", "house-votes-84": "votes"}
KEEL = (
    "ecoli-0-1-3-7_vs_2-6", "ecoli-0-1-4-6_vs_5", "ecoli-0-1-4-7_vs_2-3-5-6",
    "ecoli-0-1-4-7_vs_5-6", "ecoli-0-1_vs_2-3-5", "ecoli-0-1_vs_5", "ecoli-0-2-3-4_vs_5",
    "ecoli-0-2-6-7_vs_3-5", "ecoli-0-3-4-6_vs_5", "ecoli-0-3-4-7_vs_5-6", "ecoli-0-3-4_vs_5",
    "ecoli-0-4-6_vs_5", "ecoli-0-6-7_vs_3-5", "ecoli-0-6-7_vs_5", "ecoli-0_vs_1", "ecoli1",
    "ecoli2", "ecoli3", "ecoli4", "glass-0-1-2-3_vs_4-5-6", "glass-0-1-4-6_vs_2",
    "glass-0-1-5_vs_2", "glass-0-1-6_vs_2", "glass-0-1-6_vs_5", "glass-0-4_vs_5",
    "glass-0-6_vs_5", "glass0", "glass1", "glass2", "glass4", "glass5", "glass6", "haberman",
    "iris0", "new-thyroid1", "new-thyroid2", "pima", "vehicle0", "vehicle1", "vehicle2",
    "vehicle3", "vowel0", "wisconsin", "oil-spill", "mammography",
)  # fmt: skip
"""All of the experiment on costs but the one that is another with its rows in another order."""
UCI = {
    "iris": MULTICLASS,
    "labor": BINARY,
    "hepatitis": BINARY,
    "glass": MULTICLASS,
    "audiology": MULTICLASS,
    "ionosphere": BINARY,
    "house-votes-84": BINARY,
    "votes1": BINARY,
    "breast-cancer-w": BINARY,
    "vehicle": MULTICLASS,
    "vowel": MULTICLASS,
    "german": BINARY,
    "kr-vs-kp": BINARY,
    "soybean-small": MULTICLASS,
    "spambase": BINARY,
    "letter": MULTICLASS,
}
"""Without the Pima table, which is that of the imbalanced ones."""
UNUSED = {"split", "Speaker Number", "Sex"}
"""The published split, and who spoke the vowels."""
RARE = 0.02
"""The share of the rare class where others of its rows are left out."""


def imbalanced_table(name: str) -> Loaded:
    """A table of the experiment on costs."""
    found = imbalanced.load(name)
    return pd.DataFrame(found.X).rename(columns=str), found.y.astype(np.int64)


def uci_table(name: str, letter: str = "") -> Loaded:
    """A table of UCI; of `letter` one against all others."""
    frame = pd.read_csv(source(f"uci/{name}.csv.gz"))
    frame = frame.drop(columns=UNUSED & set(frame.columns))
    target = frame.pop(frame.columns[-1])
    if name == "letter":
        rows = sample(len(frame), MOST_OF_MANY)
        frame, target = frame.iloc[rows], target.iloc[rows]
    if letter:
        return typed(frame), (target == letter).to_numpy(np.int64)
    if UCI[name] == BINARY:
        return typed(frame), rare_first(target)
    return _frequent(frame, target)


def big_table(name: str, target: str, positive: str = "", thin: bool = False) -> Loaded:
    """All classes, or one against the others, of which some rows can be left out (thin)."""
    frame = pd.read_csv(source(f"big/{name}.csv.gz"))
    frame = frame.drop(columns=UNUSED & set(frame.columns) - {"Sex"})
    most = MOST if positive else MOST_OF_MANY
    frame = frame.iloc[sample(len(frame), most)].reset_index(drop=True)
    labels = frame.pop(target)
    if not positive:
        return _frequent(frame, labels)
    y = (labels.astype(str) == positive).to_numpy(np.int64)
    if thin:
        keep = np.flatnonzero(y == 1)[: round(RARE * len(y))]
        rows = np.sort(np.concatenate([np.flatnonzero(y == 0), keep]))
        frame, y = frame.iloc[rows], y[rows]
    return typed(frame), y


def multilabel_table(name: str) -> Loaded:
    """All rows of a table with several labels; its labels are the last columns."""
    with zipfile.ZipFile(source("multilabel/mulan_emotions_medical.zip")) as files:
        count = files.read(f"{name}.xml").decode().count("<label ")
        parts = [_arff(files.read(f"{name}-{part}.arff").decode()) for part in ("train", "test")]
    rows = pd.concat(parts, ignore_index=True)
    Y = rows.iloc[:, -count:].to_numpy(np.int64)
    return rows.iloc[:, :-count], Y[:, Y.sum(axis=0) >= FEWEST_LABELS]


def _frequent(frame: pd.DataFrame, target: pd.Series) -> Loaded:
    """Rows of classes that every fold can have."""
    often = target.map(target.value_counts()) >= FEWEST
    return typed(frame[often]), codes(target[often])


def _arff(text: str) -> pd.DataFrame:
    """Numbers, all of a line or only those that are not 0 as "{column value, ...}"."""
    head, data = text.split("@data")
    names = [line.split()[1] for line in head.splitlines() if line.startswith("@attribute")]
    lines = data.split("\n")
    if not any(line.startswith("{") for line in lines):
        return pd.read_csv(StringIO(data), names=names, dtype=np.float64)
    stored = [line.strip(" {}\r") for line in lines if line.startswith("{")]
    values = np.zeros((len(stored), len(names)))
    for row, line in enumerate(stored):
        for pair in line.split(","):
            column, value = pair.split()
            values[row, int(column)] = float(value)
    return pd.DataFrame(values, columns=names)


ENTRIES = {
    **{
        f"imbalanced/{name}": Entry(
            BINARY, name.rstrip("0123456789").split("-0")[0], partial(imbalanced_table, name)
        )
        for name in KEEL
    },
    **{
        f"uci/{name}": Entry(
            kind, ONE_SOURCE.get(name, name.removesuffix("-small")), partial(uci_table, name)
        )
        for name, kind in UCI.items()
    },
    "uci/letter-h": Entry(BINARY, "letter", partial(uci_table, "letter", "H")),
    "multilabel/emotions": Entry(MULTILABEL, "emotions", partial(multilabel_table, "emotions")),
    "multilabel/medical": Entry(MULTILABEL, "medical", partial(multilabel_table, "medical")),
    "big/higgs": Entry(BINARY, "higgs", partial(big_table, "higgs_sample", "target", "0")),
    "big/adult": Entry(BINARY, "adult", partial(big_table, "adult", "income", ">50K")),
    "big/adult-rare": Entry(BINARY, "adult", partial(big_table, "adult", "income", ">50K", True)),
    "big/fars-unknown": Entry(
        BINARY, "fars", partial(big_table, "fars", "INJURY_SEVERITY", "Unknown")
    ),
    "big/fars": Entry(MULTICLASS, "fars", partial(big_table, "fars", "INJURY_SEVERITY")),
}

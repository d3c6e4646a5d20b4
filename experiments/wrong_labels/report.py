"""README.md, from the cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from experiments.tables import table
from experiments.wrong_labels.data import MOST, SHARES
from experiments.wrong_labels.digits import DEPTH
from experiments.wrong_labels.digits import ROUNDS as DIGITS
from experiments.wrong_labels.outliers import LOOKED
from experiments.wrong_labels.outliers import SEEDS as CUTS
from experiments.wrong_labels.runs import (
    EDGES,
    FOLDS,
    LINEAR,
    MODELS,
    MORE,
    QUADRATIC,
    ROUNDS,
    SOFT,
    TARGETS,
)

Floats = NDArray[np.float64]
BASE = "AdaBoost"
TABLED = 0.1
"""The share of flipped labels whose precision and recall are shown for every number."""
ROUNDS_OF_DIGITS = ", ".join(map(str, DIGITS[:-1])) + f" and {DIGITS[-1]}"
CLAIMS = {
    "boosted C4.5 suffers more from flipped labels than bagged C4.5 (Dietterich 2000)": (
        "bagged C4.5-like", "AdaBoost, C4.5-like",
    ),
    "boosted stumps suffer more than bagged C4.5": ("bagged C4.5-like", BASE),
    "boosted stumps suffer more than a random forest": ("random forest", BASE),
    "Gentle AdaBoost suffers less than AdaBoost (Friedman, Hastie and Tibshirani 2000)": (
        "Gentle", "AdaBoost, real",
    ),
    "logistic AdaBoost suffers less than AdaBoost": ("logistic", "AdaBoost, real"),
    "AdaBoost_Reg suffers less than AdaBoost (Rätsch, Onoda and Müller 2001)": (
        "AdaBoost_Reg", BASE,
    ),
    "LPReg suffers less than AdaBoost (the same)": ("LPReg", BASE),
    "QPReg suffers less than AdaBoost (the same)": ("QPReg", BASE),
    "BrownBoost suffers less than AdaBoost (Freund 2001)": ("BrownBoost", BASE),
    "RobustBoost suffers less than AdaBoost (Freund 2009)": ("RobustBoost", BASE),
}  # fmt: skip
"""Claim -> the model that should have the lower error, and the other one."""


class Errors:
    """Test errors of each model by [set, share, cut]; only cuts that are there for all of them."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        parts = [name.split("/") for name in cells]
        self.sets = list(dict.fromkeys(part[0] for part in parts))
        self._cells = cells
        cuts = sorted({int(part[2]) for part in parts})
        self.cuts = {model: [cut for cut in cuts if self._has(model, cut)] for model in MODELS}

    def _cell(self, model: str, one: str, share: float, cut: int) -> str:
        return f"{one}/{share}/{cut}" + (f"/{model}" if model in MORE else "")

    def _has(self, model: str, cut: int) -> bool:
        names = (self._cell(model, one, share, cut) for one in self.sets for share in SHARES)
        return all(name in self._cells for name in names)

    def by_set(self, model: str, cuts: Sequence[int] | None = None) -> Floats:
        """[set, share] means over the cuts."""
        cuts = self.cuts[model] if cuts is None else cuts
        found = [
            [[self._cells[self._cell(model, one, share, cut)]["errors"][model] for cut in cuts]
             for share in SHARES]
            for one in self.sets
        ]  # fmt: skip
        result: Floats = np.mean(found, axis=2)
        return result

    def difference(self, model: str, other: str) -> Floats:
        """[set, share] the error of a model minus that of another one, on the same cuts."""
        both = [cut for cut in self.cuts[model] if cut in self.cuts[other]]
        return self.by_set(model, both) - self.by_set(other, both)


def interval(differences: Floats) -> tuple[float, float]:
    """Mean over the sets, and half of the width of its 95 % interval (Student's t)."""
    n = len(differences)
    spread = float(differences.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return float(differences.mean()), float(student.ppf(0.975, max(n - 1, 1))) * spread


def with_interval(differences: Floats) -> str:
    """Of differences between shares, in percent."""
    mean, half = interval(100.0 * differences)
    return f"{mean:+.1f} ± {half:.1f}"


def verdict(differences: Floats) -> str:
    """By the interval."""
    mean, half = interval(differences)
    if not abs(mean) > half:
        return "not decided"
    return "holds" if mean < 0.0 else "does not hold"


def mean_of(cells: Mapping[str, Any], part: str, title: str, share: float) -> Floats:
    """Mean over the cells of one share."""
    found = [cell[part][title] for name, cell in cells.items() if name.split("/")[1] == str(share)]
    result: Floats = np.mean(found, axis=0)
    return result


def detectors(cells: Mapping[str, Any]) -> str:
    """Precision and recall by how many are looked at, and of the detectors that say how many."""
    first = next(iter(cells.values()))
    rows = []
    for title in first["curves"]:
        pairs = mean_of(cells, "curves", title, TABLED)
        rows.append([title, *(f"{precision:.2f} / {recall:.2f}" for precision, recall in pairs)])
    by_share = [
        [title, *(f"{mean_of(cells, 'curves', title, share)[LOOKED.index(1.0)][0]:.2f}"
                  for share in SHARES[1:])]
        for title in first["curves"]
    ]  # fmt: skip
    own = [
        [title, *("{:.2f} / {:.2f} ({:.1f})".format(*mean_of(cells, "counts", title, share))
                  for share in SHARES[1:])]
        for title in first["counts"]
    ]  # fmt: skip
    shares = [f"{share:.0%}" for share in SHARES[1:]]
    return "\n\n".join([
        f"Precision / recall at {TABLED:.0%} flipped labels, by how many examples are looked at, "
        "as a multiple of the number of flipped labels:",
        table(["detector", *(f"{part:g}" for part in LOOKED)], rows),
        "The share of flipped labels among as many examples as labels were flipped, where "
        "precision and recall are the same:",
        table(["detector", *shares], by_share),
        "Precision / recall of the detectors that say how many to look at, and how many they list "
        'for each flipped label (in brackets). "left out" is `suspects(model, X, y)`; "cleanlab" '
        "is its `find_label_issues` with the same probabilities:",
        table(["detector", *shares], own),
    ])  # fmt: skip


def write(folder: Path, cells: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """README.md."""
    errors = Errors(cells)
    shown = [model for model in MODELS if errors.cuts[model]]
    head = ["model", *(f"{share:.0%}" for share in SHARES)]
    means = [
        [m, *(f"{100 * e:.1f}" for e in errors.by_set(m).mean(axis=0)), str(len(errors.cuts[m]))]
        for m in shown
    ]
    against = [
        [m, *(with_interval(own) for own in errors.difference(m, BASE).T)]
        for m in shown
        if m != BASE
    ]
    rows = []
    for claim, (better, worse) in CLAIMS.items():
        if not errors.cuts[better]:
            continue
        apart = errors.difference(better, worse)
        level, rise = apart[:, 3], apart[:, 3] - apart[:, 0]
        lower = f"{int((level < 0.0).sum())} of {len(level)}"
        both = with_interval(level), verdict(level), lower, with_interval(rise), verdict(rise)
        rows.append([claim, *both])
    lacking = [model for model in MODELS if model not in shown]
    absent = f"No cut has all cells of {', '.join(lacking)} yet.\n" if lacking else ""
    text = f"""# Labels are wrong

Training labels of {len(errors.sets)} sets ({", ".join(errors.sets)})
were flipped on purpose, the same share in both classes; test labels were left as they are. There
are up to {len(errors.cuts[BASE])} random cuts of each set, with two thirds of the rows, at most
{MOST:,}, to learn from; two models are compared on the cuts that both have. All boosters have
{ROUNDS} rounds, of stumps if nothing else is said. These are chosen by {FOLDS} folds of the flipped
labels: `target_error` of BrownBoost and RobustBoost among {TARGETS["target_error"]}
("BrownBoost, 0.1" has the default), `C` of AdaBoost_Reg among {SOFT["C"]}, `nu` of LPReg
among {LINEAR["nu"]}, `C` of QPReg among {QUADRATIC["C"]}, `gamma` of
boosting by majority among {EDGES["gamma"]}. "bagged C4.5-like" is the vote of {ROUNDS} trees
of the library's C4.5-like learner, each grown on rows drawn with replacement; "AdaBoost, C4.5-like"
boosts such trees. They are not C4.5 itself: all tests have two sides, and missing values are not
divided.
{absent}`python -m experiments.wrong_labels` computes what is missing and writes this page.

## Test error in percent, mean over the sets

{table([*head, "cuts"], means)}

## Minus that of AdaBoost, with 95 % intervals over the sets

{table(head, against)}

## Claims, at 20 % flipped labels

"difference" is the error of the first model minus that of the second; "rise" the same of the
increase from 0 % to 20 %. Below 0 the claim holds. The intervals are over the sets.

{table(["claim", "difference", "verdict", "sets where it is below 0", "rise", "verdict"], rows)}

## Finding the flipped labels

"weight" lists the heaviest examples of the fitted model (`hardest`), "left out" those whose given
label has the lowest out-of-fold probability (`suspects`). Means over the sets and {CUTS} cuts.

{detectors(found)}

## Digits

The heaviest digits of AdaBoost.M1 with trees of depth {DEPTH} after {ROUNDS_OF_DIGITS} rounds,
after Freund and Schapire (1996). d:l1/w1,l2/w2 are the label, the two classes with most votes, and
their shares of the votes. No label was changed: after 4 rounds the heaviest are mistakes, later
they are digits that are hard to tell apart.

![the heaviest digits](digits.png)
"""
    (folder / "README.md").write_text(text, encoding="utf-8")

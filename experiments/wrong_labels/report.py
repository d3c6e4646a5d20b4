"""README.md, from the cells."""

from collections.abc import Mapping
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
from experiments.wrong_labels.runs import FOLDS, MODELS, ROUNDS, SOFT, TARGETS

Floats = NDArray[np.float64]
BASE = "AdaBoost"
TABLED = 0.1
"""The share of flipped labels whose precision and recall are shown for every number."""
ROUNDS_OF_DIGITS = ", ".join(map(str, DIGITS[:-1])) + f" and {DIGITS[-1]}"
CLAIMS = {
    "AdaBoost suffers more from flipped labels than a random forest (after Dietterich 2000)": (
        "random forest", BASE,
    ),
    "Gentle AdaBoost suffers less than AdaBoost (Friedman, Hastie and Tibshirani 2000)": (
        "Gentle", "AdaBoost, real",
    ),
    "logistic AdaBoost suffers less than AdaBoost": ("logistic", "AdaBoost, real"),
    "AdaBoost_Reg suffers less than AdaBoost (Rätsch, Onoda and Müller 2001)": (
        "AdaBoost_Reg", BASE,
    ),
    "BrownBoost suffers less than AdaBoost (Freund 2001)": ("BrownBoost", BASE),
    "RobustBoost suffers less than AdaBoost (Freund 2009)": ("RobustBoost", BASE),
}  # fmt: skip
"""Claim -> the model that should have the lower error, and the other one."""


class Errors:
    """Test errors by [set, share, cut, model]; only cells that are there for all shares."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        parts = [name.split("/") for name in cells]
        sets = list(dict.fromkeys(part[0] for part in parts))
        seeds = sorted({int(part[2]) for part in parts})
        whole = [
            seed
            for seed in seeds
            if all(f"{one}/{share}/{seed}" in cells for one in sets for share in SHARES)
        ]
        self.sets, self.seeds = sets, whole
        self.values: Floats = np.array(
            [
                [
                    [
                        [cells[f"{one}/{share}/{seed}"]["errors"][m] for m in MODELS]
                        for seed in whole
                    ]
                    for share in SHARES
                ]
                for one in sets
            ]
        )

    def by_set(self, model: str) -> Floats:
        """[set, share] means over the cuts."""
        result: Floats = self.values[..., list(MODELS).index(model)].mean(axis=2)
        return result


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
    head = ["model", *(f"{share:.0%}" for share in SHARES)]
    base = errors.by_set(BASE)
    means = [[m, *(f"{100 * e:.1f}" for e in errors.by_set(m).mean(axis=0))] for m in MODELS]
    against = [
        [m, *(with_interval((errors.by_set(m) - base)[:, k]) for k in range(len(SHARES)))]
        for m in MODELS
        if m != BASE
    ]
    rows = []
    for claim, (better, worse) in CLAIMS.items():
        own, other = errors.by_set(better), errors.by_set(worse)
        rise = (own[:, 3] - own[:, 0]) - (other[:, 3] - other[:, 0])
        level = own[:, 3] - other[:, 3]
        lower = f"{int((level < 0.0).sum())} of {len(level)}"
        both = with_interval(level), verdict(level), lower, with_interval(rise), verdict(rise)
        rows.append([claim, *both])
    text = f"""# Labels are wrong

Training labels of {len(errors.sets)} sets ({", ".join(errors.sets)})
were flipped on purpose, the same share in both classes; test labels were left as they are. There
are {len(errors.seeds)} random cuts of each set, with two thirds of the rows, at most {MOST:,}, to
learn from. All boosters have {ROUNDS} rounds. BrownBoost and RobustBoost choose `target_error`
among {TARGETS["target_error"]}, AdaBoost_Reg `C` among
{SOFT["C"]}, by {FOLDS} folds of the flipped labels; "BrownBoost, 0.1" has the default.
`python -m experiments.wrong_labels` computes what is missing and writes this page.

## Test error in percent, mean over the sets

{table(head, means)}

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

"""README.md, from the cells."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from experiments.tables import table
from experiments.wrong_labels.data import MOST, SHARES
from experiments.wrong_labels.runs import FOLDS, MODELS, ROUNDS, SOFT, TARGETS

Floats = NDArray[np.float64]
BASE = "AdaBoost"
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


def detectors(cells: Mapping[str, Any]) -> list[list[str]]:
    """Detector and its precision for each share."""
    by_share: dict[str, dict[str, list[float]]] = {}
    for name, result in cells.items():
        share = name.split("/")[1]
        for title, precision in result["found"].items():
            by_share.setdefault(title, {}).setdefault(share, []).append(precision)
    return [
        [title, *(f"{np.mean(found[str(share)]):.2f}" for share in SHARES[1:])]
        for title, found in by_share.items()
    ]


def write(folder: Path, cells: Mapping[str, Any]) -> None:
    """README.md."""
    errors = Errors(cells)
    whole = {n: cell for n, cell in cells.items() if int(n.split("/")[2]) in errors.seeds}
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
        rows.append(
            [claim, with_interval(level), verdict(level), with_interval(rise), verdict(rise)]
        )
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

{table(["claim", "difference", "verdict", "rise", "verdict"], rows)}

## Finding the flipped labels

Of as many of the hardest examples as labels were flipped, the share that was flipped: precision
and recall are the same. "left out" is by the out-of-fold probability of the given label, the others
by the weight of an example in the fitted model (BrownBoost: by its potential).

{table(["detector", *head[2:]], detectors(whole))}
"""
    (folder / "README.md").write_text(text, encoding="utf-8")

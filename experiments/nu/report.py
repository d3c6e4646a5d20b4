"""README.md, from the cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.costs.against import signed_ranks
from experiments.nu.data import FEWEST, FOLDS, MOST, TABLES, TEXTS
from experiments.nu.runs import BOOSTERS, DEFAULTS, ROUNDS, SETTINGS
from experiments.tables import table

Floats = NDArray[np.float64]
AUTO = "auto"
"""The default."""
TITLES = {TABLES: "imbalanced tables", TEXTS: "rare topics of Reuters-21578"}
MEASURES = {
    "cost": "Cost (1 is the better constant)",
    "precision": "Average precision",
    "f1": "F1",
}
DEFAULT, OTHER = "LPBoost", "LPBoost, disc.lp"


@dataclass(frozen=True)
class Fits:
    """One booster with one setting on all tables, or on all topics."""

    by_member: list[list[dict[str, Any]]]

    @property
    def every(self) -> list[dict[str, Any]]:
        return [fold for folds in self.by_member for fold in folds]

    @cached_property
    def relative(self) -> Floats:
        """Cost of each fold by that of the better constant, a miss costing IR false alarms."""
        return np.array([relative_cost(fold["test"]) for fold in self.every])

    @cached_property
    def training(self) -> Floats:
        """The same on the training examples: from 1 on the booster warns."""
        return np.array([relative_cost(fold["training"]) for fold in self.every])

    def measure(self, name: str) -> Floats:
        """By member: the mean over its folds, or F1 of their sums."""
        if name == "f1":
            return np.array([f1([fold["test"] for fold in folds]) for folds in self.by_member])
        if name == "cost":
            each = [[relative_cost(fold["test"]) for fold in folds] for folds in self.by_member]
        else:
            each = [[fold[name] for fold in folds] for folds in self.by_member]
        return np.array([np.mean(values) for values in each])

    def standing(self) -> str:
        """Folds on which the decisions cost more than a constant, and as much."""
        worse = int((self.relative > 1.0).sum())
        return f"{worse} + {int((self.relative == 1.0).sum())}"


def relative_cost(counts: Sequence[int]) -> float:
    """(IR missed + false alarms) / negatives: the two error rates, added."""
    found, alarms, missed, quiet = counts
    # one division, so that a constant is 1 and not nearly so
    positives, negatives = found + missed, alarms + quiet
    return (missed * negatives + alarms * positives) / (positives * negatives)


def f1(folds: Sequence[Sequence[int]]) -> float:
    """Of all folds together."""
    found, alarms, missed, _ = np.sum(folds, axis=0)
    return float(2 * found / (2 * found + alarms + missed)) if found else 0.0


def write(folder: Path, cells: Mapping[str, Any], kinds: Mapping[str, Sequence[str]]) -> None:
    """Write README.md into this folder."""
    found = {
        kind: {
            (booster, setting): Fits([cells[f"{kind}/{name}/{booster}"][setting] for name in names])
            for booster in BOOSTERS
            for setting in SETTINGS
        }
        for kind, names in kinds.items()
    }
    parts = [_head()]
    for kind, fits in found.items():
        parts += [f"## {len(kinds[kind])} {TITLES[kind]}", *_measures(fits)]
        parts += [_against(fits), _constants(fits), _learners(fits)]
    text = "\n\n".join(part.strip() for part in parts)
    (folder / "README.md").write_text(text + "\n", encoding="utf-8")


def _head() -> str:
    return f"""# Which nu where a class is rare

From nu = 2 beta n_+ / m on, the same answer for every example has a positive soft margin, and the
boosters of the soft margin have nothing to learn. So `nu="auto"`, their default, begins with half
of the share of the lighter class, and with 0.1 at most. Where a run converges and has no positive
margin, it is done again with twice the nu, up to 1.5 times the share. This page is written by
`python -m experiments.nu` from `cells.json.gz`; `--quick` is a slice, printed and not kept.

- **Share**: of the lighter class in the weight, a positive of LPUBoost (beta = 2) counting twice.
  "nu = share / 4" and so on are at most 0.1, too.
- **balanced**: `class_weight="balanced"`. Then both classes have half of the weight and nu is a
  share of each class, so that `nu="auto"` begins with 0.1.
- **Tables**: those of [the experiment on costs](../costs/README.md), each once; {FOLDS} stratified
  folds. **Topics**: every second of those with {FEWEST} to {MOST} training documents and at least
  {FEWEST} test documents; learned from the training documents, judged by the test documents.
- **Cost**: a miss costs as much as IR false alarms, IR being the negatives for each positive. Then
  "never" and "always" cost the same, and the cost of decisions by that of a constant is the sum of
  the two error rates. Decisions are the booster's own.
- **How the rule was found**: on these tables and topics, so what is said of "auto" below is a
  little better than it will be on others. Parts of the share from 1/4 to 3/2, with and without the
  limit of 0.1, were tried with LPBoost on some of them. Half was taken first; some boosters then
  had no margin on mammography, haberman and pima, and only after that was doubling added.
- Everything else is as by default, {ROUNDS} rounds at most; the default learner is "real.mh" for
  LPBoost and LPUBoost, "disc.lp" for the others."""


def _measures(fits: Mapping[tuple[str, str], Fits]) -> list[str]:
    parts = []
    for measure, title in MEASURES.items():
        rows = [
            [booster, *(f"{fits[booster, s].measure(measure).mean():.3f}" for s in SETTINGS)]
            for booster in BOOSTERS
        ]
        parts.append(f"{title}, mean:\n\n{table(['', *SETTINGS], rows)}")
    return parts


def _against(fits: Mapping[tuple[str, str], Fits]) -> str:
    """The automatic nu and each other one, set by set."""
    rows = []
    for booster in DEFAULTS:
        for measure in MEASURES:
            own = fits[booster, AUTO].measure(measure)
            others = [fits[booster, s].measure(measure) for s in SETTINGS if s != AUTO]
            rows.append([booster, measure, *(_duel(own, other, measure) for other in others)])
    head = ["", "", *(setting for setting in SETTINGS if setting != AUTO)]
    return f""""{AUTO}" beside each other setting: where it is better : worse, and the p-value of
Wilcoxon's signed-rank test, not adjusted:

{table(head, rows)}"""


def _duel(own: Floats, other: Floats, measure: str) -> str:
    gain = (other - own) if measure == "cost" else (own - other)
    p_value, _ = signed_ranks(gain)
    return f"{int((gain > 0).sum())}:{int((gain < 0).sum())} ({p_value:.2g})"


def _constants(fits: Mapping[tuple[str, str], Fits]) -> str:
    rows = [
        [booster, *(fits[booster, setting].standing() for setting in SETTINGS)]
        for booster in BOOSTERS
    ]
    total = len(fits[DEFAULTS[0], AUTO].every)
    warned = [
        [
            booster,
            int((own.training >= 1.0).sum()),
            int(((own.training >= 1.0) & (own.relative >= 1.0)).sum()),
            int((own.measure("cost") > 1.0).sum()),
        ]
        for booster in DEFAULTS
        for own in (fits[booster, AUTO],)
    ]
    return f"""Of {total} folds, how many on which the decisions cost more than the better
constant + how many on which they cost the same:

{table(["", *SETTINGS], rows)}

With "{AUTO}", fits that warn at the end that they are no better than a constant on their own
training examples, how many of them are no better out of fold, and tables or topics that cost more
than a constant in the mean of their folds:

{table(["", "warn", "and are no better", "worse in the mean"], warned)}"""


def _learners(fits: Mapping[tuple[str, str], Fits]) -> str:
    rows = []
    for measure in MEASURES:
        own, rival = (fits[name, AUTO].measure(measure) for name in (DEFAULT, OTHER))
        means = f"{own.mean():.3f}", f"{rival.mean():.3f}"
        rows.append([measure, *means, _duel(own, rival, measure)])
    head = ["", "real.mh", "disc.lp", "real.mh better : worse (p)"]
    return f"""LPBoost with its default learner and with "disc.lp", both with "{AUTO}":

{table(head, rows)}"""

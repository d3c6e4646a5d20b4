"""The tables, the figure and the verdicts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.figures import figure, save
from experiments.slipper.runs import MODELS, SETS, Plan
from experiments.tables import table

NEAR = 0.02
"""Errors that differ by at most this much are about the same."""
HEAD = """\
# Rule sets beside other rule learners and whole ensembles

`python -m experiments.slipper` writes this page; `--quick` is one small set, printed and not kept.
Every set of data has {folds} folds. SLIPPER chooses its number of rounds, at most {rounds}, by five
folds of the training rows; "5 rules" is `max_rules=5`. Stumps and trees of depth 3 are AdaBoost
with {rounds} rounds. RIPPER and IREP are those of wittgenstein, and the last three models those of
imodels, all with the parameters of the library (as many rounds where there are any). Rules speak
for the rarer class. For wittgenstein and imodels, missing numbers are replaced by medians, and for
imodels categories by a column for each level; where imodels cannot be fitted, the larger class is
predicted.
"""


class Results:
    """Errors and sizes by set of data and model, of the models that are complete."""

    def __init__(self, cells: Mapping[str, Any], plan: Plan) -> None:
        self._cells, self._plan = cells, plan
        self.models = [model for model in MODELS if model in plan.models]
        self.sets = [
            data for data in SETS if all(self.has(data, model) for model in self.models[:4])
        ]

    def _of(self, data: str, model: str) -> list[Any]:
        names = [f"{data}/{model}/{k}" for k in range(self._plan.folds)]
        return [self._cells[name] for name in names if name in self._cells]

    def has(self, data: str, model: str) -> bool:
        """Whether all folds of a model are there."""
        return len(self._of(data, model)) == self._plan.folds

    def error(self, data: str, model: str) -> float:
        """Share of all test rows that are predicted wrongly; NaN if folds are missing."""
        own = self._of(data, model)
        if not self.has(data, model):
            return float("nan")
        wrong: int = sum(cell["wrong"] for cell in own)
        return wrong / sum(cell["rows"] for cell in own)

    def size(self, data: str, model: str, name: str) -> float:
        """Mean number of rules or conditions; NaN if folds are missing."""
        own = self._of(data, model)
        return float(np.mean([cell[name] for cell in own])) if self.has(data, model) else np.nan

    def pairs(self, model: str, other: str) -> list[tuple[float, float]]:
        """The errors of two models on the sets that both have."""
        both = [(self.error(data, model), self.error(data, other)) for data in self.sets]
        return [pair for pair in both if not np.isnan(pair).any()]


def write(folder: Path, cells: Mapping[str, Any], plan: Plan) -> None:
    """README.md and the figure, of the sets that are complete."""
    found = Results(cells, plan)
    missing = [data for data in SETS if data not in found.sets]
    parts = [HEAD.format(rounds=plan.rounds, folds=plan.folds)]
    parts += ["## Errors, in percent of the test rows", _errors(found)]
    parts += ["## Sizes: rules / conditions, means over the folds", _sizes(found)]
    parts.append("For trees a rule is a leaf, and a condition a test on the way to it.")
    if missing:
        parts.append(f"Not computed: {', '.join(missing)}.")
    parts += ["![errors and sizes](sizes.png)", "## Verdicts", _verdicts(found)]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    _draw(found, folder / "sizes.png")


def _number(value: float, text: str) -> str:
    return "" if np.isnan(value) else text


def _errors(found: Results) -> str:
    rows = [
        [
            data,
            *(_number(e, f"{100 * e:.1f}") for e in (found.error(data, m) for m in found.models)),
        ]
        for data in found.sets
    ]
    return table(["data", *found.models], rows)


def _sizes(found: Results) -> str:
    rows = []
    for data in found.sets:
        texts = []
        for model in found.models:
            rules, tests = (found.size(data, model, name) for name in ("rules", "conditions"))
            texts.append(_number(rules, f"{rules:.0f} / {tests:.0f}"))
        rows.append([data, *texts])
    return table(["data", *found.models], rows)


def _verdicts(found: Results) -> str:
    lines = []
    for title, other in (("boosted stumps", "stumps"), ("boosted trees", "trees")):
        pairs = found.pairs("SLIPPER", other)
        near = sum(own <= theirs + NEAR for own, theirs in pairs)
        lines.append(
            f"- **As accurate as {title}?** The error of SLIPPER is lower, or at most "
            f"{100 * NEAR:g} points higher, on {near} of {len(pairs)} sets."
        )
    ratios = [
        found.size(data, "trees", "conditions") / found.size(data, "SLIPPER", "conditions")
        for data in found.sets
    ]
    few = [found.size(data, "SLIPPER", "rules") for data in found.sets]
    if few:
        lines.append(
            f"- **Compact?** SLIPPER has {min(few):.0f} to {max(few):.0f} rules, and boosted trees "
            f"{min(ratios):.0f} to {max(ratios):.0f} times as many conditions ({len(few)} sets)."
        )
    for other in found.models[4:]:
        pairs = found.pairs("SLIPPER", other)
        better = sum(own < theirs for own, theirs in pairs)
        lines.append(f"- **More accurate than {other}?** On {better} of {len(pairs)} sets.")
    pairs = found.pairs("SLIPPER, 5 rules", "SLIPPER")
    if pairs:
        cost = 100.0 * float(np.mean([own - theirs for own, theirs in pairs]))
        lines.append(
            f"- **What do five rules cost?** {cost:+.1f} points of error on average, over "
            f"{len(pairs)} sets."
        )
    return "\n".join(lines)


def _draw(found: Results, path: Path) -> None:
    picture, axes = figure(1, 1, 6.5, 4.0)
    axis = axes[0][0]
    shared = [data for data in found.sets if all(found.has(data, each) for each in found.models)]
    for model in found.models if shared else ():
        size = np.mean([found.size(data, model, "conditions") for data in shared])
        error = 100.0 * np.mean([found.error(data, model) for data in shared])
        axis.scatter(size, error, s=28)
        axis.annotate(model, (size, error), (4, 4), textcoords="offset points", fontsize=8)
    axis.set_xscale("log")
    axis.margins(x=0.2)
    axis.set_xlabel(f"conditions of the model, mean over {len(shared)} sets")
    axis.set_ylabel(f"test error, %, mean over {len(shared)} sets")
    save(picture, path)

"""The table, the scatter plots and the verdicts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.classes1996.runs import LEARNERS, MODELS, SETS, Plan
from experiments.figures import figure, save
from experiments.tables import table

PUBLISHED: dict[str, tuple[float | None, ...]] = {
    "ionosphere": (17.8, 8.5, None, 8.9, 5.8),
    "glass": (51.5, 51.1, 29.4, 31.7, 22.7),
    "iris": (35.2, 4.7, 4.8, 5.9, 5.0),
    "vehicle": (64.3, 64.4, 26.1, 29.9, 22.6),
}
"""Test error in percent of one stump, of stumps boosted by M1 and by M2, of C4.5 and boosted C4.5.

Freund and Schapire, "Experiments with a New Boosting Algorithm", ICML 1996, table 2: the rows at
hand. Stumps are FindAttrTest there, which also takes one level of a category against all others.
"""
NEAR = 0.02
"""Errors that differ by less are about the same."""
HEAD = """\
# Boosted stumps and boosted C4.5-like trees

`python -m experiments.classes1996` writes this page. The four sets with published figures are
divided into ten folds ten times, as in the paper, the others once; letter and vowel have test rows
of their own. Boosting has 100 rounds. Errors are in percent of the test rows. Numbers in brackets
are those of Freund and Schapire (ICML 1996, table 2). `C4.5-like` is not C4.5: all its tests have
two sides, and it does not divide rows with missing values; its docstring lists all differences.
"""


class Results:
    """Errors by set of data and model, of the sets that are complete."""

    def __init__(self, cells: Mapping[str, Any], plan: Plan) -> None:
        self.sets = [data for data in SETS if all(name in cells for name in plan.names([data]))]
        self._cells, self._plan = cells, plan

    def _of(self, data: str, model: str) -> list[Any]:
        names = self._plan.names([data])
        return [self._cells[name] for name in names if name.split("/")[1] == model]

    def error(self, data: str, model: str, last: bool = True) -> float:
        """After the last round, or after the first one: a single rule."""
        own = self._of(data, model)
        wrong: int = sum(cell["wrong"][last] for cell in own)
        return wrong / sum(cell["rows"] for cell in own)

    def failed(self, data: str, model: str) -> float:
        """Share of the folds in which a rule had an error of 1/2."""
        own = self._of(data, model)
        return sum(cell["weak"] for cell in own) / len(own)


def write(folder: Path, cells: Mapping[str, Any], plan: Plan) -> None:
    """README.md and the figure, of the sets that are complete."""
    found = Results(cells, plan)
    missing = [data for data in SETS if data not in found.sets]
    parts = [HEAD, _errors(found)]
    if missing:
        parts.append(f"Not yet computed: {', '.join(missing)}.")
    parts += ["![scatter plots](errors.png)", "## Verdicts", _verdicts(found)]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    _draw(found, folder / "errors.png")


def _errors(found: Results) -> str:
    head = [
        "data",
        "stump",
        "stumps, M1",
        "stumps, M2",
        "C4.5-like",
        "C4.5-like, M1",
        "C4.5-like, M2",
    ]
    rows = []
    for data in found.sets:
        stumps, trees = (
            [found.error(data, f"{learner}, M1", last=False),
             *(found.error(data, f"{learner}, {booster}") for booster in ("M1", "M2"))]
            for learner in LEARNERS
        )  # fmt: skip
        printed = (*PUBLISHED.get(data, (None,) * 5), None)
        pairs = zip([*stumps, *trees], printed, strict=True)
        texts = [f"{100 * own:.1f}" + ("" if p is None else f" ({p})") for own, p in pairs]
        if found.failed(data, MODELS[0]):
            texts[1] += " *"
        rows.append([data, *texts])
    note = "\\* In some folds M1 stopped, because a stump had an error of 1/2."
    return f"{table(head, rows)}\n\n{note}"


def _verdicts(found: Results) -> str:
    trees = {data: found.error(data, "C4.5-like, M1", last=False) for data in found.sets}
    better = [data for data in found.sets if found.error(data, "C4.5-like, M1") < trees[data]]
    near = [data for data in found.sets if found.error(data, "stumps, M2") <= trees[data] + NEAR]
    failed = [data for data in found.sets if found.failed(data, MODELS[0])]
    helped = [
        data for data in failed
        if found.error(data, "stumps, M2") < found.error(data, "stumps, M1") - NEAR
    ]  # fmt: skip
    n = len(found.sets)
    apart = [
        abs(100 * found.error(data, model) - printed)
        for data in PUBLISHED.keys() & set(found.sets)
        for place, model in ((1, "stumps, M1"), (2, "stumps, M2"), (4, "C4.5-like, M1"))
        for printed in [PUBLISHED[data][place]]
        if printed is not None
    ]
    lines = [
        "- **Boosting improves C4.5.** AdaBoost.M1 has a lower error than its first tree on "
        f"{len(better)} of {n} sets.",
        f"- **Boosted stumps are about as good as C4.5.** By M2 they are at most {100 * NEAR:g} "
        f"points worse than one tree on {len(near)} of {n} sets.",
        f"- **M2 helps where M1 fails.** M1 stopped on {len(failed)} of {n} sets with stumps"
        + (f" ({', '.join(failed)}); M2 is better on {len(helped)} of them." if failed else "."),
    ]
    if apart:
        lines.append(
            f"- **Published figures.** The errors of boosted rules differ from the {len(apart)} "
            f"published ones by {np.mean(apart):.1f} points on average, at most by "
            f"{max(apart):.1f}."
        )
    return "\n".join(lines)


def _draw(found: Results, path: Path) -> None:
    picture, axes = figure(1, 2, 8.0, 4.0)
    one = [100 * found.error(data, "C4.5-like, M1", last=False) for data in found.sets]
    for axis, model in zip(axes[0], ("stumps, M2", "C4.5-like, M1"), strict=True):
        other = [100 * found.error(data, model) for data in found.sets]
        most = 1.05 * max([*one, *other, 1.0])
        axis.plot([0, most], [0, most], color="0.7", linewidth=1)
        axis.scatter(other, one, s=14, color="tab:blue")
        lowest = 0.0  # of the next name, so that names do not overlap
        for y, x, data in sorted(zip(one, other, found.sets, strict=True)):
            lowest = max(y, lowest)
            axis.annotate(
                data, (x, y), (max(x, y) + 0.05 * most, lowest), fontsize=6, va="center",
                arrowprops={"arrowstyle": "-", "color": "0.8", "linewidth": 0.5},
            )  # fmt: skip
            lowest += 0.035 * most
        axis.set_xlim(right=1.2 * most)
        axis.set_xlabel(f"error of boosted {model}, %")
        axis.set_ylabel("error of one C4.5-like tree, %")
    save(picture, path)

"""The table, the figure and the verdicts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.figures import figure, save
from experiments.tables import table
from experiments.three_boosters.runs import BOOSTERS, CORPORA, Plan

HEAD = """\
# Discrete MH, discrete MR and real MH

`python -m experiments.three_boosters` writes this page. Three ways to boost tests on single words
for several classes: votes of -1 and 1 by AdaBoost.MH and by AdaBoost.MR, and real values by
AdaBoost.MH. The published figure is on six classes of TREC-AP, which are not at hand; here it is
questions of six classes, and requests about flights (several intents together are a class of their
own). The published figure is of up to 10,000 rounds, too; only the order of its curves can be
compared: real MH falls fastest, discrete MH and MR are close to each other.
"""
STYLES = {"discrete MH": "--", "discrete MR": ":", "real MH": "-"}


def write(folder: Path, cells: Mapping[str, Any], plan: Plan) -> None:
    """README.md and the figure."""
    sizes = [
        f"{corpus}: {one['documents']:,} documents of {one['classes']} classes for training, "
        f"{one['tested']:,} for testing."
        for corpus in CORPORA
        for one in [cells[f"{corpus}/real MH"]]
    ]
    parts = [HEAD, "\n".join(f"- {line}" for line in sizes), _errors(cells, plan)]
    parts += ["![errors by round](errors.png)", "## Verdicts"]
    parts.append("\n".join(f"- {line}" for line in verdicts(cells)))
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    _draw(cells, folder / "errors.png")


def _at(cell: Any, number: int, part: str) -> float:
    """The error in percent after the last kept round up to this one."""
    place = int(np.searchsorted(cell["rounds"], number, side="right")) - 1
    return 100.0 * float(cell[part][place])


def _errors(cells: Mapping[str, Any], plan: Plan) -> str:
    shown = [number for number in (10, 100, 1000, 10_000) if number <= plan.rounds]
    head = ["corpus", "booster", *(f"{number:,} rounds" for number in shown)]
    rows = [
        [
            corpus,
            booster,
            *(f"{_at(own, n, 'train'):.1f} / {_at(own, n, 'test'):.1f}" for n in shown),
        ]
        for corpus in CORPORA
        for booster in BOOSTERS
        for own in [cells[f"{corpus}/{booster}"]]
    ]
    return f"Training and test error in percent:\n\n{table(head, rows)}"


def verdicts(cells: Mapping[str, Any]) -> list[str]:
    """What the curves say, corpus by corpus."""
    lines = []
    for corpus in CORPORA:
        own = {booster: cells[f"{corpus}/{booster}"] for booster in BOOSTERS}
        real = own["real MH"]
        for other in ("discrete MH", "discrete MR"):
            for part, title in (("train", "training"), ("test", "test")):
                ahead = [
                    100.0 * error < _at(own[other], number, part)
                    for number, error in zip(real["rounds"], real[part], strict=True)
                ]
                lines.append(
                    f"{corpus}: the {title} error of real MH is below that of {other} after "
                    f"{sum(ahead)} of {len(ahead)} rounds that were looked at."
                )
        level = min(own["discrete MH"]["test"])
        soon = next((n for n, e in zip(real["rounds"], real["test"], strict=True) if e <= level), 0)
        if soon:
            lines.append(
                f"{corpus}: real MH is as good as discrete MH ever is after {soon:,} rounds "
                f"(discrete MH: after {_first(own['discrete MH'], level):,})."
            )
        best = int(np.argmin(real["test"]))
        lines.append(
            f"{corpus}: the test error of real MH is lowest after {real['rounds'][best]:,} rounds, "
            f"{100 * real['test'][best]:.1f} %, and {100 * real['test'][-1]:.1f} % in the end."
        )
    return lines


def _first(cell: Any, level: float) -> int:
    pairs = zip(cell["rounds"], cell["test"], strict=True)
    return int(next(number for number, error in pairs if error <= level))


def _draw(cells: Mapping[str, Any], path: Path) -> None:
    picture, axes = figure(len(CORPORA), 2, 8.0, 5.6)
    for row, corpus in zip(axes, CORPORA, strict=True):
        for axis, part, title in zip(row, ("train", "test"), ("training", "test"), strict=True):
            for booster, style in STYLES.items():
                own = cells[f"{corpus}/{booster}"]
                errors = 100 * np.array(own[part])
                axis.plot(own["rounds"], errors, style, color="black", label=booster)
            axis.set(xscale="log", xlabel="rounds", ylabel=f"{title} error, %", title=corpus)
            axis.set_ylim(bottom=0)
    axes[0][1].legend(frameon=False)
    save(picture, path)

"""The pictures: what each model costs, where it differs, and how good probabilities are."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.costs.models import BASELINE, KINDS, TITLES
from experiments.costs.results import Floats, Results
from experiments.figures import figure, save

STYLES = dict(zip(KINDS, (("#c44e52", "o"), ("#dd8452", "s"), ("#4c72b0", "D")), strict=True))
COLOURS = {"1": "#937860", "5": "#55a868", "20": "#c44e52", "IR": "#4c72b0"}
WIDEST = 1.5
"""Relative costs and scores beyond are drawn at the edge."""
LINEAR = 0.1
"""Differences up to this are drawn to scale, larger ones by their logarithm."""


def heading(cost: str) -> str:
    """Of a panel or table."""
    return f"a miss costs {cost}"


def draw_costs(results: Results, path: Path) -> None:
    """Relative cost of every model: median and quartiles of the sets."""

    def values(title: str, cost: str) -> Floats:
        return np.asarray(results.cost(title, cost).mean(axis=1))

    _dots(results, values, "mean cost / cost of the better constant", path)


def draw_brier(results: Results, path: Path) -> None:
    """Relative Brier score of every model that has probabilities: median and quartiles."""
    _dots(results, results.brier, "Brier score / Brier score of the share of positives", path)


def _dots(
    results: Results, values: Callable[[str, str], Floats | None], label: str, path: Path
) -> None:
    known = [title for title in TITLES if values(title, results.costs[0]) is not None]
    place = {title: -i for i, title in enumerate(known)}
    columns = len(results.costs)
    picture, axes = figure(1, columns, width=2.6 + 2.5 * columns, height=1.6 + 0.24 * len(known))
    for axis, cost in zip(axes[0], results.costs, strict=True):
        for kind, (colour, marker) in STYLES.items():
            own = [title for title in KINDS[kind] if title in place]
            found = [_checked(values(title, cost))[results.distinct] for title in own]
            low, middle, high = np.minimum(np.quantile(found, [0.25, 0.5, 0.75], axis=1), WIDEST)
            heights = [place[title] for title in own]
            axis.hlines(heights, low, high, color=colour, alpha=0.5)
            axis.plot(middle, heights, marker, color=colour, markersize=5, label=kind)
        base = np.median(_checked(values(BASELINE, cost))[results.distinct])
        axis.axvline(base, color="#4c72b0", linewidth=0.8, linestyle=":", zorder=0)
        axis.axvline(1.0, color="#999999", linewidth=0.8, zorder=0)
        axis.set(title=heading(cost), xlim=(0, WIDEST), ylim=(0.7 - len(known), 0.7))
        axis.set_yticks(list(place.values()), list(place) if axis is axes[0][0] else [])
        axis.tick_params(axis="y", length=0)
    for text in axes[0][0].get_yticklabels():
        if text.get_text() == BASELINE:
            text.set_fontweight("bold")
    picture.supxlabel(
        f"{label}: median and quartiles of {results.distinct.sum()} sets", fontsize=10
    )
    handles, labels = axes[0][0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    save(picture, path)


def draw_differences(results: Results, models: Sequence[str], path: Path) -> None:
    """Cost less that of the baseline, set by set, by imbalance ratio."""
    columns = 3
    rows = -(-len(models) // columns)
    picture, axes = figure(rows, columns, width=11.5, height=0.9 + 2.7 * rows)
    for axis, model in zip(axes.ravel(), models, strict=False):
        for cost in results.costs:
            base = results.cost(BASELINE, cost).mean(axis=1)
            differences = results.cost(model, cost).mean(axis=1) - base
            axis.plot(
                results.ratios, differences, "o", color=COLOURS[cost], markersize=4, alpha=0.65,
                markeredgewidth=0, label=heading(cost),
            )  # fmt: skip
        axis.axhline(0.0, color="#666666", linewidth=0.8, zorder=0)
        axis.set(title=model, xscale="log")
        axis.set_yscale("symlog", linthresh=LINEAR)
        axis.set_ylim(-2.0, 50.0)
        axis.set_yticks([-1, -0.1, 0, 0.1, 1, 10], ["-1", "-0.1", "0", "0.1", "1", "10"])
        axis.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
        axis.minorticks_off()
    for axis in axes.ravel()[len(models) :]:
        axis.set_axis_off()
    picture.supylabel(f"relative cost less that of {BASELINE}; below 0 it is cheaper", fontsize=10)
    picture.supxlabel("imbalance ratio of the set", fontsize=10)
    handles, labels = axes[0][0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    save(picture, path)


def _checked(values: Any) -> Floats:
    """A model has probabilities at every cost or at none."""
    if values is None:
        raise ValueError("a model has probabilities at one cost and not at another")
    return np.asarray(values)

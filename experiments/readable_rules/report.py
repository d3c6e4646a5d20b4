"""The tables and the verdicts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.readable_rules.models import MODELS
from experiments.readable_rules.runs import SETS, names
from experiments.tables import table

NEAR = 1.0
"""Points of error by which models are about the same."""
HEAD = """\
# Readable models: errors and sizes

`python -m experiments.readable_rules` writes this page. Every set of data has two classes and is
divided into five folds once. Each entry is the error in percent of the rows in all folds, and in
brackets the mean number of conditions: tests of trees and stumps, or conditions of rules. `ADTree`,
`LADTree` and `stumps` choose up to 100 rounds by five folds of the training rows; `boosted trees`
are `GradientBoostingClassifier()` with its defaults. RIPPER and IREP are those of wittgenstein and
FIGS that of imodels, with their defaults (12 splits for FIGS). "-": the library failed on a fold.
"""


class Results:
    """Errors in percent and mean sizes, of the sets and models whose folds are complete."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        self.found: dict[tuple[str, str], tuple[float, float] | None] = {}
        for data in SETS:
            for model in MODELS:
                own = [name for name in names([data]) if name.split("/")[1] == model]
                if all(name in cells for name in own):
                    self.found[data, model] = _summary([cells[name] for name in own])
        self.sets = [data for data in SETS if any((data, model) in self.found for model in MODELS)]

    def both(self, one: str, other: str) -> list[tuple[Any, Any]]:
        """The results of two models on the sets that both have."""
        pairs = [(self.found.get((data, one)), self.found.get((data, other))) for data in self.sets]
        return [(a, b) for a, b in pairs if a is not None and b is not None]


def _summary(cells: list[Any]) -> tuple[float, float] | None:
    if any("failed" in cell for cell in cells):
        return None
    error = 100.0 * sum(cell["wrong"] for cell in cells) / sum(cell["rows"] for cell in cells)
    return error, float(np.mean([cell["conditions"] for cell in cells]))


def write(folder: Path, cells: Mapping[str, Any]) -> None:
    """README.md, of all that is complete."""
    found = Results(cells)
    rows = [[data, *(_entry(found, data, model) for model in MODELS)] for data in found.sets]
    parts = [HEAD, table(["data", *MODELS], rows), "## Verdicts", _verdicts(found)]
    missing = sum(name not in cells for name in names(SETS))
    if missing:
        parts.append(f"{missing} of {len([*names(SETS)])} cells are not computed yet.")
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _entry(found: Results, data: str, model: str) -> str:
    if (data, model) not in found.found:
        return ""
    own = found.found[data, model]
    return "-" if own is None else f"{own[0]:.1f} ({own[1]:.0f})"


def _verdicts(found: Results) -> str:
    lines = []
    for one, other in (
        ("ADTree", "boosted trees"), ("ADTree", "stumps"), ("ADTree, 10 tests", "stumps, 10 rules"),
        ("ADTree", "RIPPER"), ("ADTree", "IREP"), ("ADTree", "FIGS"),
    ):  # fmt: skip
        pairs = found.both(one, other) if other in MODELS else []
        if not pairs:
            continue
        near = sum(a[0] <= b[0] + NEAR for a, b in pairs)
        lower = sum(a[0] < b[0] for a, b in pairs)
        sizes = np.median([a[1] / max(b[1], 1.0) for a, b in pairs])
        gap = float(np.mean([a[0] - b[0] for a, b in pairs]))
        lines.append(
            f"- **{one} beside {other}**: lower error on {lower} of {len(pairs)} sets, at most "
            f"{NEAR:g} point higher on {near}; mean difference {gap:+.1f} points; the median ratio "
            f"of sizes is {sizes:.2g}."
        )
    return "\n".join(lines)

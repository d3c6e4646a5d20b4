"""README.md and its figure, from the cells."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from experiments import figures
from experiments.prior_knowledge.data import RULES, SIZES, TEST
from experiments.prior_knowledge.runs import ROUNDS, WAYS
from experiments.tables import table

Floats = NDArray[np.float64]
BOTH = "both, weight by folds"
COLOURS = dict(zip(WAYS, ("#888888", "#3366aa", "#cc7722", "#aa2222"), strict=True))
NEEDED = 4


class Results:
    """Measures of one set by [way][size], an array over the draws."""

    def __init__(self, cells: Mapping[str, Any], name: str) -> None:
        found = [(cell.split("/"), result) for cell, result in cells.items()]
        own = [(int(size), int(seed), result) for (one, size, seed), result in found if one == name]
        self.sizes = [size for size in SIZES if any(each[0] == size for each in own)]
        self._own = own

    def of(self, measure: str, way: str, size: int) -> Floats:
        """(draws,) in the order of the draws."""
        rows = sorted((seed, result) for at, seed, result in self._own if at == size)
        return np.array([result[measure][way] for _, result in rows])

    def weights(self, size: int) -> Floats:
        """(draws,) the weights that folds chose."""
        return np.array([result["weight"] for at, _, result in self._own if at == size])


def interval(values: Floats) -> tuple[float, float]:
    """Mean over the draws, and half of the width of its 95 % interval (Student's t)."""
    n = len(values)
    spread = float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return float(values.mean()), float(student.ppf(0.975, max(n - 1, 1))) * spread


def in_percent(values: Floats, sign: str = "") -> str:
    """Mean and interval of shares."""
    mean, half = interval(100.0 * values)
    return f"{mean:{sign}.1f} ± {half:.1f}"


def verdict(differences: Floats) -> str:
    """Whether the first of two has the lower error, by the interval."""
    mean, half = interval(differences)
    if not abs(mean) > half:
        return "not decided"
    return "better" if mean < 0.0 else "worse"


def section(name: str, results: Results) -> str:
    """The tables of one set."""
    errors = [
        [size, *(in_percent(results.of("errors", way, size)) for way in WAYS)]
        for size in results.sizes
    ]
    losses = [
        [size, *(f"{results.of('losses', way, size).mean():.3f}" for way in WAYS)]
        for size in results.sizes
    ]
    rows = []
    for size in results.sizes:
        both = results.of("errors", BOTH, size)
        line: list[Any] = [size]
        for other in ("data", "knowledge"):
            difference = both - results.of("errors", other, size)
            line += [in_percent(difference, "+"), verdict(difference)]
        rows.append([*line, f"{np.median(results.weights(size)):g}"])
    head = ["examples", "minus data", "", "minus knowledge", "", "median weight"]
    return f"""## {name}

Test error in percent:

{table(["examples", *WAYS], errors)}

Error of "{BOTH}" minus that of data alone and of knowledge alone:

{table(head, rows)}

Mean log loss of new documents:

{table(["examples", *WAYS], losses)}

The rules:

```text
{RULES[name].strip()}
```
"""


def claims(results: Mapping[str, Results]) -> str:
    """Verdicts, over all sets and numbers of examples."""
    lines = []
    for other in ("data", "knowledge"):
        found = [
            verdict(one.of("errors", BOTH, size) - one.of("errors", other, size))
            for one in results.values()
            for size in one.sizes
        ]
        counts = ", ".join(
            f"{found.count(word)} {word}" for word in ("better", "not decided", "worse")
        )
        lines.append(f"- Both together against {other} alone, in {len(found)} cases: {counts}.")
    few = [
        verdict(one.of("errors", BOTH, size) - one.of("errors", "data", size))
        for one in results.values()
        for size in one.sizes[:NEEDED]
    ]
    lines.append(
        f"- With the {NEEDED} smallest training sets, knowledge helps in {few.count('better')} of "
        f"{len(few)} cases and harms in {few.count('worse')}."
    )
    return "\n".join(lines)


def draw_figure(path: Path, results: Mapping[str, Results]) -> None:
    """Error by the number of examples, a panel for each set."""
    picture, axes = figures.figure(1, len(results), 4.6 * len(results), 3.6)
    for ax, (name, own) in zip(axes[0], results.items(), strict=True):
        for way, colour in COLOURS.items():
            pairs = [interval(100.0 * own.of("errors", way, size)) for size in own.sizes]
            mean, half = np.array(pairs).T
            ax.plot(own.sizes, mean, color=colour, label=way, linewidth=1.6)
            ax.fill_between(own.sizes, mean - half, mean + half, color=colour, alpha=0.18, lw=0)
        ax.set_xscale("log", base=2)
        ax.set_xticks(own.sizes, [str(size) for size in own.sizes])
        ax.set(title=name, xlabel="training examples", ylabel="test error in %")
        ax.set_ylim(bottom=0.0)
    axes[0][0].legend(frameon=False, fontsize=8)
    figures.save(picture, path)


def write(folder: Path, cells: Mapping[str, Any]) -> None:
    """README.md and error.png, by the draws of which all cells are there."""
    draws = Counter(cell.split("/")[2] for cell in cells)
    whole = {draw for draw, count in draws.items() if count == max(draws.values())}
    cells = {cell: result for cell, result in cells.items() if cell.split("/")[2] in whole}
    names = list(dict.fromkeys(cell.split("/")[0] for cell in sorted(cells)))
    results = {name: Results(cells, name) for name in names}
    draw_figure(folder / "error.png", results)
    sections = "\n".join(section(name, own) for name, own in results.items())
    text = f"""# Prior knowledge

After figure 6 of Schapire, "The boosting approach to machine learning", 2003, which shows results
of Rochery and others: how well a few rules of a person, training data, and both together classify
new documents, by the number of training examples. Their calls are not public, so these are SMS
messages ({TEST:,} of them to judge by, drawn anew each time) and TREC questions (six classes, the
500 test questions). There are {len(whole)} draws of the training examples; larger sets contain the
smaller ones. The model is `LogisticAdaBoostClassifier` with {ROUNDS} stumps on words. "knowledge"
is the rules alone, "data" the booster without them. "both" has the rules as `prior_knowledge`,
with a weight of 1 or with one that 5 folds of the training examples chose. Intervals are of 95 %,
over the draws (Student's t). `python -m experiments.prior_knowledge` computes what is missing and
writes this page.

![Error by the number of training examples](error.png)

## Verdict

{claims(results)}

{sections}"""
    (folder / "README.md").write_text(text, encoding="utf-8")

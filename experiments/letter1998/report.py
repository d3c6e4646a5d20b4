"""The table, the figure and the verdicts."""

from pathlib import Path
from typing import Any

import numpy as np

from experiments.figures import figure, save
from experiments.letter1998.runs import GRID
from experiments.tables import table

PUBLISHED = {
    "test error of one tree": "13.8",
    "test error after 5 rounds": "8.4",
    "test error after 100 rounds": "3.3",
    "test error after 1000 rounds": "3.1",
    "training error after 5 rounds": "0.0",
    "training margins below 0.5 after 5 rounds": "7.7",
    "training margins below 0.5 after 100 rounds": "0.0",
}
"""In percent. Schapire, Freund, Bartlett and Lee, Annals of Statistics 26, 1998; R. E. Schapire,
"Explaining AdaBoost", 2013."""
HEAD = """\
# Errors and margins of boosted trees on letters

`python -m experiments.letter1998` writes this page: AdaBoost.M1 with C4.5-like trees on the 16,000
training rows of letter, tested with the other 4,000. The published run boosted C4.5. `C4.5-like` is
not C4.5. On these 16 columns of whole numbers the differences that matter are that the gain of a
cut is not reduced as in Release 8, that a cut needs less weight on its sides, and that pruning does
not raise subtrees and keeps the root; the docstring of `C45LikeLearner` lists all differences. The
margin of a row is the share of votes for its class minus the largest share for another one.
"""


def write(folder: Path, found: dict[str, Any]) -> None:
    """README.md and the figure."""
    parts = [HEAD, _figures(found), "![errors and margins](margins.png)", "## Verdicts"]
    parts.append("\n".join(f"- {line}" for line in verdicts(found)))
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    _draw(found, folder / "margins.png")


def _figures(found: dict[str, Any]) -> str:
    rounds = [int(number) for number in found["margins"]]
    own = {"test error of one tree": found["test"][0]}
    own |= {f"test error after {n} rounds": found["test"][n - 1] for n in rounds}
    own |= {f"training error after {n} rounds": found["train"][n - 1] for n in rounds}
    below = "training margins below 0.5 after {} rounds"
    own |= {below.format(n): share for n, share in found["below"].items()}
    rows = [[what, f"{100 * value:.1f}", PUBLISHED.get(what, "")] for what, value in own.items()]
    smallest = [
        [f"smallest training margin after {n} rounds", f"{value:.2f}", ""]
        for n, value in found["minimum"].items()
    ]
    leaves = [["leaves of all trees", f"{found['leaves']:,}", ""]]
    return table(["", "here, %", "published, %"], rows + smallest + leaves)


def verdicts(found: dict[str, Any]) -> list[str]:
    """What the run says about each claim."""
    test, train, last = found["test"], found["train"], len(found["test"])
    zero = next((number for number, error in enumerate(train, 1) if error == 0.0), None)
    lines = [_answer(
        "Boosting C4.5 lowers its error by far",
        test[-1] < 0.5 * test[0],
        f"{100 * test[0]:.1f} % of one tree, {100 * test[-1]:.1f} % of {last:,}.",
    )]  # fmt: skip
    if zero is None:
        return [*lines, "The training error did not reach 0."]
    after = min(test[zero:], default=test[zero - 1])
    gained = test[zero - 1] - test[-1]
    lines.append(_answer(
        "The test error falls after the training error is 0",
        gained > 0.0,
        f"It was 0 after {zero} rounds, when the test error was {100 * test[zero - 1]:.1f} %; then "
        f"the test error fell to {100 * test[-1]:.1f} % (lowest {100 * after:.1f} %).",
    ))  # fmt: skip
    first, *_, final = found["below"].values()
    lines.append(_answer(
        "Margins go on growing meanwhile",
        final < first,
        "Margins below 0.5: "
        + ", ".join(f"{100 * share:.1f} % after {n}" for n, share in found["below"].items())
        + " rounds.",
    ))  # fmt: skip
    if "100" in found["margins"]:
        gap = np.abs(np.subtract(found["margins"]["100"], list(found["margins"].values())[-1]))
        lines.append(
            f"The distributions after 100 and {last:,} rounds differ by at most "
            f"{100 * gap.max():.0f} points, most at a margin of {GRID[gap.argmax()]:.2f}."
        )
    return [*lines, "All of this rests on one run on one set of data."]


def _answer(claim: str, holds: bool, why: str) -> str:
    return f"**{claim}: {'yes' if holds else 'no'}.** {why}"


def _draw(found: dict[str, Any], path: Path) -> None:
    picture, ((left, right),) = figure(1, 2, 8.0, 3.4)
    rounds = np.arange(1, len(found["test"]) + 1)
    for name, style in (("train", "--"), ("test", "-")):
        left.plot(rounds, 100 * np.array(found[name]), style, color="tab:blue", label=name)
    for level, text in ((found["test"][0], "one tree"), (found["test"][-1], "all trees")):
        left.axhline(100 * level, color="0.7", linewidth=1, zorder=0)
        left.annotate(f"{text} {100 * level:.1f}", (1, 100 * level), xytext=(2, 2),
                      textcoords="offset points", fontsize=8)  # fmt: skip
    left.set(xscale="log", xlabel="rounds", ylabel="error, %", ylim=(-0.5, None))
    left.legend(frameon=False)
    styles = (":", "--", "-")
    for (number, shares), style in zip(found["margins"].items(), styles, strict=False):
        right.plot(GRID, shares, style, color="black", label=f"{int(number):,} rounds")
    right.set(xlabel="margin", ylabel="share of the training rows up to it")
    right.legend(frameon=False, loc="upper left")
    save(picture, path)

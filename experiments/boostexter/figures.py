"""F1 and errors by rounds, as pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.boostexter.measures import Counts
from experiments.boostexter.published import MP_BOOST
from experiments.boostexter.runs import LEARNERS
from experiments.figures import figure, save

SIZE = (7.0, 4.5)
COLOURS = {"real.mh": "tab:blue", "disc.mh": "tab:orange", "apart": "tab:green"}

Cells = Mapping[str, Any]


def labels(path: Path, cells: Cells, corpus: str) -> None:
    """Micro and macro F1 by rounds, and the published ones."""
    picture, [[axes]] = figure(1, 1, *SIZE)
    for learner, word in {**LEARNERS, "apart": "each topic alone"}.items():
        cell = cells.get(f"{corpus}/{learner}", {"stages": {}})
        rounds = [int(number) for number in cell["stages"]]
        counts = [at_stage(cell, number) for number in rounds]
        look = {"color": COLOURS[learner], "marker": "o", "markersize": 4}
        axes.plot(rounds, [c.micro() for c in counts], "-", label=f"micro, {word}", **look)
        axes.plot(rounds, [c.macro() for c in counts], "--", label=f"macro, {word}", **look)
    look = {"color": "black", "linestyle": "none", "zorder": 3}
    axes.plot(MP_BOOST.rounds, MP_BOOST.micro, marker="*", label="micro, MP-Boost++", **look)
    axes.plot(MP_BOOST.rounds, MP_BOOST.macro, marker="x", label="macro, MP-Boost++", **look)
    _by_rounds(axes)
    axes.set(ylabel="F1 on the test documents", ylim=(0, 1))
    picture.legend(ncols=4, loc="outside upper center", fontsize=8, frameon=False)
    save(picture, path)


def errors(path: Path, cells: Cells, corpus: str, what: str, per: str, title: str) -> None:
    """Error by rounds, training on the left and test on the right, as in the survey's figure 5."""
    picture, [pair] = figure(1, 2, *SIZE)
    pair[1].sharey(pair[0])
    for axes, part in zip(pair, ("train", "test"), strict=True):
        for learner, word in LEARNERS.items():
            found = cells[f"{corpus}/{learner}"][part]
            shares = [100 * count / found[per] for count in found[what]]
            axes.plot(range(1, len(shares) + 1), shares, color=COLOURS[learner], label=word)
        _by_rounds(axes)
        axes.set_title("training" if part == "train" else "test")
        axes.legend()
    pair[0].set(ylabel=title, ylim=(0, None))
    save(picture, path)


def _by_rounds(axes: Any) -> None:
    axes.set(xscale="log", xlabel="rounds")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.grid(alpha=0.3)


def at_stage(cell: Mapping[str, Any], rounds: int) -> Counts:
    """The counts by topic after so many rounds."""
    return Counts.read(cell["stages"][str(rounds)])

"""When boosting fails: too few data, too complex rules, rules that are too weak."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from experiments.cells import Result
from experiments.figures import figure, save
from experiments.tables import table
from experiments.theory.intervals import interval, more, shown, verdict
from experiments.theory.problems import drawn
from underdog import AdaBoostClassifier
from underdog.learners import TreeLearner

Floats = NDArray[np.float64]

SIZES = (20, 40, 80, 160, 320, 640, 1280)
DEPTHS = (1, 2, 3, 5, 8, 30)
BITS = (1, 2, 3)
TEST, ROUNDS = 2000, 100
NOISY, FLIPPED = 300, 0.2
"""Training rows of the second part, and the share of their labels that is flipped."""
PARITY, WRONG = 600, 0.05
"""The same of the third part."""


def boosted(depth: int, rounds: int = ROUNDS) -> Any:
    """AdaBoost of votes: stumps, or trees of some depth."""
    learner = "discrete" if depth == 1 else TreeLearner(kind="discrete", max_depth=depth)
    return AdaBoostClassifier(learner=learner, n_estimators=rounds)


def error(model: Any, train: tuple[Any, Any], test: tuple[Any, Any]) -> float:
    """The test error."""
    return float((model.fit(*train).predict(test[0]) != test[1]).mean())


def run(seed: int, quick: bool = False) -> Result:
    """Test errors of one draw of all three parts."""
    rng = np.random.default_rng([seed, 4])
    rounds = 10 if quick else ROUNDS
    test = drawn("twonorm", TEST, rng)
    few = {}
    for size in SIZES[::3] if quick else SIZES:
        train = drawn("twonorm", size, rng)
        few[str(size)] = [
            error(boosted(1, rounds), train, test),
            error(boosted(1, 1), train, test),
            error(LogisticRegression(max_iter=1000), train, test),
        ]
    test, (X, y) = drawn("threenorm", TEST, rng), drawn("threenorm", NOISY, rng)
    noisy = X, np.where(rng.random(NOISY) < FLIPPED, 1 - y, y)
    complex_ = {
        str(depth): [
            error(boosted(depth, rounds), noisy, test),
            error(boosted(depth, 1), noisy, test),
        ]
        for depth in (DEPTHS[::3] if quick else DEPTHS)
    }
    weak = {}
    for bits in BITS:
        train, test = parity(bits, PARITY, rng, WRONG), parity(bits, TEST, rng)
        weak[str(bits)] = [
            error(boosted(1, rounds), train, test),
            error(boosted(bits + 2, rounds), train, test),
        ]
    return {"few": few, "complex": complex_, "weak": weak}


def parity(
    bits: int, rows: int, rng: np.random.Generator, wrong: float = 0.0
) -> tuple[Floats, NDArray[np.int64]]:
    """Whether an odd number of the first of eight bits is set, with some wrong labels."""
    X = rng.integers(0, 2, (rows, 8))
    y = X[:, :bits].sum(axis=1) % 2
    return X.astype(float), np.where(rng.random(rows) < wrong, 1 - y, y)


def report(folder: Path, cells: list[Any]) -> str:
    """The part of the page, with its figure."""
    picture, axes = figure(1, 3, 10.0, 3.4)
    few = Part(cells, "few", ("boosted stumps", "a stump", "logistic regression"))
    few.draw(axes[0, 0], "examples", "too few data (twonorm)", log=True)
    complex_ = Part(cells, "complex", ("boosted trees", "a tree"))
    complex_.draw(axes[0, 1], "depth", "too complex (threenorm, 20% flipped)")
    weak = Part(cells, "weak", ("boosted stumps", "boosted deeper trees"))
    weak.draw(axes[0, 2], "bits of the parity", "too weak")
    axes[0, 0].set_ylabel("test error")
    save(picture, folder / "fails.png")
    behind = few.difference(0, 2)
    first, last = behind[0], behind[-1]
    best = min(range(len(complex_.places)), key=lambda k: complex_.means[k, 0])
    deep = interval(complex_.own[:, -1, 0] - complex_.own[:, best, 0])
    return (
        "## When boosting fails\n\nAdaBoost of votes, "
        f"{ROUNDS} rounds, {len(cells)} draws of each problem, test errors with 95% intervals over "
        "the draws.\n\n**Too few data.** "
        f"With {few.places[0]} examples of twonorm boosted stumps have {more(*first)} more error "
        f"than logistic regression ({verdict(*first, 'worse', 'better')}), with {few.places[-1]:,} "
        f"{more(*last)} ({verdict(*last, 'worse', 'better')}).\n\n"
        + few.table("examples")
        + "\n\n**Too complex.** Threenorm with 20% of the labels flipped, "
        f"{NOISY} examples: trees of depth {complex_.places[-1]} have {more(*deep)} more error "
        f"than those of depth {complex_.places[best]} ({verdict(*deep, 'worse', 'better')}). They "
        "fit the flipped labels too, so that few rounds are left, or none: an ensemble of one "
        "tree.\n\n"
        + complex_.table("depth")
        + "\n\n**Too weak.** Parity of the first of eight bits, 5% of the labels wrong, "
        f"{PARITY} examples: from two bits on no stump is better than chance, and neither is a "
        "weighted sum of them. Trees that are two levels deeper than there are bits are.\n\n"
        + weak.table("bits")
        + "\n\n![when boosting fails](fails.png)"
    )


class Part:
    """Test errors by place and model, [draw, place, model]."""

    def __init__(self, cells: list[Any], name: str, models: tuple[str, ...]) -> None:
        self.places = [int(place) for place in cells[0][name]]
        self.models = models
        self.own = np.array([[cell[name][str(k)] for k in self.places] for cell in cells])
        self.means: Floats = self.own.mean(axis=0)

    def difference(self, one: int, other: int) -> list[tuple[float, float]]:
        """By how much one model has more error than another, at each place."""
        apart = self.own[:, :, one] - self.own[:, :, other]
        return [interval(apart[:, k]) for k in range(len(self.places))]

    def draw(self, axes: Any, label: str, title: str, log: bool = False) -> None:
        """Errors with intervals."""
        for number, model in enumerate(self.models):
            found = [interval(self.own[:, k, number]) for k in range(len(self.places))]
            means, halves = np.array(found).T
            where = self.places if log else range(len(self.places))
            axes.errorbar(where, means, yerr=halves, marker="o", ms=3, lw=1, capsize=2, label=model)
        if log:
            axes.set_xscale("log")
        else:
            axes.set_xticks(range(len(self.places)), [str(k) for k in self.places])
        axes.set(xlabel=label, ylim=(0.0, None))
        axes.set_title(title, fontsize=9)
        axes.legend(frameon=False, fontsize=7)

    def table(self, label: str) -> str:
        """One row for each place."""
        rows = []
        for place, name in enumerate(self.places):
            own = [interval(self.own[:, place, k]) for k in range(len(self.models))]
            rows.append([f"{name:,}", *(shown(*each) for each in own)])
        return table([label, *self.models], rows)

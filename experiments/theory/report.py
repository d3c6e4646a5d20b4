"""README.md and its figures, from the cells."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from experiments.figures import figure, save
from experiments.tables import table
from experiments.theory.runs import HULL_ROUNDS, ROUNDS, SAMPLES, TRAINING

Floats = NDArray[np.float64]
BASE = "AdaBoost"


def write(folder: Path, cells: Mapping[str, Any]) -> None:
    """The page and its figures."""
    parts = [
        "# Claims of the theory of boosting, tried\n\n`python -m experiments.theory` computes what "
        "is missing and writes this page. Seven tables of the UCI repository with two classes, two "
        "thirds of the rows (at most 1,000) to learn from. A difference is the mean over the sets "
        "of what one model has more than another, with a 95% interval of Student's t over the "
        "sets: few sets, so these are wide.",
        margin_part(folder, by_part(cells, "margin")),
        hull_part(folder, by_part(cells, "hull")),
        gain_part(folder, by_part(cells, "gain")),
        bias_part(folder, by_part(cells, "bias")),
    ]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def by_part(cells: Mapping[str, Any], part: str) -> dict[str, list[Any]]:
    """Results by data set, one for each cut."""
    found: dict[str, list[Any]] = {}
    for name in sorted(cells):
        own, data, _ = name.split("/")
        if own == part:
            found.setdefault(data, []).append(cells[name])
    return found


def interval(differences: Floats) -> tuple[float, float]:
    """The mean of differences by set, and half of its 95% interval."""
    count = len(differences)
    if count < 2:
        return float(differences.mean()), float("nan")
    half = float(student.ppf(0.975, count - 1) * differences.std(ddof=1) / np.sqrt(count))
    return float(differences.mean()), half


def verdict(mean: float, half: float, more: str, less: str) -> str:
    """What an interval says of a difference."""
    if not abs(mean) > half:
        return "not decided"
    return more if mean > 0 else less


def margin_part(folder: Path, cells: dict[str, list[Any]]) -> str:
    """Larger margins and test errors."""
    rows, lines = [], []
    picture, axes = figure(1, 2, 8.0, 3.6)
    for place, kind in enumerate(("stumps", "trees")):
        means = {
            name: np.array([
                np.mean([cut[f"{kind}, {name}"] for cut in cuts], axis=0) for cuts in cells.values()
            ])
            for name in (BASE, "arc-gv", "Grove and Schuurmans")
        }  # fmt: skip
        for name, own in means.items():
            rows.append([kind, name, *(f"{value:.4f}" for value in own.mean(axis=0))])
            if name == BASE:
                continue
            more = own - means[BASE]
            margin, error = interval(more[:, 0]), interval(more[:, 2])
            lines.append([
                kind, name, f"{margin[0]:+.4f} ± {margin[1]:.4f}",
                f"{error[0]:+.4f} ± {error[1]:.4f}",
                f"margin {verdict(*margin, 'larger', 'smaller')}, "
                f"error {verdict(*error, 'higher', 'lower')}; "
                f"higher on {(more[:, 2] > 0).sum()} of {len(more)} sets",
            ])  # fmt: skip
            axes[0, place].scatter(more[:, 0], more[:, 2], label=name, s=22)
        axes[0, place].axhline(0.0, color="0.7", lw=0.8)
        axes[0, place].axvline(0.0, color="0.7", lw=0.8)
        axes[0, place].set(title=kind, xlabel="minimum margin above AdaBoost's")
    axes[0, 0].set_ylabel("test error above AdaBoost's")
    axes[0, 0].legend(frameon=False, fontsize=8)
    save(picture, folder / "margins.png")
    cuts = min(len(own) for own in cells.values())
    return (
        "## Larger margins, and the test error\n\nThe claim of Breiman (1999) and of Grove and "
        "Schuurmans (1998): arc-gv, and the linear programme over AdaBoost's rules, have larger "
        f"minimum margins and often a higher test error. {ROUNDS} rounds, {len(cells)} sets, "
        f"{cuts} cuts each; trees have a depth of 3.\n\n"
        + table(["rules", "booster", "minimum margin", "mean margin", "test error"], rows)
        + "\n\n"
        + table(["rules", "booster", "minimum margin more", "test error more", "verdict"], lines)
        + "\n\n![margins and errors](margins.png)"
    )


def hull_part(folder: Path, cells: dict[str, list[Any]]) -> str:
    """The rate, and radius against rounds."""
    first = next(iter(cells.values()))[0]
    radii = list(first)
    picture, axes = figure(1, 2, 8.0, 3.6)
    rounds = np.array(HULL_ROUNDS)
    shown = "8" if "8" in radii else radii[-1]
    for data, cuts in cells.items():
        own = cuts[0][shown]
        excess = np.maximum(np.array(own["losses"]) - own["lower"], 1e-6)
        axes[0, 0].plot(rounds, excess, lw=1, label=data)
    bound = 2.0 * float(shown) ** 2 / (rounds + 3)
    axes[0, 0].plot(rounds, bound, "k--", lw=1.2, label="2M / (k + 3)")
    axes[0, 0].set(
        xscale="log", yscale="log", xlabel="rounds k", title=f"loss above its bound, radius {shown}"
    )
    axes[0, 0].legend(frameon=False, fontsize=6, loc=(0.02, 0.55), ncol=2)
    errors = {
        radius: np.array([
            np.mean([cut[radius]["errors"] for cut in cuts], axis=0) for cuts in cells.values()
        ]).mean(axis=0)
        for radius in radii
    }  # fmt: skip
    for radius, own in errors.items():
        axes[0, 1].plot(rounds, own, marker="o", ms=3, lw=1, label=f"radius {radius}")
    axes[0, 1].set(xscale="log", xlabel="rounds (L0)", title="mean test error")
    axes[0, 1].legend(frameon=False, fontsize=7)
    save(picture, folder / "hull.png")
    worst = max(
        (loss - cut[radius]["lower"]) / (2.0 * float(radius) ** 2 / (k + 3))
        for cuts in cells.values()
        for cut in cuts
        for radius in radii
        for k, loss in zip(HULL_ROUNDS, cut[radius]["losses"], strict=True)
    )
    kept = [0, 3, 6, 8]
    rows = [[radius, *(f"{own[k]:.4f}" for k in kept)] for radius, own in errors.items()]
    return (
        "## The convex hull: the rate, and radius against rounds\n\nThe excess of the training "
        "loss over the lower bound of the run, divided by 2 M / (k + 3), was at most "
        f"{worst:.3f} in all rounds shown of all runs, so the rate "
        f"{'holds' if worst <= 1 else 'does NOT hold'}. Test error by radius (L1) and rounds (L0), "
        f"the mean of {len(cells)} sets with {min(map(len, cells.values()))} cuts each:\n\n"
        + table(["radius", *(f"{HULL_ROUNDS[k]} rounds" for k in kept)], rows)
        + "\n\nWith a small radius more rounds change little: the radius bounds the complexity. "
        "With a large one the number of rounds does.\n\n"
        "![rate, and radius against rounds](hull.png)"
    )


def gain_part(folder: Path, cells: dict[str, list[Any]]) -> str:
    """Who gains from boosting, with weights or with drawn rows."""
    kinds = list(next(iter(cells.values()))[0])
    picture, axes = figure(1, 1, 6.5, 3.4)
    rows = []
    for place, kind in enumerate(kinds):
        own = np.array([np.mean([cut[kind] for cut in cuts], axis=0) for cuts in cells.values()])
        weights, drawn = interval(own[:, 0] - own[:, 1]), interval(own[:, 1] - own[:, 2])
        means = [f"{value:.4f}" for value in own.mean(axis=0)]
        rows.append([
            kind, *means, f"{weights[0]:+.4f} ± {weights[1]:.4f}",
            verdict(*weights, "gains", "loses"), f"{drawn[0]:+.4f} ± {drawn[1]:.4f}",
        ])  # fmt: skip
        axes[0, 0].errorbar(place, weights[0], yerr=weights[1], fmt="o", color="C0", capsize=3)
    axes[0, 0].axhline(0.0, color="0.7", lw=0.8)
    axes[0, 0].set_xticks(range(len(kinds)), kinds, rotation=20, fontsize=8)
    axes[0, 0].set_ylabel("error alone minus boosted")
    save(picture, folder / "gain.png")
    head = ["learner", "alone", "boosted", "boosted, drawn rows", "gain", "verdict"]
    return (
        "## Who gains from boosting, with weights or with drawn rows\n\nTest errors of a learner "
        "alone, boosted by weights and boosted by rows drawn in proportion to them "
        "(`ForeignLearner(..., resample=True)`); 50 rounds, 10 for the neural network, which takes "
        "no weights and is fitted to drawn rows in both. The last column is what weights have more "
        f"than drawn rows. {len(cells)} sets, {min(len(own) for own in cells.values())} cuts "
        "each.\n\n"
        + table([*head, "weights more than drawn"], rows)
        + "\n\nBoosting fails where a learner is too weak for the weights it is given, where it "
        "has no variety left (a linear rule of linear rules), and with too complex rules: a "
        "whole tree makes no mistake on the training rows, so one round is all.\n\n"
        "![gain](gain.png)"
    )


def bias_part(folder: Path, cells: dict[str, list[Any]]) -> str:
    """Bias and variance."""
    models = list(next(iter(cells.values()))[0])
    rows = []
    picture, axes = figure(1, len(cells), 8.5, 3.2)
    for place, (problem, (own,)) in enumerate(cells.items()):
        for name in models:
            error, bias, variance = own[name]
            rows.append([problem, name, f"{error:.4f}", f"{bias:.4f}", f"{variance:.4f}"])
        bars = np.array([own[name] for name in models])
        axes[0, place].barh(models, bars[:, 1], label="bias")
        axes[0, place].barh(models, bars[:, 2], left=bars[:, 1], label="variance", alpha=0.7)
        axes[0, place].set_title(problem, fontsize=9)
        axes[0, place].invert_yaxis()
        if place:
            axes[0, place].set_yticks([])
    axes[0, 0].legend(frameon=False, fontsize=7)
    save(picture, folder / "bias.png")
    low = sum(own["boosted stumps"][1] < own["a stump"][1] for (own,) in cells.values())
    less = sum(
        abs(own["bagging"][1] - own["a tree"][1]) < own["a tree"][2] - own["bagging"][2]
        for (own,) in cells.values()
    )
    return (
        f"## Bias and variance\n\n{SAMPLES} training sets of {TRAINING} rows of Breiman's "
        "problems, split after Kohavi and Wolpert (bias has the noise in it). Bagging lowers "
        f"variance more than it changes bias: {less} of {len(cells)} problems. Boosting stumps "
        f"lowers their bias: {low} of {len(cells)}.\n\n"
        + table(["problem", "model", "error", "bias", "variance"], rows)
        + "\n\n![bias and variance](bias.png)"
    )

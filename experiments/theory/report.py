"""README.md and its figures, from the cells."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.figures import figure, save
from experiments.tables import table
from experiments.theory import failing, logistic
from experiments.theory.intervals import interval, more, shown, verdict
from experiments.theory.runs import BOOSTED, HULL_ROUNDS, ROUNDS, SAMPLES, TRAINING

BASE = "AdaBoost"
CLAIMS = (
    ("bagging minus a tree", "bagging", "a tree"),
    ("a forest minus a tree", "a forest", "a tree"),
    ("boosted stumps minus a stump", "boosted stumps", "a stump"),
    ("boosted trees minus a tree", "boosted trees", "a tree"),
)
"""Pairs of models, whose bias and variance are compared."""


def write(folder: Path, cells: Mapping[str, Any]) -> None:
    """The page and its figures."""
    parts = [
        "# Claims of the theory of boosting, tried\n\n`python -m experiments.theory` computes what "
        "is missing and writes this page. Seven tables of the UCI repository with two classes, two "
        "thirds of the rows (at most 1,000) to learn from. A difference is the mean over the sets "
        "of what one model has more than another, with a 95% interval of Student's t over the "
        "sets: few sets, so these are wide.",
        margin_part(folder, by_part(cells, "margin")),
        logistic.report(folder, by_part(cells, "minimisers")["all"], by_part(cells, "parallel")),
        hull_part(folder, by_part(cells, "hull")),
        gain_part(folder, by_part(cells, "gain")),
        failing.report(folder, by_part(cells, "fails")["all"]),
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
            apart = own - means[BASE]
            margin, error = interval(apart[:, 0]), interval(apart[:, 2])
            lines.append([
                kind, name, more(*margin), more(*error),
                f"margin {verdict(*margin, 'larger', 'smaller')}, "
                f"error {verdict(*error, 'higher', 'lower')}; "
                f"higher on {(apart[:, 2] > 0).sum()} of {len(apart)} sets",
            ])  # fmt: skip
            axes[0, place].scatter(apart[:, 0], apart[:, 2], label=name, s=22)
            axes[0, place].errorbar(
                margin[0], error[0], error[1], margin[1], fmt="D", ms=4, capsize=3,
                color="0.3", lw=1,
            )  # fmt: skip
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
        f"minimum margins and often a higher test error. {ROUNDS['stumps']} rounds of stumps and "
        f"{ROUNDS['trees']} of C4.5-like trees, {len(cells)} sets, {cuts} cuts each. In the "
        "picture a dot is a set, a diamond the mean with its intervals.\n\n"
        + table(["rules", "booster", "minimum margin", "mean margin", "test error"], rows)
        + "\n\n"
        + table(["rules", "booster", "minimum margin more", "test error more", "verdict"], lines)
        + "\n\nThe trees are C4.5-like because Grove and Schuurmans used C4.5. All their "
        "tests have two sides, and rows with missing values are not divided. This was decided "
        "after a first run with trees of depth 3, in which arc-gv had smaller margins than "
        "AdaBoost: most of its runs ended after some 100 rounds, when no tree had a greater edge."
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
    picture, axes = figure(1, 2, 9.0, 3.6)
    rows = []
    look = {"fmt": "o", "color": "C0", "capsize": 3}
    for place, kind in enumerate(kinds):
        own = np.array([np.mean([cut[kind] for cut in cuts], axis=0) for cuts in cells.values()])
        weights, drawn = interval(own[:, 0] - own[:, 1]), interval(own[:, 1] - own[:, 2])
        better = int((own[:, 0] > own[:, 1]).sum())
        rows.append([
            kind, *(f"{value:.4f}" for value in own.mean(axis=0)), more(*weights),
            f"{verdict(*weights, 'gains', 'loses')}; better on {better} of {len(own)}",
            more(*drawn), verdict(*drawn, "drawn rows better", "weights better"),
        ])  # fmt: skip
        axes[0, 0].errorbar(place, weights[0], yerr=weights[1], **look)
        axes[0, 1].errorbar(place, drawn[0], yerr=drawn[1], **look)
    for each, title in zip(
        axes[0], ("error alone minus boosted", "error with weights minus drawn rows"), strict=True
    ):
        each.axhline(0.0, color="0.7", lw=0.8)
        each.set_xticks(range(len(kinds)), kinds, rotation=30, ha="right", fontsize=8)
        each.set_title(title, fontsize=9)
    save(picture, folder / "gain.png")
    head = ["learner", "alone", "boosted", "drawn rows", "gain", "verdict"]
    return (
        "## Who gains from boosting, with weights or with drawn rows\n\nTest errors of a learner "
        "alone, boosted by weights and boosted by rows drawn in proportion to them "
        f"(`resample=True`); {BOOSTED} rounds, 10 of the neural network (four hidden units). "
        f"{len(cells)} sets, {min(len(own) for own in cells.values())} cuts each.\n\n"
        + table([*head, "weights minus drawn", "verdict"], rows)
        + "\n\nWhole trees make no mistake on the training rows, so that one round of weights is "
        "all; drawn rows leave some out, and boosting goes on.\n\n"
        "![gain, and weights against drawn rows](gain.png)"
    )


def bias_part(folder: Path, cells: dict[str, list[Any]]) -> str:
    """Bias and variance."""
    models = list(next(iter(cells.values()))[0])
    rows, lines = [], []
    differences: dict[str, list[Any]] = {}
    picture, axes = figure(1, len(cells), 8.5, 3.2)
    for place, (problem, repeats) in enumerate(cells.items()):
        own = np.array([[repeat[name] for name in models] for repeat in repeats])
        for number, name in enumerate(models):
            rows.append([problem, name, *(shown(*interval(own[:, number, k])) for k in range(3))])
        bars = own.mean(axis=0)
        halves = [interval(own[:, number, 0])[1] for number in range(len(models))]
        axes[0, place].barh(models, bars[:, 1], label="bias")
        axes[0, place].barh(
            models, bars[:, 2], left=bars[:, 1], label="variance", alpha=0.7, xerr=halves,
            error_kw={"lw": 1, "capsize": 2},
        )  # fmt: skip
        axes[0, place].set_title(problem, fontsize=9)
        axes[0, place].invert_yaxis()
        if place:
            axes[0, place].set_yticks([])
        for what, one, other in CLAIMS:
            apart = own[:, models.index(one)] - own[:, models.index(other)]
            bias, variance = interval(apart[:, 1]), interval(apart[:, 2])
            lines.append([problem, what, more(*bias), more(*variance)])
            differences.setdefault(what, []).append((bias, variance))
    axes[0, 0].legend(frameon=False, fontsize=7)
    save(picture, folder / "bias.png")
    return (
        f"## Bias and variance\n\n{SAMPLES} training sets of {TRAINING} rows of Breiman's "
        "problems, split after Kohavi and Wolpert (bias has the noise in it), and all of it "
        f"{min(map(len, cells.values()))} times: 95% intervals over these repeats. The bars of the "
        "picture have the interval of the error.\n\n"
        + table(["problem", "model", "error", "bias", "variance"], rows)
        + "\n\nWhat one model has more than another:\n\n"
        + table(["problem", "difference", "bias", "variance"], lines)
        + f"\n\n{' '.join(_lower(what, found) for what, found in differences.items())}\n\n"
        "![bias and variance](bias.png)"
    )


def _lower(what: str, found: list[Any]) -> str:
    """On how many problems a difference of bias and of variance is below 0."""
    bias, variance = (sum(each[k][0] < -each[k][1] for each in found) for k in range(2))
    name = f"{what[0].upper()}{what[1:]}"
    return f"{name}: bias lower on {bias} of {len(found)} problems, variance on {variance}."

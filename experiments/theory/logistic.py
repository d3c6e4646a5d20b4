"""The exponential and the logistic loss: equal minimisers, and the limit of the parallel update."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from experiments.cells import Result
from experiments.figures import figure, save
from experiments.tables import table
from experiments.theory.intervals import interval, shown
from experiments.wrong_labels.data import Split
from underdog import AdaBoostClassifier, LogisticAdaBoostClassifier
from underdog.losses import Exponential, Logit

Floats = NDArray[np.float64]

SIZES = (200, 800, 3200, 12800, 51200)
"""Examples of a sample."""
ROUNDS = 600
INPUTS = np.array(list(itertools.product([0.0, 1.0], repeat=6)))
LOG_ODDS = INPUTS @ [2.0, -1.5, 1.0, 0.5, 0.0, 0.0] - 1.0
PASSES = (1, 3, 10, 30, 100, 300, 1000)
COLUMNS = 6


def minimisers(seed: int, sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> Result:
    """How far both boosters are from half of the true log-odds, and from each other.

    The population has six columns of two values, whose log-odds are a sum over the columns.
    """
    rng = np.random.default_rng([seed, 8])
    found = {}
    for size in sizes:
        X = INPUTS[rng.integers(0, len(INPUTS), size)]
        true = X @ [2.0, -1.5, 1.0, 0.5, 0.0, 0.0] - 1.0
        y = (rng.random(size) < 1.0 / (1.0 + np.exp(-true))).astype(int)
        given = {"n_estimators": rounds, "smoothing": 0.0}
        exponential = AdaBoostClassifier(**given).fit(X, y).decision_function(INPUTS)
        logistic = LogisticAdaBoostClassifier(**given).fit(X, y).decision_function(INPUTS) / 2.0
        found[str(size)] = [
            rms(exponential - LOG_ODDS / 2.0),
            rms(logistic - LOG_ODDS / 2.0),
            rms(exponential - logistic),
        ]
    return found


def rms(values: Floats) -> float:
    """The root of the mean square."""
    return float(np.sqrt((values**2).mean()))


def parallel(own: Split, passes: tuple[int, ...] = PASSES) -> Result:
    """The loss of the parallel update above that of logistic regression, by passes.

    The columns with the most different means in both classes, cut at their medians.
    """
    X, y = own.X, own.y
    apart = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) / (X.std(axis=0) + 1e-9)
    binary = (np.median(X, axis=0) < X).astype(float)
    varied = (binary.mean(axis=0) > 0.02) & (binary.mean(axis=0) < 0.98)
    kept = [k for k in np.argsort(-apart, kind="stable") if varied[k]][:COLUMNS]
    binary = binary[:, kept]
    regression = LogisticRegression(C=np.inf, tol=1e-10, max_iter=5000).fit(binary, y)
    expected = regression.decision_function(binary)
    rounds = passes[-1] * binary.shape[1]
    model = LogisticAdaBoostClassifier(update="parallel", n_estimators=rounds, smoothing=0.0)
    model.fit(binary, y)
    signs = np.where(y == 1, 1.0, -1.0)
    least = float(np.logaddexp(0.0, -signs * expected).mean())
    history = model.history_["loss"]  # it may end earlier, when no step is left
    losses = [float(history[min(k * binary.shape[1], len(history)) - 1]) for k in passes]
    # Where a column decides alone the best coefficients are not finite, but probabilities are.
    different = np.abs(model.predict_proba(binary) - regression.predict_proba(binary)).max()
    return {"least": least, "losses": losses, "largest difference": float(different)}


def curves() -> tuple[Floats, Floats, Floats]:
    """Margins z, and ln(1 + e^-2z) + 1 - ln 2 and e^-z, as the library has them."""
    z = np.linspace(-2.0, 2.0, 161)
    one = np.ones((1, 1), dtype=np.uint8)
    both = [
        np.array([loss.mean(np.array([[f]]), one, np.ones(1)) for f in z])
        for loss in (Logit(), Exponential())
    ]
    return z, both[0] + 1.0 - np.log(2.0), both[1]


def report(folder: Path, samples: list[Any], sets: dict[str, list[Any]]) -> str:
    """The part of the page, with its figure."""
    picture, axes = figure(1, 3, 10.0, 3.4)
    z, logistic, exponential = curves()
    axes[0, 0].plot(z, exponential, label="exp(-z)")
    axes[0, 0].plot(z, logistic, label="ln(1 + exp(-2z)) + 1 - ln 2")
    axes[0, 0].plot(z, 1.0 - z + z**2 / 2.0, "k:", lw=1, label="1 - z + z²/2")
    axes[0, 0].set(xlabel="margin z", title="losses", ylim=(0.0, 7.5))
    axes[0, 0].legend(frameon=False, fontsize=7)
    sizes = [int(size) for size in samples[0]]
    own = np.array([[sample[str(size)] for size in sizes] for sample in samples])
    names = ("AdaBoost to the truth", "logistic to the truth", "to each other")
    rows = []
    for place, name in enumerate(names):
        found = [interval(own[:, k, place]) for k in range(len(sizes))]
        means, halves = np.array(found).T
        axes[0, 1].errorbar(
            sizes, means, yerr=halves, marker="o", ms=3, lw=1, capsize=2, label=name
        )
        rows.append([name, *(shown(*each) for each in found)])
    axes[0, 1].set(xscale="log", yscale="log", xlabel="examples", title="distance of scores")
    axes[0, 1].legend(frameon=False, fontsize=7)
    above, far = [], []
    for data, cuts in sets.items():
        excess = np.mean([np.array(cut["losses"]) - cut["least"] for cut in cuts], axis=0)
        passes = PASSES[: len(excess)]
        axes[0, 2].plot(passes, np.maximum(excess, 1e-12), marker="o", ms=3, lw=1, label=data)
        above.append(excess)
        far.append(np.mean([cut["largest difference"] for cut in cuts]))
    axes[0, 2].set(xscale="log", yscale="log", xlabel="passes", title="loss above regression's")
    axes[0, 2].legend(frameon=False, fontsize=6)
    save(picture, folder / "logistic.png")
    last = interval(np.array(above)[:, -1])
    difference = interval(np.array(far))
    below = bool((logistic <= exponential + 1.0 - np.log(2.0) + 1e-12).all())
    third = np.abs(logistic - exponential)[np.abs(z) <= 0.25] / 0.25**3
    return (
        "## The logistic and the exponential loss\n\n(8) <= (9) of Schapire's overview, "
        f"ln(1 + exp(-2z)) <= exp(-z) at 161 margins: {'holds' if below else 'does NOT hold'}. "
        "With 1 - ln 2 added, both have the Taylor terms 1 - z + z²/2: for |z| <= 1/4 they differ "
        f"by at most {third.max():.2f} |1/4|³. Equal minimisers: root mean square distances of "
        "the scores of 64 inputs to half of the true log-odds, and to each other, in samples "
        f"of a population whose log-odds are a sum over six columns; {len(samples)} samples of "
        "each size, 95% intervals:\n\n"
        + table(["distance", *(f"{size:,} examples" for size in sizes)], rows)
        + f"\n\nThe parallel update after {PASSES[len(above[0]) - 1]:,} passes over {COLUMNS} "
        f"columns of two values: its loss is {last[0]:.1e} ± {last[1]:.1e} above the least of "
        f"logistic regression, and the largest difference of two probabilities is "
        f"{difference[0]:.1e} ± {difference[1]:.1e} ({len(sets)} sets, "
        f"{min(map(len, sets.values()))} cuts each).\n\n"
        "![losses, minimisers and the parallel update](logistic.png)"
    )

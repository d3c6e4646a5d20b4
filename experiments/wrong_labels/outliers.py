"""One cell: which flipped labels of one cut are found, by weights and by left-out probabilities."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.wrong_labels.data import SHARES, split
from experiments.wrong_labels.runs import MODELS
from underdog.inspection import hardest, suspects

LOOKED = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)
"""How many examples are looked at, as multiples of the number of flipped labels."""
WEIGHED = ("AdaBoost", "logistic")
"""Models whose heaviest examples are looked at."""
LEFT_OUT = ("logistic", "gradient boosting")
"""Models that give left-out probabilities."""
SEEDS = 3


def names(sets: Sequence[str], seeds: int = SEEDS) -> Iterator[str]:
    """Of all cells; nothing is flipped in the first share."""
    for seed in range(seeds):
        for one in sets:
            yield from (f"{one}/{share}/{seed}" for share in SHARES[1:])


def measured(order: Sequence[int], flipped: NDArray[np.bool_]) -> list[list[float]]:
    """Precision and recall of the first examples, for each multiple in `LOOKED`."""
    total = int(flipped.sum())
    hits = np.cumsum(flipped[np.asarray(order, dtype=np.int64)])
    counts = [min(max(round(part * total), 1), len(hits)) for part in LOOKED]
    return [[float(hits[n - 1] / n), float(hits[n - 1] / total)] for n in counts]


def chosen(rows: Sequence[int], flipped: NDArray[np.bool_]) -> list[float]:
    """Precision, recall, and how many were listed per flipped label."""
    hits, total = int(flipped[np.asarray(rows, dtype=np.int64)].sum()), int(flipped.sum())
    return [hits / max(len(rows), 1), hits / total, len(rows) / total]


def run(name: str) -> dict[str, Any]:
    """By detector: `measured`; and for those that say how many to look at, `chosen`."""
    which, share, seed = name.split("/")
    data = split(which, float(share), int(seed))
    n, curves, counts = len(data.y), {}, {}
    for title in WEIGHED:
        model = MODELS[title]().fit(data.X, data.y)
        order = hardest(model, data.X, data.y, n).rows
        curves[f"{title}, weight"] = measured(order, data.flipped)
    for title in LEFT_OUT:
        found = suspects(MODELS[title](), data.X, data.y, n)
        curves[f"{title}, left out"] = measured(found.rows, data.flipped)
        few = suspects(None, None, data.y, probabilities=found.probabilities)
        counts[f"{title}, left out"] = chosen(few.rows, data.flipped)
        if find_spec("cleanlab"):
            from cleanlab.filter import find_label_issues

            rows = find_label_issues(data.y, found.probabilities, n_jobs=1)
            counts[f"{title}, cleanlab"] = chosen(np.flatnonzero(rows).tolist(), data.flipped)
    return {"curves": curves, "counts": counts}

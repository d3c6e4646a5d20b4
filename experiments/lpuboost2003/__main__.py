"""The experiments of Leskovec and Shawe-Taylor (2003), from the raw archive to tables and figures.

python -m experiments.lpuboost2003            all that is missing, then README.md and figures
python -m experiments.lpuboost2003 --only 1   only Table 1 (also: 2, 4, 5, baselines, small)
python -m experiments.lpuboost2003 --quick    a small subset, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.lpuboost2003 import baselines, curves, grid, report, small
from experiments.lpuboost2003.data import FOLDS, TOPICS, Sample, corpus, small_topics
from experiments.lpuboost2003.small_report import SmallTopics

HERE = Path(__file__).resolve().parent
POSITIVES = (5, 10, 20, 50, 100, 300, 1000)
SEEDS = range(3)
QUICK_DOCUMENTS = 800
QUICK_SMALL = 27
"""The short form takes one in so many of the small topics."""
PARTS = ("1", "2", "baselines", "4", "5", "small")


def run(parts: Sequence[str], folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells of these parts, then write tables and figures of all that is there."""
    documents = QUICK_DOCUMENTS if quick else None
    topics = ("earn", "ship") if quick else TOPICS
    data = corpus(documents)
    cells = Cells(folder / "cells.json.gz", data.fingerprint, cache)
    settings = list(grid.settings(quick))
    whole = [Sample(topic) for topic in topics]
    # the smallest first: the two largest take most of the time
    folds = [Sample(topic, fold=fold) for topic in reversed(topics) for fold in range(FOLDS)]
    if "1" in parts:
        names = [grid.name(*pair) for pair in product(whole, settings)]
        cells.compute(names, partial(grid.run, documents=documents), "Table 1")
    if "baselines" in parts:
        names = [f"{sample}/{how}" for sample in [*whole, *folds] for how in baselines.SETTINGS]
        cells.compute(names, partial(baselines.run, documents=documents), "Baselines")
    if "2" in parts:
        names = [grid.name(*pair) for pair in product(folds, settings)]
        cells.compute(names, partial(grid.run, documents=documents), "Table 2")
    if "5" in parts:
        names = [grid.name(*pair) for pair in product(shrunk(quick), settings)]
        cells.compute(names, partial(grid.run, documents=documents), "Figure 5")
    if "4" in parts:
        names = curves.names(cells, settings, topics)
        cells.compute(names, partial(curves.run, documents=documents), "Figure 4")
    few = small_topics(data)[:: QUICK_SMALL if quick else 1]
    if "small" in parts:
        boosters, others = small.names(few, quick)
        cells.compute(boosters, partial(grid.run, documents=documents), "Small topics")
        cells.compute(others, partial(baselines.run, documents=documents), "their baselines")
    cells.pack()
    section = SmallTopics(cells, data, few, topics, settings, quick).write(folder)
    report.write(folder, cells, data, settings, topics, list(shrunk(quick)), section)


def shrunk(quick: bool) -> Iterator[Sample]:
    """The two largest topics with few of their positives."""
    for topic in ("earn",) if quick else ("earn", "acq"):
        for positives in (20, 100) if quick else POSITIVES:
            for seed in SEEDS[:2] if quick else SEEDS:
                yield Sample(topic, positives=positives, seed=seed)


if __name__ == "__main__":
    main(__doc__, run, HERE, PARTS)

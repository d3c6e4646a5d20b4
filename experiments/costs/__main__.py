"""Boosters with costs and their baselines on 46 imbalanced sets, to tables and figures.

python -m experiments.costs            all that is missing, then README.md and figures
python -m experiments.costs --quick    a small subset, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

import sys
from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.costs import report, runs
from experiments.costs.data import BUILT_IN, QUICK, REPETITIONS, archive, fingerprint
from experiments.costs.models import ROUNDS, SETTINGS

HERE = Path(__file__).resolve().parent
QUICK_COSTS = ("20",)
QUICK_ROUNDS = 5


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write tables and figures."""
    sets = list(slice_of_sets() if quick else archive())
    costs = QUICK_COSTS if quick else runs.COSTS
    rounds, repetitions = (QUICK_ROUNDS, 1) if quick else (ROUNDS, REPETITIONS)
    cells = Cells(folder / "cells.json.gz", fingerprint(sets, f"{SETTINGS} {rounds=}"), cache)
    work = partial(runs.run, costs=costs, rounds=rounds)
    cells.compute(runs.names(sets, costs, repetitions), work, "Costs")
    cells.pack()
    report.write(folder, cells, sets, costs, repetitions)


def slice_of_sets() -> tuple[str, ...]:
    """Two sets of the archive, or two that are built in where it is not there."""
    try:
        archive()
    except SystemExit as missing:
        print(f"{missing} Two sets of scikit-learn stand in.", file=sys.stderr)
        return tuple(BUILT_IN)
    return QUICK


if __name__ == "__main__":
    main(__doc__, run, HERE)

"""Gradient boosting on random targets, after Friedman 2001: losses and boosters compared.

python -m experiments.friedman            all that is missing, then README.md and the figure
python -m experiments.friedman --quick    two targets and few rounds, printed and not kept

Needs no data. Uses all cores, one thread for each fit. Ctrl-C keeps what is finished; run again to
go on.
"""

from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.friedman import report, runs

HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    plan = runs.QUICK if quick else runs.FULL
    cells = Cells(folder / "cells.json.gz", plan.mark, cache)
    cells.compute(plan.names(), partial(runs.run, plan=plan), "friedman")
    cells.pack()
    report.write(folder, cells, plan)


if __name__ == "__main__":
    main(__doc__, run, HERE)

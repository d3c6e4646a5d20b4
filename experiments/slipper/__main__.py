"""Errors and sizes of SLIPPER's rule sets, of other rule learners and of ensembles.

python -m experiments.slipper               all that is missing, then README.md and the figure
python -m experiments.slipper --only labor  one set of data; may be repeated
python -m experiments.slipper --quick       labor with few rounds, printed and not kept

Needs the folder `uci` of the shared data, wittgenstein and imodels. Uses all cores, one thread for
each fit. Ctrl-C keeps what is finished; run again to go on.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.slipper import report, runs

HERE = Path(__file__).resolve().parent


def run(sets: Sequence[str], folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables and the figure."""
    plan = runs.QUICK if quick else runs.FULL
    cells = Cells(folder / "cells.json.gz", plan.mark, cache)
    wanted = ["labor"] if quick else sets
    cells.compute(plan.names(wanted), partial(runs.run, plan=plan), "slipper")
    cells.pack()
    report.write(folder, cells, plan)


if __name__ == "__main__":
    main(__doc__, run, HERE, runs.SETS)

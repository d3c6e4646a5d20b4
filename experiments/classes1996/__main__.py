"""AdaBoost.M1 and M2 with stumps and C4.5-like trees on data of UCI.

python -m experiments.classes1996               all that is missing, then README.md and the figure
python -m experiments.classes1996 --only iris   one set of data; may be repeated
python -m experiments.classes1996 --quick       iris with few rounds, printed and not kept

After Freund and Schapire 1996. Needs the folder `uci` of the shared data. Uses all cores, one
thread for each fit. Ctrl-C keeps what is finished; run again to go on.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.classes1996 import report, runs
from experiments.command import main

HERE = Path(__file__).resolve().parent


def run(sets: Sequence[str], folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the table and the figure."""
    plan = runs.QUICK if quick else runs.FULL
    cells = Cells(folder / "cells.json.gz", plan.mark, cache)
    wanted = ["iris"] if quick else sets
    cells.compute(plan.names(wanted), partial(runs.run, plan=plan), "classes1996")
    cells.pack()
    report.write(folder, cells, plan)


if __name__ == "__main__":
    main(__doc__, run, HERE, runs.SETS)

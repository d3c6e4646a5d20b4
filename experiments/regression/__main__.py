"""Gradient boosting of means and quantiles beside other libraries, on three tables.

python -m experiments.regression            all that is missing, then README.md
python -m experiments.regression --quick    one small table, printed and not kept

Uses all cores, one thread for each fit. Ctrl-C keeps what is finished; run again to go on.
"""

from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.regression import report, runs
from experiments.regression.data import BUILT_IN, SETS, fingerprint

HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    sets = list(BUILT_IN if quick else SETS)
    cells = Cells(folder / "cells.json.gz", fingerprint(sets, runs.SETTINGS), cache)
    cells.compute(runs.names(sets), runs.run, "regression")
    cells.pack()
    report.write(folder, cells, sets)


if __name__ == "__main__":
    main(__doc__, run, HERE)

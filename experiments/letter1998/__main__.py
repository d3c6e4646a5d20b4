"""Errors and margins of 1,000 boosted C4.5-like trees on letters.

python -m experiments.letter1998            the run, then README.md and the figure
python -m experiments.letter1998 --quick    few rounds and rows, printed and not kept

After Schapire, Freund, Bartlett and Lee 1998. Needs `uci/letter.csv.gz` of the shared data. The run
takes some minutes on one core.
"""

from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.letter1998 import report, runs

HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cell, then write the table and the figure."""
    plan = runs.QUICK if quick else runs.FULL
    cells = Cells(folder / "cells.json.gz", plan.mark, cache)
    cells.compute([runs.CELL], partial(runs.run, plan=plan), "letter1998")
    cells.pack()
    report.write(folder, cells[runs.CELL])


if __name__ == "__main__":
    main(__doc__, run, HERE)

"""Boosters on tables and messages with flipped labels.

python -m experiments.wrong_labels            all that is missing, then README.md and the figures
python -m experiments.wrong_labels --quick    one set, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.wrong_labels import digits, outliers, report, runs
from experiments.wrong_labels.data import SETS, fingerprint

QUICK = ("hepatitis",)
HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    sets = QUICK if quick else SETS
    cells = Cells(folder / "cells.json.gz", fingerprint(sets), cache)
    cells.compute(runs.names(sets, 1 if quick else runs.SEEDS), runs.run, "wrong labels")
    cells.pack()
    found = Cells(folder / "outliers.json.gz", fingerprint(sets), cache)
    found.compute(outliers.names(sets, 1 if quick else outliers.SEEDS), outliers.run, "outliers")
    found.pack()
    digits.draw(folder / "digits.png")
    report.write(folder, cells, found)


if __name__ == "__main__":
    main(__doc__, run, HERE)

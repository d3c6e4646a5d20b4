"""Errors and sizes of readable models on two-class data of UCI.

python -m experiments.readable_rules               all that is missing, then README.md
python -m experiments.readable_rules --only labor  one set of data; may be repeated
python -m experiments.readable_rules --quick       labor, printed and not kept

Needs the folder `uci` of the shared data. Uses all cores. Ctrl-C keeps what is finished; run again
to go on.
"""

from collections.abc import Sequence
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.readable_rules import report, runs
from experiments.readable_rules.models import available

HERE = Path(__file__).resolve().parent


def run(sets: Sequence[str], folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    cells = Cells(folder / "cells.json.gz", runs.MARK, cache)
    wanted = runs.names(["labor"] if quick else sets, available())
    cells.compute(wanted, runs.run, "readable rules")
    cells.pack()
    report.write(folder, cells)


if __name__ == "__main__":
    main(__doc__, run, HERE, runs.SETS)

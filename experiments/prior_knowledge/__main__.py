"""Rules of a person, training data and both, by the number of training examples.

python -m experiments.prior_knowledge            all that is missing, then README.md
python -m experiments.prior_knowledge --quick    few examples, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.prior_knowledge import report, runs
from experiments.prior_knowledge.data import SETS, SIZES, fingerprint

HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    sets, sizes = (SETS[:1], SIZES[:2]) if quick else (SETS, SIZES)
    cells = Cells(folder / "cells.json.gz", fingerprint(sets), cache)
    cells.compute(runs.names(sets, sizes, 2 if quick else runs.SEEDS), runs.run, "prior knowledge")
    cells.pack()
    report.write(folder, cells)


if __name__ == "__main__":
    main(__doc__, run, HERE)

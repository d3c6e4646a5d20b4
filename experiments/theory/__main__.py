"""Claims of the theory of boosting, tried: margins, the convex hull, bias and variance, who gains.

python -m experiments.theory            all that is missing, then README.md
python -m experiments.theory --quick    one set and one cut, printed and not kept

Ctrl-C keeps what is finished; run again to go on.
"""

from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.theory import report, runs
from experiments.wrong_labels.data import UCI, fingerprint

HERE = Path(__file__).resolve().parent
QUICK = ("ionosphere",)


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write tables and figures."""
    sets = QUICK if quick else UCI
    mark = fingerprint(sets) + ("q" if quick else "")
    cells = Cells(folder / "cells.json.gz", mark, cache)
    cells.compute(runs.names(sets, quick), partial(runs.run, quick=quick), "theory")
    cells.pack()
    report.write(folder, cells)


if __name__ == "__main__":
    main(__doc__, run, HERE)

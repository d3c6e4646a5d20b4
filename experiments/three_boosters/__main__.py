"""Discrete MH, discrete MR and real MH on questions: errors by round.

python -m experiments.three_boosters            all that is missing, then README.md and the figure
python -m experiments.three_boosters --quick    few rounds and questions, printed and not kept

After Schapire and Singer 1999 and 2000. Needs the folder `text` of the shared data. Uses all cores,
one thread for each fit. Ctrl-C keeps what is finished; run again to go on.
"""

from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.three_boosters import report, runs

HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the table and the figure."""
    plan = runs.QUICK if quick else runs.FULL
    cells = Cells(folder / "cells.json.gz", plan.mark, cache)
    cells.compute(plan.names(), partial(runs.run, plan=plan), "three boosters")
    cells.pack()
    report.write(folder, cells, plan)


if __name__ == "__main__":
    main(__doc__, run, HERE)

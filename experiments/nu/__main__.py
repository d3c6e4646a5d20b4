"""Soft-margin boosters with several values of nu, on imbalanced tables and rare topics.

python -m experiments.nu            all that is missing, then README.md
python -m experiments.nu --quick    two tables, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

from functools import partial
from pathlib import Path

from experiments.cells import Cells
from experiments.command import main
from experiments.costs.__main__ import slice_of_sets
from experiments.nu import report, runs
from experiments.nu.data import TABLES, TEXTS, fingerprint, sets, topics

QUICK_ROUNDS = 10
HERE = Path(__file__).resolve().parent


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    tables = list(slice_of_sets()) if quick else sets()
    kinds = {TABLES: tables} if quick else {TABLES: tables, TEXTS: topics()}
    mark = fingerprint(tables, repr((runs.BOOSTERS, runs.SETTINGS)), with_texts=not quick)
    cells = Cells(folder / "cells.json.gz", mark, cache)
    work = partial(runs.run, rounds=QUICK_ROUNDS if quick else runs.ROUNDS)
    cells.compute(runs.names(kinds), work, "nu")
    cells.pack()
    report.write(folder, cells, kinds)


if __name__ == "__main__":
    main(__doc__, run, HERE)

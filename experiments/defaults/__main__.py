"""Boosters with their defaults beside those of other libraries, on imbalanced tables, to tables.

python -m experiments.defaults            all that is missing, then README.md
python -m experiments.defaults --quick    two tables, printed and not kept

Uses all cores, one thread for each fit. Ctrl-C keeps what is finished; run again to go on.
"""

import argparse
import tempfile
from pathlib import Path

from experiments.cells import CACHE, Cells
from experiments.costs.__main__ import slice_of_sets
from experiments.defaults import report, runs
from experiments.nu.data import fingerprint, sets

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Compute what is missing and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a slice, printed and not kept")
    if parser.parse_args().quick:
        with tempfile.TemporaryDirectory() as folder:
            run(Path(folder), Path(folder), quick=True)
            print((Path(folder) / "README.md").read_text(encoding="utf-8"))
    else:
        run(HERE, CACHE, quick=False)


def run(folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells, then write the tables."""
    tables = list(slice_of_sets()) if quick else sets()
    mark = fingerprint(tables, repr((runs.OURS, runs.PEERS)), with_texts=False)
    cells = Cells(folder / "cells.json.gz", mark, cache)
    cells.compute(runs.names(tables), runs.run, "defaults")
    cells.pack()
    report.write(folder, cells, tables)


if __name__ == "__main__":
    main()

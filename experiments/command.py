"""What the commands of the experiments share: their options, and where results go."""

import argparse
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from experiments.cells import CACHE


def main(text: str, run: Callable[..., None], folder: Path, parts: Iterable[str] = ()) -> None:
    """Compute what is missing and write the report; with --quick only print a small subset.

    Parameters
    ----------
    text : str
        The docstring of the command.
    run : called with folder, cache and quick and, if there are parts, with those that are wanted
    folder : Path
        Of the report.
    parts : what --only can name
    """
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    known = list(parts)
    if known:
        parser.add_argument(
            "--only", choices=known, action="append", help="a part of the experiments"
        )
    parser.add_argument("--quick", action="store_true", help="a small subset, printed and not kept")
    options = parser.parse_args()
    chosen = (options.only or known,) if known else ()
    if options.quick:
        with tempfile.TemporaryDirectory() as place:
            run(*chosen, Path(place), Path(place), quick=True)
            print((Path(place) / "README.md").read_text(encoding="utf-8"))
    else:
        run(*chosen, folder, CACHE, quick=False)

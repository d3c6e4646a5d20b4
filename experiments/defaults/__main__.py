"""Models with their defaults beside those of other libraries, to tables.

python -m experiments.defaults                                  all that is missing, then README.md
python -m experiments.defaults --models lightgbm,ebm --sets uci,text    a part of it
python -m experiments.defaults --again underdog                 compute a model anew
python -m experiments.defaults --folds 2                        only the first folds
python -m experiments.defaults --page                           README.md from what is there
python -m experiments.defaults --quick                          small sets, printed and not kept

One thread for each fit, and a process for each core or as many as --processes says. Ctrl-C keeps
what is finished; run again to go on.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from experiments.cells import CACHE, CORES, Cells
from experiments.defaults import report, runs
from experiments.defaults.models import MODELS
from experiments.defaults.scores import Scores
from experiments.defaults.tasks import FOLDS, GROUPS, SHORT, Task, find, fingerprint

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Compute what is missing and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=_listed, default=[], help=", ".join(MODELS))
    parser.add_argument("--sets", type=_listed, default=[], help=f"{', '.join(GROUPS)}, or a set")
    parser.add_argument("--again", type=_listed, default=[], help="models to compute anew")
    parser.add_argument("--folds", type=int, default=FOLDS, help="compute only the first so many")
    parser.add_argument("--processes", type=int, default=CORES, help="fits side by side")
    parser.add_argument("--page", action="store_true", help="only write the page from the cells")
    parser.add_argument("--quick", action="store_true", help="small sets, printed and not kept")
    options = parser.parse_args()
    for unknown in {*options.models, *options.again} - set(MODELS):
        parser.error(f"no model is called {unknown!r}: give one of {', '.join(MODELS)}")
    if options.quick:
        with tempfile.TemporaryDirectory() as folder:
            tasks, place = list(SHORT.values()), Path(folder)
            run(tasks, options.models, place, place, processes=options.processes)
            print((Path(folder) / "README.md").read_text(encoding="utf-8"))
        return
    tasks = [] if options.page else find(options.sets)
    run(
        tasks, options.models or options.again, HERE, CACHE,
        again=options.again, folds=options.folds, processes=options.processes,
    )  # fmt: skip


def run(
    tasks: Sequence[Task],
    models: Sequence[str],
    folder: Path,
    cache: Path,
    *,
    again: Sequence[str] = (),
    folds: int = FOLDS,
    processes: int = CORES,
) -> None:
    """Compute the cells of these models (default: all that are installed), then write the page."""
    chosen = [model for model in models or MODELS if MODELS[model].there]
    short = tasks and tasks[0].name in SHORT
    every = list(tasks) if short else find()
    found: dict[str, Scores] = {}
    for group in dict.fromkeys(task.group for task in every):
        members = [task for task in every if task.group == group]
        cells = Cells(folder / f"{group}.json.gz", fingerprint(members), cache)
        wanted = [task for task in members if task in tasks]
        cells.forget(runs.names(wanted, again, folds))
        try:
            cells.compute(runs.names(wanted, chosen, folds), runs.run, group, processes)
        finally:
            if cells:
                cells.pack()
        found |= cells
    report.write(folder, found, every)


def _listed(text: str) -> list[str]:
    return text.split(",")


if __name__ == "__main__":
    main()

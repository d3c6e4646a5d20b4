"""Text results of AdaBoost.MH, from the raw archives to tables and figures.

python -m experiments.boostexter               all that is missing, then README.md and figures
python -m experiments.boostexter --only words  only Reuters as words (also: pairs, trec, apart)
python -m experiments.boostexter --quick       a small subset, printed and not kept

Uses all cores. Ctrl-C keeps what is finished; run again to go on.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.boostexter import report, runs
from experiments.boostexter.data import corpora, fingerprint
from experiments.cells import Cells
from experiments.command import main

HERE = Path(__file__).resolve().parent
CORPORA = {"words": "reuters/words", "pairs": "reuters/pairs", "trec": "trec/words"}
PARTS = {
    **{part: [f"{name}/{learner}" for learner in runs.LEARNERS] for part, name in CORPORA.items()},
    "apart": ["reuters/words/apart"],
}
QUICK_DOCUMENTS = 1500
QUICK_ROUNDS = 20


def run(parts: Sequence[str], folder: Path, cache: Path, *, quick: bool) -> None:
    """Compute the cells of these parts, then write tables and figures of all that is there."""
    data = corpora(list(CORPORA.values()), QUICK_DOCUMENTS if quick else None)
    cells = Cells(folder / "cells.json.gz", fingerprint(data), cache)
    names = [name for part in parts for name in PARTS[part]]
    rounds = QUICK_ROUNDS if quick else runs.ROUNDS
    # the texts go along with each cell: sending them takes less time than reading them again
    cells.compute(names, partial(runs.run, data=data, rounds=rounds), "AdaBoost.MH")
    cells.pack()
    report.write(folder, cells)


if __name__ == "__main__":
    main(__doc__, run, HERE, PARTS)

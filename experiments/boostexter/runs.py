"""One run of AdaBoost.MH: how well it does by rounds."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.boostexter import apart
from experiments.boostexter.measures import Counts, ranking, top_errors
from experiments.lpuboost2003.data import Corpus
from underdog import AdaBoostMHClassifier

LEARNERS = {"real.mh": "real", "disc.mh": "discrete"}
ROUNDS = 1000
STAGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def run(cell: str, data: Mapping[str, Corpus], rounds: int = ROUNDS) -> dict[str, Any]:
    """Fit one learner on one corpus and measure it after so many rounds.

    Errors are counted after every round, because the question is when an error is reached; the
    other measures only after those of `STAGES`.
    """
    name, learner = cell.rsplit("/", 1)
    corpus = data[name]
    if learner == "apart":
        return apart.run(corpus, [n for n in STAGES if n <= min(rounds, apart.ROUNDS)])
    few = slice(200)  # so that loading compiled code is not part of the time
    AdaBoostMHClassifier(learner=learner, n_estimators=2).fit(corpus.X[few], corpus.Y[few])
    wall, processor = time.perf_counter(), time.process_time()
    model = AdaBoostMHClassifier(learner=learner, n_estimators=rounds).fit(corpus.X, corpus.Y)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    Y, Y_test = (matrix.toarray().astype(bool) for matrix in (corpus.Y, corpus.Y_test))
    return {
        "seconds": round(wall, 2),
        "processor": round(processor, 2),
        "rounds": int(model.n_iter_),
        "terms": len(corpus.terms),
        "topics": corpus.topics,
        "train": errors(Y, model.staged_decision_function(corpus.X)),
        "test": errors(Y_test, model.staged_decision_function(corpus.X_test)),
        "stages": stages(Y_test, model.staged_decision_function(corpus.X_test)),
    }


def errors(Y: NDArray[np.bool_], staged: Iterable[NDArray[np.float64]]) -> dict[str, Any]:
    """Wrong decisions, and wrong topics at the top, after every round."""
    labelled = Y.any(axis=1)
    wrong, top = [], []
    for scores in staged:
        wrong.append(int(np.sum((scores > 0) != Y)))
        top.append(top_errors(Y[labelled], scores[labelled]))
    return {
        "documents": len(Y), "labelled": int(labelled.sum()), "decisions": Y.size,
        "wrong": wrong, "top": top,
    }  # fmt: skip


def stages(Y: NDArray[np.bool_], staged: Iterable[NDArray[np.float64]]) -> dict[str, Any]:
    """Counts by topic and measures of the ranking after some of the rounds."""
    labelled = Y.any(axis=1)
    found = {}
    for number, scores in enumerate(staged, start=1):
        if number in STAGES:
            ranked = ranking(Y[labelled], scores[labelled])
            found[str(number)] = Counts.of(Y, scores > 0).kept() | {
                name: round(value, 5) for name, value in ranked.items()
            }
    return found

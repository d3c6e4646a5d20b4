"""Every topic on its own: AdaBoost once for each, which is what MP-Boost comes to.

MP-Boost chooses a term for each topic in each round. With real-valued rules the choice for one
topic does not depend on the others, but for the smoothing: it is AdaBoost on each topic alone.
"""

import time
from typing import Any

import numpy as np

from experiments.boostexter.measures import Counts
from experiments.lpuboost2003.data import Corpus
from underdog import AdaBoostClassifier

ROUNDS = 100
"""As published."""


def run(corpus: Corpus, stages: list[int]) -> dict[str, Any]:
    """Counts by topic on the test documents after so many rounds."""
    Y, Y_test = corpus.Y.toarray(), corpus.Y_test.toarray().astype(bool)
    predicted = {number: np.zeros_like(Y_test) for number in stages}
    wall = processor = 0.0
    for topic in np.flatnonzero(Y.any(axis=0)):
        began, used = time.perf_counter(), time.process_time()
        model = AdaBoostClassifier(learner="real.mh", n_estimators=stages[-1])
        model.fit(corpus.X, Y[:, topic])
        wall += time.perf_counter() - began
        processor += time.process_time() - used
        by_rounds = list(model.staged_decision_function(corpus.X_test))
        for number in stages:  # a run may end early, with a rule that makes no mistake
            predicted[number][:, topic] = by_rounds[min(number, len(by_rounds)) - 1] > 0
    return {
        "seconds": round(wall, 2),
        "processor": round(processor, 2),
        "rounds": stages[-1],
        "terms": len(corpus.terms),
        "topics": corpus.topics,
        "stages": {str(number): Counts.of(Y_test, predicted[number]).kept() for number in stages},
    }

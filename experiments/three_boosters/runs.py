"""One cell: one booster on one corpus, its errors after some of its rounds."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import source
from underdog import AdaBoostMHClassifier, AdaBoostMRClassifier, TermVectorizer
from underdog.datasets import fetch_atis_intents, fetch_trec_questions

BOOSTERS = {
    "discrete MH": (AdaBoostMHClassifier, "discrete"),
    "discrete MR": (AdaBoostMRClassifier, "discrete"),
    "real MH": (AdaBoostMHClassifier, "real"),
}
CORPORA = {
    "TREC questions": (fetch_trec_questions, "text/trec_questions.jsonl.gz"),
    "ATIS intents": (fetch_atis_intents, "text/atis_intent.jsonl.gz"),
}


@dataclass(frozen=True)
class Plan:
    """How many rounds and training documents."""

    rounds: int
    documents: int | None

    @property
    def mark(self) -> str:
        """All that a cell depends on."""
        return f"{self.rounds} rounds, {self.documents} documents"

    @property
    def shown(self) -> list[int]:
        """The rounds whose errors are kept, at even distances on a logarithmic scale."""
        steps = np.geomspace(1, self.rounds, 121)
        return sorted({round(step) for step in steps})

    def names(self) -> list[str]:
        """Of all cells."""
        return [f"{corpus}/{booster}" for corpus in CORPORA for booster in BOOSTERS]


FULL = Plan(10_000, None)
QUICK = Plan(30, 500)


@cache
def load(corpus: str, documents: int | None) -> tuple[Any, NDArray[Any], Any, NDArray[Any]]:
    """Words in at least two documents, and the classes, with the published split."""
    fetch, path = CORPORA[corpus]
    parts = []
    for subset in ("train", "test"):
        found: Any = fetch(subset=subset, archive=source(path))
        some = slice(documents if subset == "train" else None)
        parts.append((found.data[some], np.asarray(found.target_names)[found.target[some]]))
    terms = TermVectorizer(min_df=2)
    X, X_test = terms.fit_transform(parts[0][0]), terms.transform(parts[1][0])
    return X, parts[0][1], X_test, parts[1][1]


def run(cell: str, plan: Plan = FULL) -> dict[str, Any]:
    """Fit, and follow the errors.

    Returns
    -------
    dict
        rounds, train, test: the rounds whose errors are kept, and these; classes, documents,
        tested: how many there are; stop: why the run ended.
    """
    corpus, booster = cell.split("/")
    X, y, X_test, y_test = load(corpus, plan.documents)
    make, learner = BOOSTERS[booster]
    model = make(learner=learner, n_estimators=plan.rounds, n_jobs=1).fit(X, y)
    rounds = [number for number in plan.shown if number <= model.n_iter_]
    kept = set(rounds)
    found: dict[str, Any] = {"rounds": rounds, "stop": model.stop_reason_}
    for name, rows, labels in (("train", X, y), ("test", X_test, y_test)):
        staged = enumerate(model.staged_decision_function(rows), 1)
        wanted = (scores for number, scores in staged if number in kept)
        said = (model.classes_[scores.argmax(axis=1)] for scores in wanted)
        found[name] = [round(float(np.mean(each != labels)), 6) for each in said]
    sizes = {"classes": len(model.classes_), "documents": len(y), "tested": len(y_test)}
    return found | sizes

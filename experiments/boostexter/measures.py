"""How good labels and rankings are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import coverage_error, label_ranking_average_precision_score


@dataclass(frozen=True)
class Counts:
    """True positives, false alarms and misses of each topic."""

    true: NDArray[np.intp]
    false: NDArray[np.intp]
    missed: NDArray[np.intp]

    @classmethod
    def of(cls, Y: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> "Counts":
        """Counted over documents."""
        return cls((Y & predicted).sum(0), (~Y & predicted).sum(0), (Y & ~predicted).sum(0))

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> "Counts":
        """As they were kept on disk."""
        return cls(*(np.array(kept[name]) for name in ("true", "false", "missed")))

    def kept(self) -> dict[str, list[int]]:
        """As they are kept on disk."""
        return {name: getattr(self, name).tolist() for name in ("true", "false", "missed")}

    def micro(self) -> float:
        """F1 of all decisions together."""
        true, wrong = self.true.sum(), self.false.sum() + self.missed.sum()
        return float(2 * true / (2 * true + wrong)) if true else 0.0

    def f1(self, empty: float = 0.0) -> NDArray[np.float64]:
        """F1 of each topic; `empty` where it has neither documents nor alarms."""
        total = 2 * self.true + self.false + self.missed
        return np.where(total == 0, empty, 2 * self.true / np.maximum(total, 1))

    def macro(self, empty: float = 0.0) -> float:
        """Mean F1 of all topics."""
        return float(self.f1(empty).mean())

    def macro_present(self) -> float:
        """Mean F1 of the topics that have documents."""
        return float(self.f1()[self.true + self.missed > 0].mean())


def top_errors(Y: NDArray[np.bool_], scores: NDArray[np.float64]) -> int:
    """Documents whose highest score is not one of their own topics' alone.

    A tie between a right and a wrong topic is an error, as ties are in the other two measures:
    otherwise the order of the topics would count. With one label a document it is the number of
    documents that are classified wrongly.
    """
    own = np.where(Y, scores, -np.inf).max(axis=1)
    other = np.where(Y, -np.inf, scores).max(axis=1)
    return int(np.sum(other >= own))


def ranking(Y: NDArray[np.bool_], scores: NDArray[np.float64]) -> dict[str, float]:
    """BoosTexter's three measures; every document must have a label.

    one-error
        Share of documents whose topic with the highest score is wrong.
    coverage
        How far down the ranking one must go to find all topics of a document, less one: 0 is the
        top. scikit-learn's `coverage_error` counts the top as 1.
    average precision
        For each topic of a document, the share of its topics among those ranked as high or higher;
        mean over its topics, then over documents.
    """
    return {
        "one-error": top_errors(Y, scores) / len(Y),
        "coverage": float(coverage_error(Y, scores)) - 1.0,
        "average precision": float(label_ranking_average_precision_score(Y, scores)),
    }


def first_round(errors: Sequence[int], level: float) -> int | None:
    """The first round, from 1, after which there are no more errors than that."""
    reached = np.flatnonzero(np.asarray(errors) <= level)
    return int(reached[0]) + 1 if len(reached) else None

"""Training of a ranker: cross-validation by whole queries, and the final model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from underdog.cli.held_out import show_held_out
from underdog.cli.measures_table import (
    INTERVALS,
    beside,
    candidate_tables,
    evaluation_dict,
    with_intervals,
)
from underdog.cli.number_plan import NumberValidation
from underdog.cli.plan import CrossValidation, Plan, Quality, Trial, in_order
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.task import Task
from underdog.comparison.evaluation import Evaluation
from underdog.comparison.measures import ranked_by
from underdog.comparison.names import ANY_ORDER
from underdog.comparison.rank_evaluator import MeasuredRanking, RankEvaluator
from underdog.data.folds import QUERIES, Fold, FoldRows, held_out_ratio, rows_in_folds
from underdog.frames.errors import BadData, counted


@dataclass(frozen=True, eq=False)
class RankPlan(Plan):
    """How to train a ranker.

    Attributes
    ----------
    judge : how scores are measured
    query : the column of the queries
    """

    judge: RankEvaluator
    query: str

    with_classes = False

    @property
    def asked(self) -> tuple[Any, ...]:
        """By what scores are judged, and which rows are compared."""
        return (self.judge, self.query)

    @property
    def measure(self) -> str:
        """NDCG, or the pair loss if grades have no gains."""
        return self.judge.main

    def given(self, name: str, task: Task, rows: Any, X: Any) -> dict[str, Any]:
        """The query of each row."""
        return {"qid": task.groups[rows]}

    def show_target(self, screen: Screen, task: Task) -> None:
        """The grades, and how many queries have rows of several grades."""
        grades, counts = np.unique(task.y + 0.0, return_counts=True)  # -0 is 0
        about = f"{len(grades):,} grades from {grades[0]:g} to {grades[-1]:g}"
        if len(grades) <= 10:
            about = ", ".join(
                f"{g:g} ({counted(n, 'row')})"
                for g, n in zip(grades.tolist(), counts.tolist(), strict=True)
            )
        screen.message(f"{task.target or 'target'}: {about}")
        screen.message(about_queries(task, self.query))

    def make_folds(self, task: Task, X: Any) -> list[Fold]:
        """Folds of whole queries; refuse data that have nothing to rank."""
        total, *useless = count_queries(task)
        if sum(useless) == total:
            raise BadData(
                "no two rows of one query have different grades, so there is nothing to learn: "
                "check the target, and that this column has the query of each row",
                path=task.source, column=self.query,
            )  # fmt: skip
        if self.folds and total < 2:
            raise BadData(
                "all rows are of one query, but folds need at least two: --cv 0 trains without "
                "folds", path=task.source, column=self.query,
            )  # fmt: skip
        return super().make_folds(task, X)

    def fold_rows(self, task: Task, X: Any) -> FoldRows:
        """What the folds depend on; rows of a query stay together."""
        return replace(super().fold_rows(task, X), whole=QUERIES)

    def predict(self, model: Any, X: Any) -> tuple[Any, Any]:
        """Scores, and nothing else."""
        return model.predict(X), None

    def validate(self, task: Task, folds: list[Fold], found: list[Trial]) -> NumberValidation:
        """Measure a model, and any order, by queries that they were not trained on."""
        found = sorted(found, key=lambda trial: trial.fold)
        predicted = in_order([trial.scores for trial in found], folds)
        rows, parts = rows_in_folds(folds)
        by_fold: list[dict[str, float]] = []
        anyhow: list[dict[str, float]] = []
        for (_, test), (_, own) in zip(folds, parts, strict=True):
            known = task.y[test], task.groups[test]
            for scores, into in ((predicted[own], by_fold), (np.zeros(len(test)), anyhow)):
                into.append(self.judge.measure(known[0], scores, known[1]))
        ratio = held_out_ratio(folds)
        return NumberValidation(by_fold, ratio, rows, predicted, CrossValidation(anyhow, ratio))

    def assemble(self, task: Task, encoder: Any, booster: Any, result: Any) -> Any:
        """The booster, after the columns are encoded."""
        return booster if encoder is None else Pipeline([("columns", encoder), ("ranker", booster)])

    def summary(
        self, task: Task, model: Any, result: NumberValidation | None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Queries; measures, and those of any order."""
        last = model.steps[-1][1] if hasattr(model, "steps") else model
        target = {
            "query": self.query,
            "queries": last.n_queries_ + last.n_dropped_queries_,
            "queries_of_one_grade": last.n_dropped_queries_,
        }
        found: dict[str, Any] = {"measure": self.measure}
        if result is None:
            return target, found
        found["folds"] = len(result.by_fold)
        found["measures"] = with_intervals(result)
        found["baseline"] = {
            "name": ANY_ORDER,
            "meaning": "the rows of each query in no order; a tied pair counts as wrong",
            "measures": with_intervals(result.baseline),
        }
        return target, found

    def evaluate(self, task: Task, model: Any) -> dict[str, Any]:
        """Measures of held-out rows, with their intervals."""
        scores = task.naming_file(lambda: model.predict(task.X))
        measured = MeasuredRanking(self.judge, task.y, scores, task.groups)
        return evaluation_dict(Evaluation(measured))

    def show_held_out(self, screen: Screen, found: dict[str, Any]) -> None:
        """The same for people."""
        show_held_out(screen, self.name, found)

    def quality(self, task: Task, result: NumberValidation) -> Quality:
        """The main measure; no order is too good to be true."""
        own = [fold[self.measure] for fold in result.by_fold if self.measure in fold]
        return Quality(float(np.mean(own)) if own else -np.inf, nearly_perfect=False)

    def suspect(
        self, task: Task, booster: Any, result: Any, folds: list[Fold], screen: Screen
    ) -> None:
        """Nothing."""

    def show_result(self, screen: Screen, summary: dict[str, Any]) -> None:
        """Measures of the model and of any order."""
        if "measures" not in summary:
            return
        baseline = summary["baseline"]
        shown = beside(
            {summary["algorithm"]: summary["measures"]}, {baseline["name"]: baseline["measures"]}
        )
        screen.print(f"{summary['folds']}-fold cross-validation: {INTERVALS}")
        screen.print(*candidate_tables(shown, screen.width))
        screen.print(Paragraph(f"{baseline['name']}: {baseline['meaning']}."))
        screen.print(Paragraph(ranked_by(summary["measure"])))


def count_queries(task: Task) -> tuple[int, int, int]:
    """How many queries there are, how many of them have one grade only, and how many no weight."""
    grade, number = task.y, np.unique(task.groups, return_inverse=True)[1]
    total = int(number.max()) + 1
    if task.weights is not None:
        grade, number = grade[task.weights > 0.0], number[task.weights > 0.0]
    lowest, highest = np.full(total, np.inf), np.full(total, -np.inf)
    np.minimum.at(lowest, number, grade)
    np.maximum.at(highest, number, grade)
    return total, int((lowest == highest).sum()), int((lowest > highest).sum())


def about_queries(task: Task, query: str) -> str:
    """How many queries there are, and how many of them cannot be ranked."""
    total, alone, empty = count_queries(task)
    about = f"{query}: {total:,} {QUERIES[total > 1]}"
    if alone == total:
        return f"{about} with one grade only"
    out = [f"{alone:,} with one grade only"] if alone else []
    out += [f"{empty:,} with weight 0 only"] if empty else []
    return f"{about} (left out: {', '.join(out)})" if out else about

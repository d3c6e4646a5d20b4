"""A ranker from a file: scores and ranks of new rows, and how good they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import typer

from underdog.cli.loading import EvaluateOptions, Loaded
from underdog.cli.measures_table import evaluation_dict, show_evaluation, show_groups
from underdog.cli.screen import Screen
from underdog.cli.target import column_of, values_of
from underdog.cli.wording import digits_of
from underdog.comparison.evaluation import Evaluation
from underdog.comparison.rank_evaluator import MeasuredRanking, RankEvaluator
from underdog.core.queries import places_of
from underdog.data.folds import group_numbers
from underdog.frames.columns import columns_of, texts_of
from underdog.frames.errors import BadData
from underdog.inspection.rows import Contributions
from underdog.inspection.unwrap import UnwrappedModel
from underdog.reading import Data
from underdog.types import Floats, Integers


class RankModel(Loaded):
    """A model that puts the rows of a query in order."""

    missing = "a grade"

    @property
    def scoring(self) -> str:
        """Not used: single rows of a ranking have no loss."""
        return "ndcg"

    def with_prevalence(self, given: dict[str, float]) -> RankModel:
        """Refused: ranks have no shares."""
        raise typer.BadParameter(
            f"--prevalence is for classes, but {self.path} ranks rows: leave it out"
        )

    def decision(self, explained: UnwrappedModel) -> str:
        """What scores are for."""
        return "puts rows with a higher score first"

    def verdict(self, why: Contributions, X: Any) -> tuple[str, list[int], dict[str, Any]]:
        """The score."""
        score = float(why.scores[0, 0])
        return f"score {score:{digits_of([score], 6)}}", [0], {}

    def targets_of(self, data: Data, target: str | None) -> tuple[Any, Any]:
        """Grades, and the rows of the file that have one."""
        return values_of(data, self.named_target(target))

    def _scores(self, data: Data, rows: Integers) -> Floats:
        found: Floats = self.last.predict(self.table_of(data, rows))
        return found

    def _queries(self, data: Data, rows: Integers) -> Integers | None:
        """(n,) the number of the query of each row; None if the data do not have the column."""
        name = self.training.get("query")
        if name is None or data.frame is None or name not in data.frame.columns:
            return None
        texts = texts_of(dict(columns_of(data.frame.select(name)[rows]))[name])
        for place, value in enumerate(texts):
            if value is None:
                missing = BadData("the query is missing", position=place, column=name)
                raise missing.in_file(data.source, rows.tolist())
        return group_numbers(texts, len(rows))

    def columns_of(self, data: Data) -> dict[str, Any]:
        """The score, and the rank in its query if the data have the column of the queries."""
        every = np.arange(len(data))
        scores, query = self._scores(data, every), self._queries(data, every)
        if query is None:
            return {"score": scores.tolist()}
        return {"score": scores.tolist(), "rank": (places_of(query, -scores) + 1).tolist()}

    def evaluate(self, data: Data, asked: EvaluateOptions, screen: Screen) -> dict[str, Any]:
        """NDCG, mean average precision and pair loss, and those of subgroups."""
        if asked.costs is not None:
            raise typer.BadParameter(
                f"--cost is not for rankings, but {self.path} ranks rows: leave it out"
            )
        grade, rows = self.targets_of(data, asked.target)
        query = self._queries(data, rows)
        if query is None:
            name = column_of(data.frame, self.training.get("query"), data.source)
            raise BadData(f"the data have no column {name!r} of queries", path=data.source)
        judge = RankEvaluator.from_grades(grade)
        measured = MeasuredRanking(judge, grade, self._scores(data, rows), query)
        evaluation = Evaluation(measured, asked.groups(data, rows))
        queries = int(query.max()) + 1
        screen.print(f"{self.path} on {data.source}: {len(grade):,} rows, {queries:,} queries")
        show_evaluation(screen, evaluation)
        show_groups(screen, evaluation)
        return {**evaluation_dict(evaluation), "queries": queries}

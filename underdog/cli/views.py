"""Ways to look at a model: its columns, its rules, one row, the hardest rows, how many rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import typer

from underdog.cli.loading import Loaded
from underdog.cli.model_tables import (
    columns_tables,
    contribution_tables,
    has_trees,
    importances,
    introduction,
    pairs_tables,
    rules_tables,
    summary_tables,
)
from underdog.cli.screen import Paragraph
from underdog.cli.tables import table
from underdog.cli.target import naming_file
from underdog.codes.grades import GradeLabels
from underdog.codes.thresholds import ThresholdLabels
from underdog.comparison.names import TITLES
from underdog.frames.errors import BadData, row_number
from underdog.inspection import (
    Contributions,
    contributions,
    hardest,
    interactions,
    rules,
    rules_needed,
    shapes,
    suspects,
)
from underdog.inspection.numbering import RowNumbers
from underdog.inspection.unwrap import UnwrappedModel
from underdog.model.alternating import AlternatingTree
from underdog.model.median import MedianEnsemble
from underdog.reading import Data

MAX_PAIRS = 5
"""Pairs of columns that are shown after the rules."""


class View(NamedTuple):
    """One way to look at a model: for people, for programs, and how to draw it."""

    parts: list[Any]
    """Texts and tables."""
    result: dict[str, Any]
    draw: Callable[[], Any]


def rules_view(loaded: Loaded, max_display: int, data: Data | None = None) -> View:
    """The rules one by one; with data, also how strongly columns interact in them."""
    found = rules(loaded.model)
    explained, listed = found.explained, rules_tables(found, max_display)
    if not has_trees(explained):
        parts = [*_about(loaded, explained), *listed]
        return View(parts, found.to_dict(), _draw_columns(loaded))
    parts = [*_about(loaded, explained), *summary_tables(explained, max_display), *listed]
    result = {**found.to_dict(), "importances": importances(explained)}
    view = View(parts, result, _draw_columns(loaded))
    X, together = None, interactions(loaded.model)
    if data is not None:
        X = loaded.rows_of(data)
        together = naming_file(data.source, range(len(data)), lambda: interactions(loaded.model, X))
    view.parts.extend(pairs_tables(together, MAX_PAIRS))
    view.result["interactions"] = together.to_dict()["pairs"]
    if X is None or not together.each:
        return view

    def draw() -> Any:
        from underdog.displays.pairs import PairDisplay

        return PairDisplay.from_estimator(loaded.model, X, columns=together.each[0].columns)

    return view._replace(draw=draw)


def columns_view(loaded: Loaded, max_display: int, width: int) -> View:
    """What each column adds to the scores; the strongest first."""
    explained = rules(loaded.model).explained
    _refuse_median(explained, "--columns")
    if not explained.has_shapes:
        raise typer.BadParameter(
            f"some rules of this {type(explained.booster).__name__} ask about several columns at "
            "once, so --columns has nothing to show: leave it out to see the rules, or give MODEL "
            "DATA --row N to see what the columns add to the score of one row"
        )
    found = shapes(loaded.model)
    parts = [*_about(loaded, found.explained), *columns_tables(found, max_display, width)]
    return View(parts, found.to_dict(), _draw_columns(loaded))


def model_view(loaded: Loaded, max_display: int, width: int, data: Data | None) -> View:
    """What each column adds, with the rules for JSON; or the rules, if some use several columns."""
    found = rules(loaded.model)
    if not found.explained.has_shapes or _is_median(found.explained):
        return rules_view(loaded, max_display, data)
    return columns_view(loaded, max_display, width)._replace(result=found.to_dict())


def one_row_view(loaded: Loaded, data: Data, row: int, by_rule: bool, max_display: int) -> View:
    """Why one row has its score."""
    X, why = _contributions(loaded, data, [row], by_rule)

    def draw() -> Any:
        from underdog.displays.contributions import ContributionDisplay

        return ContributionDisplay.from_estimator(loaded.model, X, by=why.by)

    told, shown, more = loaded.verdict(why, X)
    parts = [row_number(row), Paragraph(told), *contribution_tables(why, shown, max_display)]
    result = {**why.to_dict(0), "row": row, **more}
    if why.explained.decider is None:
        parts += why.explained.notes
    return View(parts, result, draw)


def two_rows_view(
    loaded: Loaded, data: Data, rows: tuple[int, int], by_rule: bool, max_display: int
) -> View:
    """Why one row stands before another one."""
    _, why = _contributions(loaded, data, [*rows], by_rule)
    found = why.before(0, 1)

    def draw() -> Any:
        raise typer.BadParameter("--plot draws one row: leave --before out")

    one, other = rows
    lines = [[value, words] for value, words in found.lines(max_display)]
    title = f"row {one} before row {other}, difference of the scores:"
    return View([title, table(["", ""], lines, texts=(1,))], found.to_dict(), draw)


def _contributions(
    loaded: Loaded, data: Data, rows: list[int], by_rule: bool
) -> tuple[Any, Contributions]:
    """Rows of a file, numbered from 1, and what adds up to their scores."""
    for row in rows:
        if row > len(data):
            raise BadData(
                f"there is no row {row:,}: the data have {len(data):,} rows", path=data.source
            )
    explained = rules(loaded.model).explained
    _refuse_median(explained, "--row")
    places = [row - 1 for row in rows]
    X = loaded.rows_of(data)[places]
    by = "rule" if by_rule or not explained.has_columns else "column"
    why = naming_file(data.source, places, lambda: contributions(loaded.model, X, by=by))
    return X, dataclasses.replace(why, numbering=RowNumbers(first=1, numbers=rows))


def _is_median(explained: UnwrappedModel) -> bool:
    return isinstance(explained.booster.model_, MedianEnsemble)


def _refuse_median(explained: UnwrappedModel, option: str) -> None:
    if _is_median(explained):
        raise typer.BadParameter(
            f"{type(explained.booster).__name__} predicts the weighted median of its rules, which "
            f"has no parts that add up, so {option} has nothing to show: leave it out to see the "
            "rules"
        )


def _refuse_thresholds(loaded: Loaded, option: str) -> None:
    booster = rules(loaded.model).explained.booster
    if isinstance(booster._labels, GradeLabels):
        raise typer.BadParameter(
            f"{type(booster).__name__} compares rows, and a single row has no loss, so {option} "
            "has nothing to show: use underdog evaluate, or --row N --before M"
        )
    if isinstance(booster._labels, ThresholdLabels):
        raise typer.BadParameter(
            f"{type(booster).__name__} has a score for each threshold and no loss of its "
            f"predictions, so {option} has nothing to show: use underdog evaluate"
        )


def hardest_view(loaded: Loaded, data: Data, target: str | None, count: int) -> View:
    """The rows with the largest weights, or residuals; they are numbered as in the file."""
    _refuse_thresholds(loaded, "--hardest")
    y, rows = loaded.targets_of(data, target)
    X = loaded.rows_of(data)[rows]
    found = naming_file(
        data.source, rows, lambda: hardest(loaded.model, X, y, n=min(count, len(y)))
    )
    each = [one._replace(row=int(rows[one.row]) + 1) for one in found.each]
    measure = "loss" if found.explained.is_regressor else found.measure  # not a class of Python
    found = dataclasses.replace(found, each=each, measure=measure, numbering=RowNumbers(first=1))

    def draw() -> Any:
        from underdog.displays.hardest import HardestDisplay

        return HardestDisplay(found).plot()

    plain = dataclasses.replace(found, explained=_without_notes(found.explained))
    result = dataclasses.replace(found, numbering=RowNumbers()).to_dict()  # as in the file already
    return View([*_deciding(loaded, found.explained), plain.text()], result, draw)


def left_out_view(loaded: Loaded, data: Data, target: str | None, count: int) -> View:
    """The labels that models fitted without their rows find least probable."""
    if not hasattr(loaded.last, "predict_proba"):
        raise typer.BadParameter(
            f"{type(loaded.last).__name__} has no probabilities, by which --left-out judges "
            "labels: leave --left-out out"
        )
    y, rows = loaded.targets_of(data, target)
    X = loaded.table_of(data, rows)  # the file itself has the labels in one of its columns
    found = naming_file(data.source, rows, lambda: suspects(loaded.last, X, y, min(count, len(y))))
    each = [one._replace(row=int(rows[one.row])) for one in found.each]
    numbered = dataclasses.replace(found, each=each, numbering=RowNumbers(first=1))
    return View([numbered.text()], numbered.to_dict(), lambda: None)


def needed_view(loaded: Loaded, data: Data, target: str | None) -> View:
    """How many rules are needed for which accuracy: F1 of a rare class, mean cost with costs."""
    _refuse_thresholds(loaded, "--needed")
    y, rows = loaded.targets_of(data, target)
    X = loaded.rows_of(data)[rows]
    found = naming_file(
        data.source, rows, lambda: rules_needed(loaded.model, X, y, scoring=loaded.scoring)
    )

    def draw() -> Any:
        from underdog.displays.rules_needed import RulesNeededDisplay

        return RulesNeededDisplay(found).plot()

    titled = dataclasses.replace(found, scoring=TITLES.get(found.scoring, found.scoring))
    return View([*_deciding(loaded, found.explained), titled.text()], found.to_dict(), draw)


def _deciding(loaded: Loaded, explained: UnwrappedModel) -> list[Paragraph]:
    """How the model decides, unless the booster itself does."""
    if explained.decider is None:
        return []
    return [Paragraph(f"The model {loaded.decision(explained)}.")]


def _without_notes(explained: UnwrappedModel) -> UnwrappedModel:
    """Without notes about classes of Python, which the command line says in its own words."""
    return dataclasses.replace(explained, notes=())


def _about(loaded: Loaded, explained: UnwrappedModel) -> list[Any]:
    return introduction(explained, loaded.decision(explained))


def _draw_columns(loaded: Loaded) -> Callable[[], Any]:
    def draw() -> Any:
        from underdog.displays.alternating_tree import AlternatingTreeDisplay
        from underdog.displays.importances import ImportanceDisplay
        from underdog.displays.shapes import ShapeDisplay

        explained = rules(loaded.model).explained
        display: Any = ShapeDisplay if explained.has_shapes else ImportanceDisplay
        model = explained.booster.model_
        tree = AlternatingTree.from_members(model.members, model.start)
        if tree is not None and tree.is_deep:
            display = AlternatingTreeDisplay
        return display.from_estimator(loaded.model)

    return draw

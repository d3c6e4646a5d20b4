"""Ways to look at a model: its rules, its columns, one row, what is hard, how much is enough."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

from underdog.cli.loading import Loaded
from underdog.cli.task import labels_of, naming_rows
from underdog.frames.errors import BadData
from underdog.inspection import contributions, hardest, rules, rules_needed, shapes
from underdog.inspection.numbering import RowNumbers
from underdog.reading import Data


class View(NamedTuple):
    """One way to look at a model: for people, for machines, and how to draw it."""

    text: str
    result: dict[str, Any]
    draw: Callable[[], Any]


def rules_view(loaded: Loaded, max_display: int, in_order: bool) -> View:
    """The rules: merged per term or column, strongest first, or one by one."""
    found = rules(loaded.model)
    return View(
        found.text(max_display, merged=not in_order), found.to_dict(), _shapes_drawn(loaded)
    )


def columns_view(loaded: Loaded, max_display: int) -> View:
    """What each column does."""
    found = shapes(loaded.model)
    return View(found.text(max_display), found.to_dict(), _shapes_drawn(loaded))


def one_row_view(loaded: Loaded, data: Data, row: int, by_rule: bool, max_display: int) -> View:
    """Why one row has its score."""
    if row > len(data):
        raise BadData(f"there is no row {row:,}: it has {len(data):,}", path=data.source)
    X = loaded.rows_of(data)[row - 1 : row]
    by = "rule" if by_rule else "column"
    why = naming_rows(data.source, [row - 1], lambda: contributions(loaded.model, X, by=by))

    def draw() -> Any:
        from underdog.displays.contributions import ContributionDisplay

        return ContributionDisplay.from_estimator(loaded.model, X)

    why = dataclasses.replace(why, numbering=RowNumbers(first=1, numbers=[row]))
    return View(why.text(0, max_display), why.to_dict(0), draw)


def hardest_view(loaded: Loaded, data: Data, target: str | None, count: int) -> View:
    """The examples with the largest weights; rows are those of the file."""
    X, y, rows = _labelled(loaded, data, target)
    found = naming_rows(
        data.source, rows, lambda: hardest(loaded.model, X, y, n=min(count, len(y)))
    )
    each = [one._replace(row=int(rows[one.row]) + 1) for one in found.each]
    found = dataclasses.replace(found, each=each, numbering=RowNumbers(first=1))

    def draw() -> Any:
        from underdog.displays.hardest import HardestDisplay

        return HardestDisplay(found).plot()

    return View(found.text(), found.to_dict(), draw)


def needed_view(loaded: Loaded, data: Data, target: str | None) -> View:
    """How many rules are needed for how much accuracy."""
    X, y, rows = _labelled(loaded, data, target)
    found = naming_rows(data.source, rows, lambda: rules_needed(loaded.model, X, y))

    def draw() -> Any:
        from underdog.displays.rules_needed import RulesNeededDisplay

        return RulesNeededDisplay.from_estimator(loaded.model, X, y)

    return View(found.text(), found.to_dict(), draw)


def _shapes_drawn(loaded: Loaded) -> Callable[[], Any]:
    def draw() -> Any:
        from underdog.displays.shapes import ShapeDisplay

        return ShapeDisplay.from_estimator(loaded.model)

    return draw


def _labelled(loaded: Loaded, data: Data, target: str | None) -> tuple[Any, Any, Any]:
    """Rows with a label, their labels as the model knows them, and the places of these rows."""
    y, rows = labels_of(data, target or loaded.training.get("target") or None)
    places = loaded.places_of(y, data.source)
    return loaded.rows_of(data)[rows], loaded.model.classes_[places], rows

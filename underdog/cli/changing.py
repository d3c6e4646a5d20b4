"""Models with another booster inside: shortened, rounded to points, or edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import typer
from sklearn.pipeline import Pipeline

from underdog.cli.class_model import ClassModel
from underdog.cli.class_report import decision_of
from underdog.cli.loading import Loaded
from underdog.cli.saving import writing
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import table
from underdog.cli.wording import decision_text
from underdog.decisions.base import Decider
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators.support.predictions import Predictions
from underdog.files import save
from underdog.frames.errors import counted
from underdog.inspection.scorecards import Scorecard, scorecard
from underdog.inspection.shortening import Shortened, shorten
from underdog.inspection.unwrap import unwrap
from underdog.model import used
from underdog.reading import Data

OTHER_SCORES = (
    "The threshold of the whole model was chosen for its scores, so the short model predicts by "
    "its own: {own}."
)


def with_booster(model: Any, booster: Any) -> Any:
    """A copy of a pipeline or decider around another booster."""
    if isinstance(model, Predictions):
        return booster
    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        return Pipeline([*model.steps[:-1], (name, with_booster(last, booster))])
    if isinstance(model, Decider):
        return model.deciding(with_booster(model.estimator_, booster))
    raise ValueError(
        f"the booster inside a {type(model).__name__} cannot be replaced: train it with underdog "
        "train --model NAME; underdog list shows the names"
    )


def write_model(loaded: Loaded, made: Any, path: Path, notes: Any) -> None:
    """The model file, whole or not at all, with the notes of the model that it was made of."""
    kept = dict(notes) if isinstance(notes, dict) else {}
    booster = unwrap(made).booster
    if isinstance(kept.get("training"), dict):
        own: dict[str, Any] = {"rules": len(used(booster._shown.members))}
        if isinstance(loaded, ClassModel):
            own["decision"] = decision_of(made)
        kept["training"] = {**kept["training"], **own}
    lines = [f"{each['by']}: {each['change']}. Why: {each['why']}" for each in booster.edits_]
    kept["changes after training"] = {str(n): line for n, line in enumerate(lines, start=1)}
    with writing(path):
        save(made, path, kept)


def labelled(loaded: Loaded, data: Data, target: str | None, screen: Screen) -> tuple[Any, Any]:
    """Rows in the form that the booster takes, and their labels."""
    y, rows = loaded.targets_of(data, target)
    if len(rows) < len(data):
        screen.note(f"left out {counted(len(data) - len(rows), 'row')} without {loaded.missing}")
    return loaded.table_of(data, rows), y


def check_classes(loaded: Loaded, what: str) -> None:
    """Refuse models that do not predict classes."""
    if not isinstance(loaded, ClassModel):
        raise typer.BadParameter(f"{loaded.path} does not predict classes, which {what} needs")


def shortened(
    loaded: Loaded, rows: tuple[Any, Any], others: tuple[Any, Any] | None, most: int, screen: Screen
) -> tuple[Any, Shortened]:
    """A model of few rules, that decides by costs if the whole one did."""
    check_classes(loaded, "shorten")
    last, booster = loaded.last, unwrap(loaded.last).booster
    if isinstance(last, CostSensitiveClassifier) and last.calibrated_ is not last.estimator_:
        raise typer.BadParameter(
            f"the probabilities of {loaded.path} were calibrated for the scores of all rules: "
            "train it without --cost and shorten that model"
        )
    X_val, y_val = (None, None) if others is None else others
    found = shorten(booster, *rows, most, X_val=X_val, y_val=y_val)
    made = with_booster(loaded.model, found.model)
    if isinstance(last, ThresholdClassifier):
        made = found.model
        if isinstance(loaded.model, Pipeline):
            steps = loaded.model.steps
            made = Pipeline([*steps[:-1], (steps[-1][0], found.model)])
        labels = booster._labels
        own = decision_text(decision_of(made), labels.names[labels.positive])
        screen.note(OTHER_SCORES.format(own=f"it {own}"))
    return made, found


def show_shortened(screen: Screen, found: Shortened, measured_on: str) -> None:
    """What each way to shorten the model costs."""
    best = min(found.tried[1:], key=lambda each: each.log_loss)
    rows = [
        [each.name, f"{each.rules:,}", f"{each.error:.4f}", f"{each.log_loss:.4f}",
         "kept" if each is best else ""]
        for each in found.tried
    ]  # fmt: skip
    screen.print(f"Measured on {measured_on}:", "")
    screen.print(table(["", "rules", "error", "log loss", ""], rows, names=(4,)), "")


def card_of(
    loaded: Loaded, rows: tuple[Any, Any] | None, points: float
) -> tuple[Any, Scorecard, str]:
    """The model with whole points, its card, and how it predicts from points."""
    check_classes(loaded, "scorecard")
    X, y = (None, None) if rows is None else rows
    booster = unwrap(loaded.last).booster
    card = scorecard(booster, X, y, points_to_double=points)
    labels = booster._labels
    name = labels.names[labels.positive]
    decision = f"The model predicts {name!r} above 0 points."
    if isinstance(loaded.last, ThresholdClassifier):
        side = 1.0 if labels.positive == loaded.last._positive else -1.0
        limit = side * float(loaded.last.threshold_) * card.points_per_score
        decision = f"The model predicts {name!r} above {limit:.4g} points."
    elif isinstance(loaded.last, Decider):
        decision = f"The model {decision_text(decision_of(loaded.model), name)}."
    return with_booster(loaded.model, card.model), card, decision


def show_card(screen: Screen, card: Scorecard, decision: str) -> None:
    """The card as a table."""
    labels = card.model._labels
    name, double = labels.names[labels.positive], card.points_to_double
    screen.print(
        Paragraph(
            f"Points for {name!r}: add up those of all lines that hold. {double:g} points double "
            f"the odds; {card.even} points are even odds. {decision}"
        ),
        "",
    )
    rows = [["every row", f"{card.start:+d}"], *([words, f"{n:+d}"] for words, n in card.lines)]
    screen.print(table(["", "points"], rows))
    if card.costs:
        costs = [
            [name.replace("_", " "), f"{before:.4f}", f"{after:.4f}"]
            for name, (before, after) in card.costs.items()
        ]
        screen.print("", table(["", "before rounding", "after"], costs))


class Changes(NamedTuple):
    """The options of `underdog edit`."""

    drop: list[int]
    move: list[str]
    rising: list[str]
    falling: list[str]
    label: str | None


def edited(loaded: Loaded, by: str, why: str, asked: Changes) -> Any:
    """The model with these changes, steps that are moved first."""
    booster = unwrap(loaded.last).booster
    try:
        editor = booster.edit(by)
        for text in asked.move:
            rule, step, where = _read_move(text)
            editor.move(rule, step, why=why, where=where, label=asked.label)
        for rule in asked.drop:
            editor.drop(rule, why=why)
        for direction, columns in ((1, asked.rising), (-1, asked.falling)):
            for column in columns:
                editor.set_monotone(column, direction, why=why)
        return with_booster(loaded.model, editor.done())
    except ValueError as error:
        text = str(error).replace("describe(None)", "underdog explain --in-order")
        raise typer.BadParameter(text) from None


def _read_move(text: str) -> tuple[int, float, Any]:
    """The rule, the value and where, as in 3=-0.5, 3:no=0.2 or 3:2=0.4."""
    left, _, value = text.partition("=")
    rule, _, where = left.partition(":")
    try:
        return int(rule), float(value), int(where) if where.isdecimal() else where or None
    except ValueError:
        raise typer.BadParameter(
            f"--move {text}: give RULE=VALUE, as in --move 3=-0.5; RULE:no=VALUE where the rule "
            "is not true; or RULE:LEAF=VALUE for a tree"
        ) from None

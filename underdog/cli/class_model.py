"""A classifier from a file: its predictions for new rows, and how good they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import typer

from underdog.checks import to_python
from underdog.cli.class_report import (
    SHOWN_CLASSES,
    confusion_of,
    decision_of,
    measured_class,
    show_classes,
    show_confusion,
)
from underdog.cli.drift import class_score, compare_data, show_check
from underdog.cli.loading import EvaluateOptions, Loaded
from underdog.cli.measures_table import evaluation_dict, show_evaluation, show_groups
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.target import labels_of
from underdog.cli.task import class_named, costs_of, is_rare
from underdog.cli.verdicts import expected_costs, labels_to_show, verdict
from underdog.cli.wording import decision_text, recalibrated_text
from underdog.codes.multi_label import MultiLabels
from underdog.comparison.class_evaluator import Evaluator, HeldOutPredictions, MeasuredClasses
from underdog.comparison.evaluation import Evaluation
from underdog.comparison.intervals import class_weights
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.population import with_prevalence
from underdog.frames.errors import BadData, listed
from underdog.inspection.rows import Contributions
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label
from underdog.reading import Data
from underdog.types import Integers

HEAVY = 0.1
"""A row that counts as much as this share of all rows of the other class."""
FOR_SHARES = (
    "The measures are for the shares of --prevalence: rows are weighted by their class. The "
    "confusion matrix counts rows."
)


class ClassModel(Loaded):
    """A model that predicts classes."""

    missing = "a label"

    @property
    def positive(self) -> int:
        """Position of the positive of two classes."""
        names = [str(label) for label in self.model.classes_.tolist()]
        given = self.training.get("positive")
        return names.index(given) if given in names else 1

    @property
    def has_rare_class(self) -> bool:
        """Whether the rarer of two classes had less than 20% of the rows in training."""
        counts = self.training.get("classes")
        return isinstance(counts, dict) and is_rare(counts.values())

    @property
    def scoring(self) -> str:
        """F1 of a rare class, mean cost with costs, otherwise accuracy."""
        if isinstance(self.last, CostSensitiveClassifier):
            return "cost"
        return "f1" if self.has_rare_class else "accuracy"

    def decision(self, explained: UnwrappedModel) -> str:
        """How the model predicts, in words."""
        if isinstance(explained.booster._labels, MultiLabels):
            return "predicts every label whose score is above 0"
        positive = explained.labels[0] if len(explained.labels) == 1 else None
        sentence = decision_text(decision_of(self.model), positive)
        own = explained.booster.calibration_
        return sentence if own is None else f"{sentence}. {recalibrated_text(own.rows)}"

    def with_prevalence(self, given: dict[str, float]) -> ClassModel:
        """The same model, whose probabilities and predictions are for these shares."""
        classes = self.model.classes_
        if "" in given and len(classes) > 2:
            raise typer.BadParameter(
                f"--prevalence {given['']:g} is one share, but there are {len(classes)} classes: "
                f"give them by name, as in --prevalence {to_python(classes[0])}=0.2"
            )
        shares = {
            to_python(class_named(name, classes) if name else classes[self.positive]): share
            for name, share in given.items()
        }
        old = None
        if self.last.class_prior_ is None:  # a file of an older version has it in its notes
            counts = self.training.get("classes") or {}
            total = sum(counts.values())
            found = {class_named(name, classes): count / total for name, count in counts.items()}
            old = {to_python(label): share for label, share in found.items()} or None
        try:
            made = with_prevalence(self.model, shares, training_prevalence=old)
        except ValueError as error:
            raise typer.BadParameter(f"--prevalence: {error}") from None
        last = made.steps[-1][1] if hasattr(made, "steps") else made
        return replace(self, model=made, shares=last.prevalence_)

    def about_prevalence(self) -> str:
        """For which shares the probabilities are, as a sentence; empty if it is as in training."""
        new, old = self.last.prevalence_, self.last.class_prior_
        if new is None:
            return ""
        places = [self.positive] if len(new) == 2 else range(min(len(new), SHOWN_CLASSES))
        shares = [
            f"{str(to_python(self.model.classes_[k]))!r} {new[k]:.3g} ({old[k]:.3g} in training)"
            for k in places
        ]
        more = ", ..." if len(new) > SHOWN_CLASSES else ""
        return f"probabilities and predictions are for these shares: {', '.join(shares)}{more}"

    def verdict(self, why: Contributions, X: Any) -> tuple[str, list[int], dict[str, Any]]:
        """The prediction for the only row, which scores to show, and what it costs."""
        costs = expected_costs(why, X)
        shown = labels_to_show(why, costs)
        more = {}
        if costs is not None:
            more["expected_cost"] = by_label(why.explained.classes, costs)
        return verdict(why, costs, shown), shown, more

    def targets_of(self, data: Data, target: str | None) -> tuple[Any, Any]:
        """Labels as the model knows them, and the rows of the file that have one."""
        y, rows = labels_of(data, self.named_target(target))
        return self.model.classes_[self.places_of(y, data.source)], rows

    def places_of(self, y: Any, source: str) -> Integers:
        """Positions of labels in the model's classes."""
        known = {str(to_python(label)): place for place, label in enumerate(self.model.classes_)}
        names = [str(to_python(label)) for label in y]
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise BadData(
                f"class {unknown[0]!r} did not occur in training: the classes of the model are "
                f"{listed(known)}", path=source,
            )  # fmt: skip
        return np.array([known[name] for name in names], dtype=np.intp)

    def answer(self, data: Data, rows: Integers) -> HeldOutPredictions:
        """Predictions, probabilities and the scores that `explain` adds up."""
        table = self.table_of(data, rows)
        if isinstance(unwrap(self.last).booster._labels, MultiLabels):
            raise ValueError(
                f"{self.path} is a model for several labels per row, which only Python can predict "
                "with: underdog.load(path).predict(X)"
            )
        return class_answers(self.last, table)

    def columns_of(self, data: Data) -> dict[str, Any]:
        """The predicted class, the score of the positive one, and probabilities."""
        answers, classes = self.answer(data, np.arange(len(data))), self.model.classes_
        made: dict[str, Any] = {"prediction": classes[answers.decided].tolist()}
        if answers.scores.ndim == 1:
            made["score"] = ((2 * self.positive - 1) * answers.scores).tolist()
        if answers.probabilities is not None:
            for place, label in enumerate(classes.tolist()):
                made[f"probability of {label}"] = answers.probabilities[:, place].tolist()
        return made

    def evaluate(self, data: Data, asked: EvaluateOptions, screen: Screen) -> dict[str, Any]:
        """Measures, the confusion matrix and subgroups."""
        y, rows = self.targets_of(data, asked.target)
        classes = self.model.classes_
        true, answers = np.searchsorted(classes, y), self.answer(data, rows)
        judge = Evaluator(classes, self.positive, costs_of(asked.costs, classes, self.positive))
        weights = None if self.shares is None else class_weights(true, self.shares)
        measured = MeasuredClasses(judge, true, answers, weights)
        found = Evaluation(measured, asked.groups(data, rows))
        confusion = confusion_of(judge, true, answers.decided)
        names = confusion["classes"]
        positive = str(to_python(classes[judge.positive])) if len(classes) == 2 else None
        counts = {name: sum(row) for name, row in zip(names, confusion["counts"], strict=True)}
        screen.print(f"{self.path} on {data.source}: {len(true):,} rows")
        show_classes(screen.print, counts)
        screen.print(measured_class(positive))
        if self.shares is not None:
            screen.print(Paragraph(FOR_SHARES))
            for note in _heavy_rows(classes, self.positive, counts, self.shares):
                screen.note(note)
        show_evaluation(screen, found)
        show_confusion(screen, confusion, positive)
        show_groups(screen, found)
        score = class_score(answers.scores, answers.decided, classes)
        check = compare_data(self, data, score, rows)
        show_check(screen, check)
        more = {"training_data": None if check is None else check.to_dict()}
        if self.shares is not None:
            more["prevalence"] = dict(zip(names, self.shares.tolist(), strict=True))
        return {**evaluation_dict(found), "confusion": confusion, **more}


def class_answers(model: Any, X: Any) -> HeldOutPredictions:
    """Predictions, probabilities and the scores that `explain` adds up."""
    decided = np.searchsorted(model.classes_, model.predict(X))
    probabilities = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    return HeldOutPredictions(decided, unwrap(model).booster.decision_function(X), probabilities)


def _heavy_rows(classes: Any, positive: int, counts: dict[str, int], shares: Any) -> list[str]:
    """A note if a row of the negative class counts for many rows of the positive one."""
    if len(classes) > 2:
        return []
    name, other = (str(to_python(classes[place])) for place in (positive, 1 - positive))
    if not counts[other]:
        return []
    worth = shares[1 - positive] / counts[other] / shares[positive]
    if worth < HEAVY:
        return []
    return [
        f"for this share one row of {other!r} counts as much as {100 * worth:.0f}% of all rows of "
        f"{name!r}: the average precision may be much too high, and precision is uncertain; more "
        f"rows of {other!r} would help"
    ]

"""Reports about classes: how many rows they have, how a model decides, and its mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.cli.measures_table import (
    INTERVALS,
    NOT_SAVED,
    beside,
    candidate_tables,
    show_measures,
)
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import confusion_table, table
from underdog.cli.thresholds import THRESHOLDS
from underdog.cli.wording import decision_text, threshold_text
from underdog.codes.binary import BinaryLabels
from underdog.comparison.class_evaluator import Evaluator
from underdog.comparison.measures import ranked_by
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.types import Integers

SHOWN_CLASSES = 8
SHOWN_MISTAKES = 10
NO_BETTER_THAN_CONSTANT = (
    "In cross-validation the model is no better than the same prediction for every row (by the "
    "costs or, without costs, if all classes count the same). The columns may say nothing about "
    "the class; or try another algorithm with --model."
)


def show_classes(show: Callable[[str], None], counts: dict[str, int]) -> None:
    """Classes with their numbers of rows; of many classes, the most frequent."""
    shares, more = class_counts(counts), len(counts) - SHOWN_CLASSES
    if len(counts) == 2:
        show(f"classes: {', '.join(shares)}")
        return
    show(f"{len(counts):,} classes:")
    for line in [*shares, *([f"... and {more:,} more classes"] if more > 0 else [])]:
        show(f"  {line}")


def class_counts(counts: dict[str, int]) -> list[str]:
    """How many rows each class has; of many classes, the most frequent.

    Examples
    --------
    >>> from underdog.cli.class_report import class_counts
    >>> class_counts({"ham": 4827, "spam": 747})
    ['ham 4,827 (86.6%)', 'spam 747 (13.4%)']
    >>> class_counts({"0": 896, "1": 41})
    ['0: 896 (95.6%)', '1: 41 (4.4%)']
    """
    total, pairs = sum(counts.values()), list(counts.items())
    if len(pairs) > SHOWN_CLASSES:
        pairs.sort(key=lambda pair: -pair[1])
    return [
        f"{label}{':' if label[-1:].isdigit() else ''} {count:,} ({100 * count / total:.1f}%)"
        for label, count in pairs[:SHOWN_CLASSES]
    ]


def decision_of(model: Any) -> dict[str, Any]:
    """How the model predicts a class from scores."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if isinstance(last, ThresholdClassifier):
        return {"by": "threshold", "threshold": last.threshold_, "chosen by": _choice(last.choose)}
    if isinstance(last, CostSensitiveClassifier):
        return {"by": "least expected cost", "costs": costs_text(last.costs, last.classes_)}
    if getattr(last, "prevalence_", None) is not None:
        return _decision_by_prevalence(last)
    return {"by": "the model's own scores"}


def _decision_by_prevalence(booster: Any) -> dict[str, Any]:
    """From which score a booster predicts the positive class, if classes have other shares."""
    new, old = booster.prevalence_, booster.class_prior_
    if not isinstance(booster._labels, BinaryLabels):
        return {"by": "prevalence"}
    place, own = booster._labels.positive, booster.calibration_
    slope = booster._link.probability_scale if own is None else float(own.slopes[0])
    shift = float(np.log(new[place] / old[place]) - np.log(new[1 - place] / old[1 - place]))
    return {"by": "prevalence", "threshold": -shift / slope, "share": float(new[place])}


def show_class_result(screen: Screen, summary: dict[str, Any]) -> None:
    """How good a classifier is, and how it decides."""
    if "measures" in summary:
        screen.print(f"{summary['folds']}-fold cross-validation: {INTERVALS}")
        screen.print(measured_class(summary["positive"]))
        if "baselines" in summary:
            shown = beside({summary["algorithm"]: summary["measures"]}, summary["baselines"])
            screen.print(*candidate_tables(shown, screen.width), NOT_SAVED, "")
            screen.print(Paragraph(ranked_by(summary["ranked_by"])))
            screen.print(Paragraph(summary["beside_baselines"]))
        else:
            show_measures(screen, summary["measures"])
        show_confusion(screen, summary["confusion"], summary["positive"])
        screen.print("")
    decision = decision_text(summary["decision"], summary["positive"])
    screen.print(Paragraph(f"The model {decision}."))
    if "threshold" in summary:
        screen.print(Paragraph(threshold_text(summary["threshold"])))
    if "constant_is_as_good" in summary:
        screen.print("", Paragraph(NO_BETTER_THAN_CONSTANT))


def measured_class(positive: str | None) -> str:
    """Of which class precision, recall and the like are."""
    if positive is None:
        return "precision, recall, F1, average precision and ROC AUC: mean over the classes"
    return f"precision, recall, F1 and average precision: of the positive class {positive!r}"


def show_confusion(screen: Screen, confusion: dict[str, Any], positive: str | None) -> None:
    """The confusion matrix, or with many classes the most frequent mistakes; and why F1 is 0."""
    names, counts = confusion["classes"], confusion["counts"]
    if len(names) <= SHOWN_CLASSES:
        screen.print("\nConfusion matrix (rows: true class, columns: predicted class)")
        screen.print(confusion_table(names, counts, screen.width))
    else:
        _show_mistakes(screen, names, counts)
    if positive is not None and not counts[names.index(positive)][names.index(positive)]:
        predicted = sum(row[names.index(positive)] for row in counts)
        wrong = f"none of the {predicted:,} rows predicted as {positive!r} is of this class"
        screen.print(f"F1 is 0: {wrong if predicted else f'no row was predicted as {positive!r}'}")


def _show_mistakes(screen: Screen, names: list[str], counts: list[list[int]]) -> None:
    mistakes = sorted(
        ((counts[i][j], names[i], names[j]) for i in range(len(names)) for j in range(len(names))
         if i != j and counts[i][j]), reverse=True,
    )[:SHOWN_MISTAKES]  # fmt: skip
    if not mistakes:
        screen.print("\nNo mistakes")
        return
    rows = [[true, predicted, f"{count:,}"] for count, true, predicted in mistakes]
    head = ["true class", "predicted class", "rows"]
    screen.print("\nMost frequent mistakes", table(head, rows, texts=(0, 1)))


def confusion_of(judge: Evaluator, true: Integers, decided: Integers) -> dict[str, Any]:
    """Counts by true class (rows) and predicted class."""
    return {
        "classes": [str(to_python(label)) for label in judge.classes],
        "counts": judge.confusion(true, decided).tolist(),
    }


def costs_text(costs: Costs | None, classes: Any) -> str:
    """Costs as `--cost` takes them; those of more classes only where they are not 1."""
    if costs is None:
        return "all mistakes cost 1"
    if costs.n_examples is not None:
        return "each example has its own costs"
    if costs.is_pair():
        return repr(costs).removeprefix("Costs(").removesuffix(")")
    names = [str(to_python(label)) for label in classes]
    table = costs.table(classes)
    others = 1.0 - np.eye(len(names))
    named = [
        f"{names[i]}:{names[j]}={table[i, j]:g}" for i, j in np.argwhere(table != others).tolist()
    ]
    return ", ".join([*named, "other mistakes cost 1"])


def _choice(choose: Any) -> str:
    for measure, rule in THRESHOLDS.items():
        if choose == rule:
            return measure
    if isinstance(choose, Costs):
        return repr(choose)
    return choose if isinstance(choose, str) else f"{choose[0]}={choose[1]:g}"

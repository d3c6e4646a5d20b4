"""The rules of a model, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from underdog.data import Schema
from underdog.hypotheses import Constant, Stump
from underdog.inspection.unwrap import Explained, unwrap
from underdog.inspection.words import by_label, number
from underdog.model import used


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules in the order in which they were found; those that add nothing are left out."""

    explained: Explained

    def __len__(self) -> int:
        return len(used(self.explained.booster.model_.members))

    def text(self, most: int | None = 20, *, merged: bool = False, by_label: bool = False) -> str:
        """What the booster's `describe` says, and what is done with its scores."""
        return self.explained.describe(most, merged, by_label)

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, with every number as it is in the model.

        The answer is yes where the value of `column` is greater than `above` or one of `levels`,
        and, if `missing` is true, where there is none.
        """
        explained, labels = self.explained, self.explained.labels
        found = []
        for member in used(explained.booster.model_.members):
            false, true = member.steps
            hypothesis = member.hypothesis
            rule: dict[str, Any] = {"question": hypothesis.words(explained.schema)}
            if isinstance(hypothesis, Stump):
                rule |= _test(hypothesis, explained.schema)
            rule["yes"] = by_label(labels, true)
            if not isinstance(hypothesis, Constant):
                rule["no"] = by_label(labels, false)
            found.append(rule)
        return {
            "model": type(explained.booster).__name__,
            "labels": labels,
            "stop_reason": explained.booster.stop_reason_,
            "rules": found,
            "notes": list(explained.notes),
        }


def _test(stump: Stump, schema: Schema) -> dict[str, Any]:
    """What a test asks, for programs."""
    test: dict[str, Any] = {"column": stump.column, "name": schema.name(stump.column)}
    if stump.column in schema.categories:
        levels = schema.categories[stump.column]
        chosen = zip(levels, stump.inside.tolist(), strict=False)  # the last flag is for missing
        test["levels"] = [str(level) for level, inside in chosen if inside]
    elif stump.threshold is not None:
        test["above"] = number(stump.threshold)
    return {**test, "missing": bool(stump.inside[-1])}


def rules(
    model: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Rules:
    """The rules of the booster inside a model.

    Parameters
    ----------
    model : fitted booster, or a pipeline, search or decider with one inside
    feature_names : sequence of str, optional
        Names of the booster's columns, where neither the data nor a transformer has any.
    label_names : sequence of str, optional
        Names of the labels, where y was an indicator matrix.

    Returns
    -------
    Rules

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from underdog import AdaBoostClassifier, TermVectorizer
    >>> from underdog.inspection import rules
    >>> texts = ["free prize", "see you", "win a prize", "see the free film"]
    >>> model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=1))
    >>> rules(model.fit(texts, ["spam", "ham", "spam", "ham"])).to_dict()["rules"][0]["question"]
    'prize present'
    """
    return Rules(unwrap(model, feature_names, label_names))

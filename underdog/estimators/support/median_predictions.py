"""What a fitted median of rules can say: predictions, its rules and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from underdog.core import Member
from underdog.data import Schema
from underdog.estimators.support import inputs
from underdog.estimators.support.readable import RealRule
from underdog.estimators.support.real_predictions import RealPredictions
from underdog.hypotheses import Tree
from underdog.model import Ensemble, MedianEnsemble, describe, markup
from underdog.model.median import NOT_ADDITIVE
from underdog.model.writing import counted, rounded
from underdog.types import Floats

INDENT = " " * 6


class MedianRule(RealRule):
    """A rule of a median, which predicts the target by itself."""

    def predict(self, X: Any) -> Floats:
        """(n,) predictions.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        table = inputs.prediction_table(self._booster, X)
        found: Floats = self._booster.model_.only(self._number).each(table)[:, 0]
        return found


class MedianPredictions(RealPredictions):
    """Predictions and descriptions of a weighted median."""

    model_: MedianEnsemble
    _rule = MedianRule

    @property
    def estimator_weights_(self) -> Floats:
        """The weight of each rule in the median."""
        self._check_fitted()
        return self.model_.weights.copy()

    @property
    def estimator_errors_(self) -> Floats:
        """The average loss of each rule in its round."""
        self._check_fitted()
        return self.history_["loss"][: len(self.model_)].copy()

    def _described(
        self,
        schema: Schema,
        names: Sequence[str],
        max_display: int | None,
        merged: bool,
        by_label: bool,
    ) -> str:
        """Each rule with its weight in the median and what it predicts."""
        if merged or by_label:
            raise TypeError(NOT_ADDITIVE)
        model = self.model_
        lines = [f"{type(self).__name__}: {self._headline()} ({self.stop_reason_})"]
        for number in range(len(model))[:max_display]:
            lines += [f"{number + 1:4d}. weight {model.weights[number]:.3f}"]
            lines += [INDENT + line for line in _rule_lines(model, number, schema)]
        if max_display is not None and len(model) > max_display:
            lines.append(f"{INDENT}... and {len(model) - max_display} more")
        return "\n".join(lines)

    def _headline(self) -> str:
        count = counted(len(self.model_), "rule")
        return f"{count}; the prediction is the weighted median of what they predict"

    def _page(self) -> str:
        known = {
            "rules": f"{len(self.model_):,}",
            "training stopped": self.stop_reason_,
            **{name.replace("_", " "): rounded(one) for name, one in self.certificate_.items()},
        }
        return markup.block(
            markup.title(f"{type(self).__name__}: {self._headline()}"),
            markup.table((), known.items(), 2),
        )


def _rule_lines(model: MedianEnsemble, number: int, schema: Schema) -> list[str]:
    """What one rule predicts, as nested conditions."""
    member = model.members[number]
    rule = member.hypothesis
    if isinstance(rule, Tree):
        rule = Tree(rule.leaves, rule.values)  # without counts, and so without pairs of columns
    whole = Member(rule, 1.0, member.steps + model.start, 1.0)
    text = describe(Ensemble([whole], schema, 1, unit=model.unit), schema, ("prediction",), None)
    return [line[len(INDENT) :] for line in text.splitlines()]

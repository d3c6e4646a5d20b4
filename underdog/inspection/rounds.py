"""What was measured in each round of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import number, with_notes
from underdog.model import markup
from underdog.model.writing import counted, milestones, rounded, text_table
from underdog.types import Floats

LEFT_OUT = ("log_loss", "seconds")
"""What people do not look at first."""


@dataclass(frozen=True, eq=False, repr=False)
class TrainingHistory(Result):
    """What was measured in each round, and the rule that it found.

    With early stopping there are rounds whose rules were not kept.

    Attributes
    ----------
    explained : the model and the booster inside
    measured : dict of arrays
        The booster's `history_`: one number per round.
    rules : list of str
        The questions of the rules that were kept, which are those of the first rounds.
    """

    explained: UnwrappedModel
    measured: dict[str, Floats]
    rules: list[str]

    def __len__(self) -> int:
        """Rounds."""
        return len(next(iter(self.measured.values())))

    def _about(self) -> str:
        model, kept = type(self.explained.booster).__name__, counted(len(self.rules), "rule")
        return f"{counted(len(self), 'round')} of {model}, {kept} kept"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The head of the table, and the rounds 1, 2, 4, 8, ... and the last."""
        shown = [name for name in self.measured if name not in LEFT_OUT]
        rows = [
            [str(t), *(rounded(float(self.measured[name][t - 1])) for name in shown)]
            for t in milestones(len(self))
        ]
        return ["round", *shown], rows

    def text(self) -> str:
        """What was measured in rounds 1, 2, 4, 8, ... and the last, and why training stopped."""
        head, rows = self._cells()
        lines = [f"{self._about()}:", *text_table([head, *rows]), self._end]
        return with_notes("\n".join(lines), self.explained.notes)

    @property
    def _end(self) -> str:
        return f"training stopped: {self.explained.booster.stop_reason_}"

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, for every round."""
        return {
            "model": type(self.explained.booster).__name__,
            "stop_reason": self.explained.booster.stop_reason_,
            "rules": list(self.rules),
            **{name: [number(value) for value in v.tolist()] for name, v in self.measured.items()},
            "notes": list(self.explained.notes),
        }

    def _frame_columns(self) -> dict[str, Any]:
        lost = len(self) - len(self.rules)
        return {
            "round": np.arange(1, len(self) + 1),
            "rule": [*self.rules, *[None] * lost],
            **self.measured,
        }

    def _html_parts(self) -> Sequence[str]:
        notes = map(markup.line, (self._end, *self.explained.notes))
        return [markup.table(*self._cells(), 0), *notes]


@documented
def history(model: Any, *, feature_names: Sequence[str] | None = None) -> TrainingHistory:
    """What was measured in each round of the booster inside a model.

    Parameters
    ----------
    model, feature_names

    Returns
    -------
    TrainingHistory

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.inspection import history
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> print(history(AdaBoostClassifier(n_estimators=5).fit(X, y)).text())
    5 rounds of AdaBoostClassifier, 5 rules kept:
    round    edge       z    loss  coefficient
        1   1.117  0.5192  0.5192            1
        2  0.7534  0.6475  0.3362            1
        4  0.3099  0.8496  0.2355            1
        5  0.3137  0.8645  0.2036            1
    training stopped: all rounds done
    """
    explained = unwrap(model, feature_names)
    booster = explained.booster
    members = booster.model_.found[: booster.n_iter_]  # a blend has more
    questions = [member.hypothesis.words(explained.schema) for member in members]
    return TrainingHistory(explained, booster.history_, questions)

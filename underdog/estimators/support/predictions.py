"""What every fitted booster can say: scores, importances and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from underdog.certificates import Certificates
from underdog.checks import check_max_display, check_names
from underdog.core import Learner, Loss, not_defined
from underdog.data import Schema
from underdog.data.disk import limited
from underdog.estimators.support import inputs
from underdog.estimators.support.editing import Editor, edit_notes
from underdog.estimators.support.readable import Readable
from underdog.files import Savable
from underdog.model import Ensemble, describe, describe_columns, describe_labels, used
from underdog.types import Floats
from underdog.workers import Workers


class Predictions(Savable, Readable, BaseEstimator):  # type: ignore[misc]
    """Scores and descriptions of an additive model."""

    n_jobs: int | None
    n_features_in_: int
    model_: Ensemble
    history_: dict[str, Floats]
    stop_reason_: str
    edits_: tuple[dict[str, str], ...] = ()
    """What was changed by hand: change, by and why of each."""
    n_iter_: int
    converged_: bool
    certificate_: dict[str, Any]
    _labels: Any
    """The fitted code: `Labels` of a classifier, `RealLabels` of a regressor."""
    _link: Loss

    def _make_learner(self) -> Learner:
        raise not_defined(self, "_make_learner")

    def _make_loss(self) -> Loss:
        raise not_defined(self, "_make_loss")

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):  # scikit-learn's own check takes longer than a prediction
            check_is_fitted(self, "model_")

    def _scores(self, X: Any) -> Floats:
        self._check_fitted()
        with limited(X), Workers(self.n_jobs) as workers:
            table = inputs.prediction_table(self, X)
            return self.model_.scores(table, workers)

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        self._check_fitted()
        return self.model_.staged(inputs.prediction_table(self, X))

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the improvement by the rules."""
        self._check_fitted()
        found = self.model_.found
        if self.edits_:  # what was measured is about other rules
            return self.model_.importances(np.array([m.size for m in found]), self.n_features_in_)
        return self.model_.importances(self._gains(), self.n_features_in_)

    def _gains(self) -> Floats:
        """The improvement by each rule that rounds have found."""
        return self._link.gains(self.history_, self.model_.found)

    def describe(
        self,
        max_display: int | None = 20,
        *,
        merged: bool = False,
        by_label: bool = False,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> str:
        """The rules as readable text, and what is proved about them.

        Parameters
        ----------
        max_display : int, optional
            How many rules to show, in the order in which they were found; None for all.
        merged : bool, default=False
            Merge all rules on the same column or term into one entry, and show the entries with
            the largest effect on the score first, at most `max_display` of them.
        by_label : bool, default=False
            List the rules (or merged entries) of each label separately, those with the largest
            effect first, at most `max_display` per label. Models that predict a median refuse
            this and `merged`: their rules are not added.
        feature_names : sequence of str, optional
            Names of the columns, if the training data had none (such as a matrix of terms).
        label_names : sequence of str, optional
            Names of the labels, if y was an indicator matrix.

        Returns
        -------
        str
        """
        self._check_fitted()
        check_max_display(max_display)
        schema = self.model_.schema
        names = self._labels.names
        if label_names is not None:
            names = check_names("label_names", label_names, len(names))
        if feature_names is not None:
            columns = check_names("feature_names", feature_names, schema.n_columns)
            schema = replace(schema, names=tuple(columns))
        return self._described(schema, names, max_display, merged, by_label)

    def _described(
        self,
        schema: Schema,
        names: Sequence[str],
        max_display: int | None,
        merged: bool,
        by_label: bool,
    ) -> str:
        """The rules as text, with names for columns and labels."""
        model = self._shown
        if merged:
            rules = describe_columns(model, schema, names, max_display, by_label)
        else:
            listed = describe_labels if by_label else describe
            rules = listed(model, schema, names, max_display)
        head = self._labels.headline(names)
        rounds = len(used(model.members))
        count = "1 rule" if rounds == 1 else f"{rounds} rules"
        about = "".join(f"\n{note}" for note in (*edit_notes(self.edits_), *self._notes()))
        first = f"{type(self).__name__}: {count}; {head} ({self.stop_reason_}){about}"
        proved = [] if merged or by_label else self._proved()
        return "\n".join([first, rules, *proved])

    def edit(self, by: str) -> Editor:
        """Change the model by hand: drop a rule, move a step, make a column monotone.

        Parameters
        ----------
        by : str
            Who makes the changes, which is kept with the model.

        Returns
        -------
        Editor
            With the methods `drop`, `move` and `set_monotone`, and `done`, which gives a copy of
            the model with all changes. `edits_` and files keep what was changed, by whom and why,
            and `describe` shows it. An edited model has no bounds and cannot be continued.
        """
        return Editor(self, by)

    def _proved(self) -> list[str]:
        """The certificates that say something, a line each."""
        own = self.certificate_
        return own.lines() if isinstance(own, Certificates) else []

    @property
    def _shown(self) -> Ensemble:
        """The model as it is shown: equal rules may be one."""
        return self.model_

    def _notes(self) -> list[str]:
        """What else to know about predictions, a line each."""
        return []

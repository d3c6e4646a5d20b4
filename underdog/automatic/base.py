"""What the automatic classifier and regressor share: data of any form, and one fitted model."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from underdog.automatic.examples import repeats_of
from underdog.automatic.inputs import Encoding, fitted_encoder, rows_in, shape_of
from underdog.automatic.settings import settings_for
from underdog.automatic.together import LeftOutTogether
from underdog.checks import check_positive
from underdog.data.conversion import take_rows
from underdog.files import Fields, Parameters, Savable
from underdog.text import TermVectorizer


class Automatic(Savable, BaseEstimator):  # type: ignore[misc]
    """A model that encodes what it is given, chooses settings and fits one booster."""

    time_budget: float | None
    random_state: Any
    n_jobs: int | None
    verbose: int
    encoder_: Any
    estimator_: Any
    choices_: list[str]

    def _fit_booster(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        booster_class: Any,
        groups: Any = None,
        time: Any = None,
    ) -> Any:
        """Encode the rows, choose settings and fit the booster; sets `choices_`."""
        if self.time_budget is not None:
            check_positive("time_budget", self.time_budget)
        n_rows = rows_in(X)
        together = LeftOutTogether.of(groups, time, n_rows)
        repeats = repeats_of(sample_weight, n_rows)
        encoder = fitted_encoder(X, repeats)
        if encoder is not None and not repeats.all() and rows_in(y) == n_rows:
            # a row that is no example may have values that an encoder refuses
            kept = np.flatnonzero(repeats)
            X, y, sample_weight = (take_rows(each, kept) for each in (X, y, sample_weight))
            together = None if together is None else together.take(kept)
        table = Encoding(encoder, None).transform(X)
        n_examples = int(repeats.sum())
        noun = "row" if n_examples == n_rows else "example"
        settings = settings_for(n_examples, shape_of(table)[1], noun)
        booster = booster_class(
            **settings.parameters,
            **self._more_settings(),
            time_budget=self.time_budget,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        folds = None
        if together is not None:
            labels = hasattr(booster_class, "predict_proba")
            folds = together.folds(table, y, labels, sample_weight, self.random_state)
        booster.fit(table, y, sample_weight, folds=folds)
        self.encoder_ = encoder
        self.choices_ = [settings.reason, booster.about_blend()]
        self._take_features(booster)
        return booster

    def _more_settings(self) -> dict[str, Any]:
        """Parameters of the booster that do not depend on the size of the data."""
        return {}

    def _take_features(self, booster: Any) -> None:
        for name in ("feature_names_in_", "n_features_in_"):
            self.__dict__.pop(name, None)
            source = booster if self.encoder_ is None else self.encoder_
            if hasattr(source, name):
                setattr(self, name, getattr(source, name))

    def _check_fitted(self) -> None:
        check_is_fitted(self, "estimator_")

    @property
    def _encoding(self) -> Encoding:
        """What turns given rows into those of the booster; its columns are found by name."""
        self._check_fitted()
        names = None if self.encoder_ is not None else getattr(self, "feature_names_in_", None)
        return Encoding(self.encoder_, None if names is None else names.tolist())

    def _encoded(self, X: Any) -> Any:
        return self._encoding.transform(X)

    @property
    def pipeline_(self) -> Any:
        """The fitted model as a pipeline of scikit-learn, or the booster if nothing is encoded."""
        self._check_fitted()
        if self.encoder_ is None:
            return self.estimator_
        last = self.estimator_
        if isinstance(self.encoder_, TermVectorizer):  # the columns of its matrix have no names
            last = copy(self.booster_)
            last.__dict__.pop("feature_names_in_", None)
            if last is not self.estimator_ and hasattr(self.estimator_, "deciding"):
                last = self.estimator_.deciding(last)
        return Pipeline([("encode", self.encoder_), ("predict", last)])

    @property
    def booster_(self) -> Any:
        """The fitted booster."""
        self._check_fitted()
        return getattr(self.estimator_, "estimator_", self.estimator_)

    def describe(self, max_display: int | None = 20, **options: Any) -> str:
        """What was chosen and why, and the rules as readable text.

        Parameters
        ----------
        max_display : int, optional
            How many rules to show; None for all.
        **options
            Those of the booster's `describe`.
        """
        rules = self.booster_.describe(max_display, **options)
        return "\n".join([*self.choices_, "", rules])

    def _to_file(self) -> dict[str, Any]:
        parameters = {"parameters": Parameters.from_estimator(self)}
        if not hasattr(self, "estimator_"):
            return parameters
        return {
            **parameters,
            "encoder": self.encoder_,
            "estimator": self.estimator_,
            "choices": list(self.choices_),
        }

    @classmethod
    def _from_file(cls, fields: Fields) -> Self:
        made = cls(**fields.parameters(cls))
        if "estimator" not in fields:
            return made
        made.encoder_, made.estimator_ = fields.get("encoder"), fields.get("estimator")
        made.choices_ = fields.items("choices")
        if not all(isinstance(sentence, str) for sentence in made.choices_):
            raise fields.wrong("choices", "must be texts")
        check_is_fitted(made.estimator_)
        made._restore(fields)
        made._take_features(made.booster_)
        return made

    def _restore(self, fields: Fields) -> None:
        """Check what a file says, and restore what else the class needs."""

    def __sklearn_tags__(self) -> Any:
        from dataclasses import replace

        tags = super().__sklearn_tags__()
        tags.input_tags = replace(
            tags.input_tags, allow_nan=True, sparse=True, categorical=True, string=True
        )
        return tags

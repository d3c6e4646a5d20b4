"""A classifier in another population: classes with other shares than in the training data."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np

from underdog.codes.binary import BinaryLabels
from underdog.codes.multi_label import MultiLabels
from underdog.codes.prevalence import read_label_shares, read_shares, shifted, shifted_labels
from underdog.core import not_defined
from underdog.files import Fields
from underdog.types import Floats, Integers
from underdog.workers.collective import ALONE, Collective, added, exact_sums


class PriorShift:
    """Gives a classifier `with_prevalence`.

    Attributes
    ----------
    class_prior_ : array of shape (K,)
        The share of each class, or label, in the rows that the probabilities were learned from;
        None for models of files that were written before it was stored.
    prevalence_ : array of shape (K,), or None
        The shares that the probabilities are for, if `with_prevalence` has changed them.
    """

    _labels: Any
    class_prior_: Floats | None = None
    prevalence_: Floats | None = None

    def with_prevalence(self, prevalence: Any, *, training_prevalence: Any = None) -> Self:
        """A copy for data in which classes have other shares than in the training data.

        Probabilities are corrected for the difference (prior shift): of two classes, the odds are
        multiplied by the ratio of the new odds to the old. Scores stay the same. Predictions, costs
        and thresholds follow the probabilities. The correction is right if the examples of a class
        look as they did in training and only the shares of the classes differ.

        Parameters
        ----------
        prevalence : float or mapping of classes to floats
            The share of the positive class where the model is used, or that of several classes.
            Classes that are not named have the rest, in the proportions of the training data. For
            several labels per row, an array with the share of each label.
        training_prevalence : optional
            The shares in the training data, if they are not those of the rows of `fit`: because the
            rows were sampled by class, say. In the same form.

        Returns
        -------
        model : of the same class
        """
        self._check_shift()
        known = self._labels.classes
        if isinstance(self._labels, MultiLabels):

            def read(name: str, given: Any, old: Any) -> Floats:
                return read_label_shares(name, given, len(known), old)
        else:
            positive = self._labels.positive if isinstance(self._labels, BinaryLabels) else None

            def read(name: str, given: Any, old: Any) -> Floats:
                return read_shares(name, given, known, positive, old)

        old = self.class_prior_
        if training_prevalence is not None:
            old = read("training_prevalence", training_prevalence, old)
        if old is None:
            raise ValueError(
                "the file of this model does not say how frequent the classes were in training: "
                "give training_prevalence, too"
            )
        several = isinstance(self._labels, MultiLabels)
        if bool((old <= 0.0).any()) or (several and bool((old >= 1.0).any())):
            raise ValueError(
                "a class without examples in training cannot become frequent: its probability is "
                "not known"
            )
        made = copy(self)
        made.class_prior_ = old
        made.prevalence_ = read("prevalence", prevalence, old)
        made._follow_prevalence(self)
        return made

    def _check_shift(self) -> None:
        """Refuse a model without probabilities, or one that is not fitted."""
        raise not_defined(self, "_check_shift")

    def _follow_prevalence(self, before: Self) -> None:
        """Change what depends on the shares, besides probabilities."""

    def _shifted(self, probabilities: Floats) -> Floats:
        """Probabilities for `prevalence_`."""
        new, old = self.prevalence_, self.class_prior_
        if new is None or old is None:
            return probabilities
        shift = shifted_labels if isinstance(self._labels, MultiLabels) else shifted
        return shift(probabilities, new, old)

    def _shares_to_file(self) -> dict[str, Any]:
        """What is not None, for a file."""
        found = {"class_prior": self.class_prior_, "prevalence": self.prevalence_}
        return {name: shares for name, shares in found.items() if shares is not None}

    def _restore_shares(self, fields: Fields) -> None:
        for name, attribute in (("class_prior", "class_prior_"), ("prevalence", "prevalence_")):
            shares = None
            if name in fields:
                shares = fields.floats(name, len(self._labels.classes))
                _check_shares(fields, name, shares, isinstance(self._labels, MultiLabels))
            setattr(self, attribute, shares)
        new, old = self.prevalence_, self.class_prior_
        if new is not None and (old is None or not bool(((new > 0) & (old > 0)).all())):
            raise fields.wrong("prevalence", "needs shares above 0, also in training")


def _check_shares(fields: Fields, name: str, shares: Floats, several: bool) -> None:
    if bool((shares < 0.0).any()) or bool((shares > 1.0).any()):
        raise fields.wrong(name, "must be between 0 and 1")
    if not several and abs(float(shares.sum()) - 1.0) > 1e-6:
        raise fields.wrong(name, "must sum to 1")


def shares_of(
    labels: Any,
    y: Any,
    weights: Floats | None,
    repeats: Integers | None,
    collective: Collective = ALONE,
) -> Floats:
    """(K,) the share of each class, or of the rows with each label; the order does not matter.

    Parameters
    ----------
    weights, repeats : (n,), or None if all are 1
    """
    sign = labels.indicator(y)
    if isinstance(labels, BinaryLabels):
        own = sign[:, 0] if labels.positive else 1 - sign[:, 0]
        sign = np.column_stack([1 - own, own])
    if weights is None:
        each = np.ones(len(sign), dtype=np.int64) if repeats is None else repeats
        counts, total = each @ sign.astype(np.int64), each.sum()
        counts, total = added(collective, counts), added(collective, total)
        return np.asarray(counts / total, dtype=np.float64)
    sums = np.array([exact_sums(collective, weights, own, 2, repeats) for own in sign.T])
    result: Floats = sums[:, 1] / sums.sum(axis=1)
    return result

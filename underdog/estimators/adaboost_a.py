"""AdaBoost.A: arbitrary initial weights and costs per example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.checks import is_number
from underdog.codes import Labels
from underdog.combiners import CostWeighted
from underdog.core import Combiner
from underdog.costs import Costs
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import (
    FitArguments,
    Weighting,
    costs_of_mistakes,
    favours_positive,
    logarithms,
    mean_per_class,
    relative_weight,
    warn_of_larger_class,
    weighting_of,
)
from underdog.types import Flags, Floats, Integers
from underdog.workers.collective import Collective, any_of, largest

SAME = 1e-12
"""Differences of log-weights below this are rounding errors."""


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostAClassifier(BinaryBooster):
    r"""AdaBoost.A: learn under initial weights w, measure mistakes by a relative cost p.

    Minimises :math:`\sum_i p_i \exp(-y_i f(x_i))` greedily. The learner sees the weights :math:`D_t
    \propto w \exp(-y f)`, but the coefficient is chosen under :math:`D_t p / w \propto p \exp(-y
    f)`: :math:`a_t = \frac12 \ln\frac{1 - A_t}{A_t}`, where :math:`A_t` is the share of these
    weights on mistakes. The cost-weighted training error is at most :math:`\prod_t R_t`, :math:`R_t
    = 2 \sqrt{A_t (1 - A_t)}`. If w and p are uniform this is AdaBoost; if w = p it is AdaBoost with
    p as initial weights.

    Parameters
    ----------
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here.
    initial : None, "uniform", "zipf" or ("geometric", q), default=None
        Initial weights by the position i = 1, 2, ... of a row: 1, 1/i or q**i, for examples in the
        order in which a person labelled them. For any other weights pass `initial_weight` to `fit`.
    stall : {"skip", "stop"}, default="skip"
        What to do if the best rule under w does not reduce the loss under p. "skip" uses the next
        best rule that does, and learns under p if there is none. "stop" ends the run, as the
        algorithm of the paper does in effect.

    Attributes
    ----------
    history_ : dict of arrays
        Also wrong_share (A_t), ratio (R_t) and bound (the product of the R_t so far).
    certificate_ : dict
        The proved bound on the cost-weighted training error and the measured error.

    References
    ----------
    Duarte and Milidiu, "Generalized Boosting Learning", Monografias em Ciencia da Computacao 15/07,
    PUC-Rio, 2007, algorithm 1, eqs. (1) and (5).

    Differs from the paper: `stall="skip"` is the default, because a rule with an edge under w and
    none under p would be found again in every round. In the coefficient A_t and 1 - A_t are at
    least e / 2 (e is the smoothing), so that it stays finite. A cost without initial weights is
    also used as initial weights. Hypotheses may be real-valued: their coefficient is found by a
    line search, and A_t is not defined (if w = p, their values already minimise the loss and the
    coefficient is 1).

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostAClassifier
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> y = np.array([0, 1, 0, 0, 1, 1])
    >>> model = AdaBoostAClassifier(n_estimators=1).fit(X, y, cost=[1, 9, 1, 1, 1, 1])
    >>> model.history_["wrong_share"].round(3).tolist()
    [0.143]
    """

    _takes_parts: ClassVar[bool] = True

    learner: Any = "discrete"
    initial: Any = None
    stall: str = "skip"

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        initial_weight: Any = None,
        cost: Any = None,
        costs: Costs | None = None,
        X_val: Any = None,
        y_val: Any = None,
        folds: Any = None,
        client: Any = None,
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X, y, sample_weight, X_val, y_val, folds, client
            As in `AdaBoostClassifier.fit`.
        initial_weight : array of shape (n,), optional
            w. Only ratios matter: multiplying all weights by a number changes nothing.
        cost : array of shape (n,), optional
            p. Only ratios matter. Without `initial_weight` it is used as w as well.
        costs : Costs, optional
            Another way to give p, as costs of mistakes per row. Costs shared by all rows are the
            parameter `costs`.

        Returns
        -------
        self
        """
        given = FitArguments(
            sample_weight, X_val, y_val, initial_weight, cost, costs, folds, client=client
        )
        return self._fit(X, y, given)

    def _make_combiner(self) -> Combiner:
        return CostWeighted(self.learning_rate, self.stall)

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        shared = weighting_of(self.class_weight, None, examples.counted, labels, examples.y)
        class_of_row = np.searchsorted(labels.classes, examples.y)
        start = self._initial(examples, given)
        costs = self._costs_of_mistakes(examples, labels, given, class_of_row)
        if start is None and costs is None:
            return shared
        if costs is None:
            costs = np.ones(len(examples.table))
        collective = examples.counted.collective
        own = logarithms(costs, collective)
        if start is None or not any_of(collective, _differs(start, own, collective)):
            # One signal: the values of its rules already minimise the loss.
            log_prior, log_cost = shared.log_prior + own, None
        else:
            log_prior, log_cost = shared.log_prior + start, shared.log_prior + own
        if favours_positive(costs, labels, class_of_row) and not self._names_positive():
            warn_of_larger_class("the cost", examples.counted, labels, examples.y)
        highest = largest(collective, float(costs.max(initial=0.0)))
        relative = costs / highest  # so that any multiple gives the same bits
        log_class = shared.log_class + mean_per_class(
            relative, examples.counted, class_of_row, len(labels.classes)
        )
        return Weighting(log_prior, log_cost, log_class)

    def _costs_of_mistakes(
        self,
        examples: LabelledRows,
        labels: Labels,
        given: FitArguments,
        class_of_row: Integers,
    ) -> Floats | None:
        """p up to a factor; None if no costs were given."""
        costs = self._given_costs(given)
        if costs is None:
            return None if given.cost is None else _relative("cost", given.cost, examples)
        if given.cost is not None:
            raise ValueError("both cost and costs were given, but they mean the same: give one")
        return costs_of_mistakes(costs, examples.counted, labels, class_of_row)

    def _why_in_memory(self) -> str | None:
        if self.initial in (None, "uniform"):
            return None
        return f"initial={self.initial!r} depends on the order of all rows"

    def _initial(self, examples: LabelledRows, given: FitArguments) -> Floats | None:
        """Logarithm of the initial weights; None if none were given."""
        if given.initial_weight is not None:
            if self.initial is not None:
                raise ValueError(
                    f"initial={self.initial!r} and initial_weight in fit were both given: give one"
                )
            weights = _relative("initial_weight", given.initial_weight, examples)
            return logarithms(weights, examples.counted.collective)
        if self.initial is None:
            return None
        position = examples.counted.kept.astype(np.float64) + 1.0
        if isinstance(self.initial, str) and self.initial == "uniform":
            return np.zeros(len(position))
        if isinstance(self.initial, str) and self.initial == "zipf":
            return logarithms(1.0 / position)
        if isinstance(self.initial, tuple | list) and len(self.initial) == 2:
            name, ratio = self.initial
            if name == "geometric" and is_number(ratio) and 0.0 < ratio <= 1.0:
                result: Floats = position * np.log(float(ratio))
                return result
        raise ValueError(
            f"initial={self.initial!r} must be None, 'uniform', 'zipf' or ('geometric', q) with "
            "0 < q <= 1"
        )


def _differs(start: Floats, cost: Floats, collective: Collective) -> Flags:
    """Whether two weightings, given as logarithms, differ by more than a factor.

    The largest of `cost` is 0.
    """
    highest = largest(collective, float(start.max(initial=-np.inf)))
    return np.asarray((abs((start - highest) - cost) >= SAME).any())


def _relative(name: str, given: Any, examples: LabelledRows) -> Floats:
    """Positive weights of the rows with a sample weight above 0."""
    weights = relative_weight(name, given, examples.counted.n_given)[examples.counted.kept]
    if not bool((weights > 0).all()):
        row = int(examples.counted.kept[np.flatnonzero(weights <= 0)[0]])
        raise ValueError(
            f"{name} is 0 in row {row}: it must be positive (to leave a row out, give it "
            "sample_weight 0)"
        )
    return weights

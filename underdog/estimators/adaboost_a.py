"""AdaBoost.A: any initial weighting, any relative cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import is_number
from underdog.codes import Labels
from underdog.combiners import CostWeighted
from underdog.core import Combiner
from underdog.costs import Costs
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.task import Examples
from underdog.estimators.support.weights import (
    FitArguments,
    Weighting,
    favours_positive,
    logarithms,
    mean_per_class,
    prices,
    relative_weight,
    warn_of_larger_class,
    weighting_of,
)
from underdog.types import Floats, Integers

SAME = 1e-12
"""Logarithms of two weightings that differ by less differ by rounding only."""


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostAClassifier(BinaryBooster):
    r"""AdaBoost.A: learn under an initial weighting w, pay for mistakes by a relative cost p.

    Minimises :math:`\sum_i p_i \exp(-y_i f(x_i))` greedily. The learner sees :math:`D_t \propto w
    \exp(-y f)`; the step is measured under :math:`D_t p / w \propto p \exp(-y f)`: with :math:`A_t`
    the share of that on mistakes, :math:`a_t = \frac12 \ln\frac{1 - A_t}{A_t}`. The cost-weighted
    training error is at most :math:`\prod_t R_t`, :math:`R_t = 2 \sqrt{A_t (1 - A_t)}`. With w and
    p uniform it is AdaBoost; with w = p it is AdaBoost started from p.

    Parameters
    ----------
    learner : default="discrete"
        See `AdaBoostClassifier`, as are the parameters that are not listed here.
    initial : None, "uniform", "zipf" or ("geometric", q), default=None
        Initial weighting by the position i = 1, 2, ... of a row: 1, 1/i or q**i. For examples in
        the order in which a person labelled them. fit's `initial_weight` is the general form.
    stall : {"skip", "stop"}, default="skip"
        What to do when the best rule under w gains nothing under p: take the next that does and,
        where none does, learn under p; or stop, which is what the paper's form comes to.

    Attributes
    ----------
    history_ : dict of arrays
        Also wrong_share (A_t), ratio (R_t) and bound (their product so far).
    certificate_ : dict
        The bound on the cost-weighted training error beside the measured one.

    References
    ----------
    Duarte and Milidiu, "Generalized Boosting Learning", Monografias em Ciencia da Computacao 15/07,
    PUC-Rio, 2007, algorithm 1, eqs. (1) and (5).

    Differs from the paper: `stall="skip"` (above), because a rule with an edge under w and none
    under p would come back for ever; in the coefficient A_t and 1 - A_t count as e / 2 at least (e
    is the smoothing), so that it stays finite; a cost given without an initial weighting is also
    the initial weighting; real-valued hypotheses, for which the coefficient is found by a line
    search and A_t is not defined (where w = p their values are already the minimiser and the
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

    learner: Any = "discrete"
    initial: Any = None
    stall: str = "skip"

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        initial_weight: Any = None,
        cost: Any = None,
        costs: Costs | None = None,
        X_val: Any = None,
        y_val: Any = None,
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X, y, sample_weight, X_val, y_val
            As in `AdaBoostClassifier.fit`.
        initial_weight : array of shape (n,), optional
            w, relative: any positive multiple means the same.
        cost : array of shape (n,), optional
            p, relative. Alone it is the initial weighting too.
        costs : Costs, optional
            Another way to say p: what mistakes cost, where each row has costs of its own; else the
            parameter `costs`.

        Returns
        -------
        self
        """
        return self._fit(
            X, y, FitArguments(sample_weight, X_val, y_val, initial_weight, cost, costs)
        )

    def _make_combiner(self) -> Combiner:
        return CostWeighted(self.learning_rate, self.stall)

    def _make_weighting(self, examples: Examples, labels: Labels, given: FitArguments) -> Weighting:
        to_python = weighting_of(self.class_weight, None, examples.counted, labels, examples.y)
        which = np.searchsorted(labels.classes, examples.y)
        start, price = self._initial(examples, given), self._prices(examples, labels, given, which)
        if start is None and price is None:
            return to_python
        if price is None:
            price = np.ones(len(examples.table))
        cost = logarithms(price)
        if start is None or _proportional(start, cost):
            # One signal: its rules are already the best, no other steps need to be looked for.
            log_prior, log_cost = to_python.log_prior + cost, None
        else:
            log_prior, log_cost = to_python.log_prior + start, to_python.log_prior + cost
        if favours_positive(price, labels, which) and not self._names_positive():
            warn_of_larger_class("the cost", examples.counted, labels, examples.y)
        relative = price / price.max()  # so that any multiple gives the same bits
        log_class = to_python.log_class + mean_per_class(relative, examples.counted, which)
        return Weighting(log_prior, log_cost, log_class)

    def _prices(
        self, examples: Examples, labels: Labels, given: FitArguments, which: Integers
    ) -> Floats | None:
        """p, relative; None if none was asked for."""
        costs = self._given_costs(given)
        if costs is None:
            return None if given.cost is None else _relative("cost", given.cost, examples)
        if given.cost is not None:
            raise ValueError("both cost and costs were given, which are the same: give one")
        return prices(costs, examples.counted, labels, which)

    def _initial(self, examples: Examples, given: FitArguments) -> Floats | None:
        """Logarithm of the initial weighting, None if none was asked for."""
        if given.initial_weight is not None:
            if self.initial is not None:
                raise ValueError(
                    f"both initial={self.initial!r} and fit's initial_weight were given: use one"
                )
            return logarithms(_relative("initial_weight", given.initial_weight, examples))
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


def _proportional(start: Floats, cost: Floats) -> bool:
    """Whether two weightings, given by their logarithms, are the same up to a factor."""
    return bool((abs((start - start.max()) - (cost - cost.max())) < SAME).all())


def _relative(name: str, given: Any, examples: Examples) -> Floats:
    """Positive weights, one per row that counts."""
    weights = relative_weight(name, given, examples.counted.n_given)[examples.counted.kept]
    if not bool((weights > 0).all()):
        row = int(examples.counted.kept[np.flatnonzero(weights <= 0)[0]])
        raise ValueError(
            f"{name} is 0 in row {row}: it must be positive (to leave a row out, give it "
            "sample_weight 0)"
        )
    return weights

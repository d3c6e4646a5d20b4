"""RobustBoost: BrownBoost with a margin as its goal."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.support.clocked import ClockedBooster
from underdog.losses import RobustPotential


@dataclass(kw_only=True, eq=False, repr=False)
class RobustBoostClassifier(ClockedBooster):
    r"""RobustBoost: as many examples as possible have a margin, the others are given up.

    The time t goes from 0 to 1. With :math:`u = e^{t-1}`, :math:`m = \theta - 2 \rho (1 - u)` and
    :math:`s^2 = \sigma_f^2 + 1 - u^2` an example with the margin :math:`r = y f(x)` has the weight
    :math:`\exp(-(r - m)^2 / s^2)` if r > m, and no weight otherwise: it is given up. In each round
    the coefficient of the rule and the clock move such that the mean of :math:`\min(1, 1 -
    erf((r - m) / s))` stays the same and the rule has no edge left. rho is such that this
    mean is the target error at the beginning. When the clock has run out, the share of the examples
    with a margin of at most theta is at most the target error.

    Parameters
    ----------
    target_error : float, default=0.1
        The share of the examples that may be given up, between 0 and 1: at least the share of wrong
        labels.
    target_margin : float, default=0.0
        theta, the margin that the others should have. Scores are not normalised.
    final_width : float, default=0.1
        :math:`\sigma_f`, how gradually the potential falls at the end.
    n_estimators : int, default=100
        Maximum number of rounds. If the clock has not run out, the model can be used all the same,
        but more examples than the target may be below the margin.
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. "real" and
        "discrete" choose the rule with the greatest edge.
    learning_rate : float, default=1.0
        Share of each step that is taken, at most 1; the clock moves less, too.

    Attributes
    ----------
    history_ : dict of arrays
        edge, time (from 0 to 1), potential (the same in all rounds; at the end it may be lower),
        loss (the mean potential if the clock ran out now, a bound on the training error), passes
        (over the rows, to find the step), coefficient, seconds.
    certificate_ : dict
        - bound: on the training error, the mean potential if the clock ran out now;
        - training_error;
        - time_left: the share of the time that is left. If it is 0, bound is at most the target
          error;
        - potential.

    Notes
    -----
    In the paper all coefficients are multiplied by :math:`e^{-dt}` in each round. Here scores are
    :math:`e^{t-1}` times as large, so coefficients do not change, and m and s have another form. At
    the end both are the same.

    The potential is not a smooth function of the step: where an example is given up, its weight
    falls to 0 at once. The edge of a rule may then jump from above 0 to below, and the step ends
    there. Near the end time may lower the potential. It goes on then by itself.

    References
    ----------
    Freund, "A more robust boosting algorithm", arXiv:0905.2138, 2009.

    Differs from the paper: the clock goes to the end, not to .999.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import RobustBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RobustBoostClassifier(target_error=0.1).fit(X, y)
    >>> model.stop_reason_
    'the clock has run out'
    """

    target_margin: float = 0.0
    final_width: float = 0.1

    def _make_loss(self) -> RobustPotential:
        return RobustPotential(self.target_error, self.target_margin, self.final_width)

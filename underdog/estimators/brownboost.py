"""BrownBoost: boosting that gives up examples which stay wrong."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.support.clocked import ClockedBooster
from underdog.losses import BrownPotential
from underdog.losses.potentials import check_target_error


@dataclass(kw_only=True, eq=False, repr=False)
class BrownBoostClassifier(ClockedBooster):
    r"""BrownBoost: AdaBoost with a clock, which gives up examples that stay wrong.

    With the margins :math:`r_i = y_i f(x_i)` and the time s left of a total of c, an example
    has the weight :math:`\exp(-(r_i + s)^2 / c)`, which is small for an example that is far on the
    right or far on the wrong side. A rule h gets the coefficient a, and the clock moves on, such
    that the mean of :math:`1 - erf((r_i + s) / \sqrt{c})` over the examples stays the same
    and h has no edge left. At the beginning this mean is the target error. When the clock has run
    out, the potential of a mistake is at least 1, so the training error is at most the target
    error.

    Parameters
    ----------
    target_error : float, default=0.1
        The training error that is accepted, between 0 and 1: at least the share of wrong labels.
        Less takes more rounds, and more weight on examples that may be wrong.
    total_time : float, optional
        c, instead of the target error :math:`1 - erf(\sqrt{c})`. With a large c this is
        AdaBoost with coefficients half as large.
    n_estimators : int, default=100
        Maximum number of rounds. If the clock has not run out, the model can be used all the same,
        but its training error may be above the target.
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. "real" and
        "discrete" choose the rule with the greatest edge.
    learning_rate : float, default=1.0
        Share of each step that is taken, at most 1; the clock moves less, too.

    Attributes
    ----------
    history_ : dict of arrays
        edge, time (from 0 to c), potential (the same in all rounds), loss (the mean potential if
        the clock ran out now, a bound on the training error), passes (over the rows, to find the
        step), coefficient, seconds.
    certificate_ : dict
        - bound: on the training error, the mean potential if the clock ran out now;
        - training_error;
        - time_left: the share of the time that is left. If it is 0, bound is the target error;
        - potential.

    Notes
    -----
    The steps are the first ones that satisfy both conditions: far beyond, where all weights have
    vanished, there are others. Scores are margins and not log-odds, so there are no probabilities
    unless it is recalibrated.

    References
    ----------
    Freund, "An adaptive version of the boost by majority algorithm", Machine Learning 43, 2001.

    Differs from the paper: if the clock hardly moves in 20 rounds, the run ends. Sample weights and
    class weights are weights in the mean.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BrownBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BrownBoostClassifier(target_error=0.1).fit(X, y)
    >>> model.stop_reason_
    'the clock has run out'
    """

    total_time: float | None = None

    def _make_loss(self) -> BrownPotential:
        check_target_error(self.target_error)
        if self.total_time is None:
            return BrownPotential.for_error(self.target_error)
        return BrownPotential(self.total_time)

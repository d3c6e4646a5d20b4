"""AdaUBoost: uneven start, uneven update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.checks import notify
from underdog.core import Run
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.uneven import Uneven
from underdog.losses import Exponential

MAX_FOR_VOTES = 4.0
"""A larger beta is too much for rules that vote for the heavier side."""
INSTEAD = (
    "To decide by cost use CalibratedAdaMECClassifier or CostSensitiveClassifier, or give "
    "AdaBoostClassifier a class_weight"
)


@dataclass(kw_only=True, eq=False, repr=False)
class AdaUBoostClassifier(Uneven, BinaryBooster):
    r"""AdaUBoost: every positive counts beta negatives, at the start and in every update.

    Minimises :math:`\sum_i w_i \exp(-b_i y_i f(x_i))` with :math:`b_i = 1/\beta` and :math:`w_i =
    \beta` for positives, both 1 for negatives. Weights of missed positives grow by
    :math:`\exp(a/\beta)` only, but from a start :math:`\beta` times as high. A voting hypothesis
    gets the one root of :math:`Z'(a)`; `learner="real"` has the block values that minimise the
    smoothed uneven Z, :math:`c = \frac{\beta}{1+\beta} (\ln(W_+/\beta + e) - \ln(W_- + e))`, and
    chooses by what is left of it, :math:`\sum_b (W_+/\beta + e)^{\beta/(1+\beta)} (W_- +
    e)^{1/(1+\beta)}`; "real.mh", "real.lp" and "real.u" have coefficient 1 as in the paper, with
    which Z may exceed 1 (the history says so). beta = 1 is AdaBoost, bit for bit.

    Where the loss is least, positives have the share beta/(1+beta) of the weight, .80 with beta =
    4. "real", "discrete" and "disc.u" keep it there: measured on topics of Reuters-21578 it is .77
    to .80. The values of "real.mh", "real.lp" and "real.u" are made for the even loss and end where
    both classes weigh the same: .50 on large topics, .57 on one of 39 documents, beside AdaBoost's
    .50. So with them positives do not keep more of the weight; what beta does is to raise scores,
    in the end by ln(beta) beta/(1+beta).

    Parameters
    ----------
    beta : float, default=2.0
        How many negatives one positive counts. Useful from 1 up to the number of negatives for each
        positive: there more is called positive than with beta = 1, and the ranking is as good or
        better. Beyond it both become worse, and above 1/smoothing a warning says so. Rules that
        vote for the heavier side ("disc.mh", "disc.lp", "disc.u", classifiers of other libraries)
        lose from beta = 2 to 4 on; above 4 a warning says so. beta is no threshold: to decide by
        cost use `CostSensitiveClassifier` or `CalibratedAdaMECClassifier`. docs/guide.md has the
        numbers.
    learner : default="real"
        See `AdaBoostClassifier`, as are the parameters that are not listed here.

    References
    ----------
    Karakoulas and Shawe-Taylor, "Optimizing classifiers for imbalanced training sets", NIPS 1998.
    Leskovec and Shawe-Taylor, "Linear Programming Boosting for Uneven Datasets", ICML 2003,
    eqs. (10) and (11).

    Differs from the paper: the root is that of Z'(a) derived from (10), because the subscripts of
    (11) are inconsistent, and right and wrong weight count as e / 2 at least in it (e is the
    smoothing), so that it stays finite; `learner="real"` is not in the paper, nor is
    `learner="discrete"`, which votes for the sign in which the uneven Z falls. "disc.mh", "disc.lp"
    and "disc.u" vote for the majority of the weights, as there: a rule that gains nothing under the
    uneven loss may come back, and the run stops and says so. That is before the least loss, so that
    they have no probabilities before they are calibrated.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaUBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaUBoostClassifier(beta=4.0, pos_label=0, n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.995
    """

    beta: float = 2.0

    def _make_loss(self) -> Exponential:
        return Exponential(self._unevenness())

    def _make_run(self, *given: Any) -> Run:
        run = super()._make_run(*given)
        self._warn(run)
        return run

    def _warn(self, run: Run) -> None:
        """Say so if beta is larger than what the learner can make use of."""
        parts, smooth = run.parts, run.smooth
        beta, shift = parts.loss.beta, parts.log_odds_shift
        if shift is None and beta > MAX_FOR_VOTES:
            notify(
                f"beta={beta:g} is too large for learner={self.learner!r}: its rules vote for the "
                "heavier side, and positives soon weigh beta times as much as negatives, so that "
                f"hardly a rule can say no. Use learner='real' or 'discrete', or a beta of at most "
                f"{MAX_FOR_VOTES:g}. {INSTEAD}"
            )
        elif shift == 0.0 and parts.criterion.final and 1.0 / beta < smooth < 0.5:
            # From 1/2 on it is smoothing that is too large.
            notify(
                f"beta={beta:g} is larger than 1/smoothing={1.0 / smooth:g} (by default the "
                "number of examples): smoothing outweighs all positives together. Use a beta of at "
                f"most the number of negatives for each positive. {INSTEAD}"
            )

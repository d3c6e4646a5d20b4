"""AdaUBoost: uneven initial weights and uneven updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import notify
from underdog.core import Run
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.uneven import Uneven
from underdog.losses import Exponential

MAX_FOR_VOTES = 4.0
"""The largest beta for rules that vote for the heavier side."""
INSTEAD = (
    "To predict by cost use CalibratedAdaMECClassifier or CostSensitiveClassifier, or give "
    "AdaBoostClassifier a class_weight"
)


@dataclass(kw_only=True, eq=False, repr=False)
class AdaUBoostClassifier(Uneven, BinaryBooster):
    r"""AdaUBoost: each positive counts as beta negatives, initially and in every update.

    Minimises :math:`\sum_i w_i \exp(-b_i y_i f(x_i))` with :math:`b_i = 1/\beta` and :math:`w_i =
    \beta` for positives and :math:`b_i = w_i = 1` for negatives. The weight of a misclassified
    positive grows only by :math:`\exp(a/\beta)` per round, but it starts :math:`\beta` times as
    high. beta = 1 is AdaBoost, bit for bit.

    - A voting hypothesis gets the coefficient a with :math:`Z'(a) = 0`.
    - `learner="real"` predicts the value that minimises the smoothed uneven Z in each block,
      :math:`c = \frac{\beta}{1+\beta} (\ln(W_+/\beta + e) - \ln(W_- + e))`, and chooses the test
      with the least remaining Z, :math:`\sum_b (W_+/\beta + e)^{\beta/(1+\beta)} (W_- +
      e)^{1/(1+\beta)}`.
    - "real.mh", "real.lp" and "real.u" have coefficient 1 as in the paper. With it Z may exceed 1,
      which `history_` shows.

    Parameters
    ----------
    beta : float, default=2.0
        Number of negatives that one positive counts for. Values from 1 to the imbalance ratio (the
        number of negatives per positive) are useful: more rows are predicted positive than with
        beta = 1, and the ranking is as good or better. Larger values make both worse; above
        1/smoothing there is a warning. Rules that vote for the heavier side ("disc.mh", "disc.lp",
        "disc.u", classifiers of other libraries) become worse from beta = 2 to 4 on; above 4 there
        is a warning. beta does not set a decision threshold: to predict by cost use
        `CostSensitiveClassifier` or `CalibratedAdaMECClassifier`. docs/guide.md has the
        measurements.
    learner : default="real"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here.

    Notes
    -----
    At the minimum of the loss, positives have the share beta/(1+beta) of the weight: .80 for beta =
    4. "real", "discrete" and "disc.u" reach it: on topics of Reuters-21578 the measured share is
    .77 to .80. The values of "real.mh", "real.lp" and "real.u" are derived from the even loss, and
    converge to equal weights of both classes: .50 on large topics and .57 on a topic of 39
    documents, where AdaBoost has .50. With these learners, therefore, beta does not give positives
    a larger share of the weight; it only raises the scores, in the limit by ln(beta) beta/(1+beta).

    References
    ----------
    Karakoulas and Shawe-Taylor, "Optimizing classifiers for imbalanced training sets", NIPS 1998.
    Leskovec and Shawe-Taylor, "Linear Programming Boosting for Uneven Datasets", ICML 2003,
    eqs. (10) and (11).

    Differs from the paper: the coefficient is the root of Z'(a) derived from (10), because the
    subscripts of (11) are inconsistent. The correct and the wrong weight are at least e / 2 in it
    (e is the smoothing), so that it stays finite. `learner="real"` and `learner="discrete"`, which
    votes for the sign that reduces the uneven Z, are not in the paper. "disc.mh", "disc.lp" and
    "disc.u" vote for the majority of the weights, as in the paper. They may find a rule that does
    not reduce the uneven loss; the run then stops, and `stop_reason_` says so. This happens before
    the minimum of the loss, so these learners have no probabilities unless they are calibrated.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaUBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaUBoostClassifier(beta=4.0, pos_label=0, n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.995
    """

    _takes_parts: ClassVar[bool] = True

    beta: float = 2.0

    def _make_loss(self) -> Exponential:
        return Exponential(self._unevenness())

    def _make_run(self, *given: Any) -> Run:
        run = super()._make_run(*given)
        self._warn(run)
        return run

    def _warn(self, run: Run) -> None:
        """Warn if beta is too large for the learner."""
        parts, smooth = run.parts, run.smooth
        beta, shift = parts.loss.beta, parts.log_odds_shift
        if shift is None and beta > MAX_FOR_VOTES:
            notify(
                f"beta={beta:g} is too large for learner={self.learner!r}: its rules vote for the "
                "heavier side, and positives soon weigh beta times as much as negatives, so that "
                "almost no rule predicts negative. Use learner='real' or 'discrete', or a beta of "
                f"at most {MAX_FOR_VOTES:g}. {INSTEAD}"
            )
        elif shift == 0.0 and parts.criterion.final and 1.0 / beta < smooth < 0.5:
            # If smoothing is 1/2 or more, it is the smoothing that is too large.
            notify(
                f"beta={beta:g} is larger than 1/smoothing={1.0 / smooth:g} (by default the "
                "number of examples): smoothing outweighs all positives together. Use a beta of at "
                f"most the number of negatives per positive. {INSTEAD}"
            )

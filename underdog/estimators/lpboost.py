"""LPBoost: the greatest soft margin, by linear programming."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.combiners import LinearProgramme
from underdog.core import Combiner
from underdog.estimators.support.corrective import SoftMarginBooster
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class LPBoostClassifier(SoftMarginBooster):
    r"""LPBoost: the combination of rules with the greatest soft margin.

    Minimises :math:`-\rho + \frac{1}{m \nu} \sum_i \xi_i` subject to :math:`y_i f(x_i) \ge \rho -
    \xi_i`, where f is a convex combination of rules in [-1, 1]. Every round solves the linear
    programme of the rules so far. Its dual variables are the weights for finding the next rule. The
    run ends when no rule has an edge above the margin. In the final model most coefficients are 0.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1): approximately the share of the examples that may lie below the margin.
        1/m is the hard margin. From twice the share of a class on, a constant prediction already
        has a positive margin, and nothing is learned.

        "auto" therefore starts with half of the share of the rarer class, but at least 1/m and at
        most 0.1. If a run converges without a positive margin, it is repeated with twice the nu, up
        to 1.5 times the share of the rarer class.

        All shares are shares of the weight. With ``class_weight="balanced"`` each class has half of
        it, so nu is a share of each class and "auto" starts with 0.1.
    learner : default="real.mh"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. Only
        "discrete", "disc.mh" and "disc.lp" (equivalent here) find the rule with the greatest edge,
        which gives an upper bound on the margin of any combination of rules. "tree" and
        `TreeLearner` are for at most 20,000 rows; such a run ends when no better tree is found, but
        never converges.
    n_estimators : int, default=300
        Maximum number of rounds.
    tol : float, default=0.01
        The run has converged when the greatest edge exceeds the margin by at most tol. The default
        is enough to classify; 1e-6 gives the optimum.
    learning_rate
        Must be 1.

    Attributes
    ----------
    converged_ : bool
        Whether the run reached the optimum up to tol.
    nu_ : float
        The value of nu that was used. With "auto" a warm start continues with it.
    certificate_ : dict
        - primal_value: the soft margin of the coefficients;
        - dual_value: the largest edge of the rules under the weights, equal to primal_value up to
          the precision of the solver;
        - gap: the greatest edge minus the soft margin; if the learner does not maximise the edge,
          that of the last rule instead, and the optimum may be further away;
        - upper_bound: on the soft margin of any combination of rules; NaN if the learner does not
          maximise the edge;
        - minimum_margin, soft_margin;
        - n_hypotheses: the number of rules with a coefficient above 0;
        - training_error;
        - stopped: the same text as `stop_reason_`.

    References
    ----------
    Demiriz, Bennett and Shawe-Taylor, "Linear programming boosting via column generation", Machine
    Learning 46, 2002, algorithm 4.1.

    Differs from the paper: real-valued rules are scaled to a largest value of 1, which makes
    margins comparable. Examples that no rule separates share one variable. If the optimum is not
    unique, a perturbation of 1e-9 that depends only on the rules and examples selects one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import LPBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LPBoostClassifier(nu=0.1, learner="disc.lp", tol=0.01).fit(X, y)
    >>> model.converged_, round(model.certificate_["soft_margin"], 2)
    (True, 0.17)
    """

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._nu_value())

    def _make_combiner(self) -> Combiner:
        return LinearProgramme(self.tol)

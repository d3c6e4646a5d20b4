"""LPBoost: the greatest soft margin, by linear programming."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.combiners import LinearProgramme
from underdog.core import Combiner
from underdog.estimators.corrective import CorrectiveBooster
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class LPBoostClassifier(CorrectiveBooster):
    r"""LPBoost: the combination of rules with the greatest soft margin.

    Minimises :math:`-\rho + \frac{1}{m \nu} \sum_i \xi_i` subject to :math:`y_i f(x_i) \ge \rho -
    \xi_i`, f a convex combination of rules in [-1, 1]. Every round solves the linear programme of
    the rules so far; its dual variables are the weights under which the next rule is sought, and
    the run ends by itself when no rule has an edge above the margin. Most rules end with
    coefficient 0.

    Parameters
    ----------
    nu : float, default=0.1
        In (0, 1): about the share of the examples that may lie below the margin. 1/m is the hard
        margin.
    learner : default="real.mh"
        As for `AdaBoostClassifier`, as are the parameters that are not listed here. Only
        "discrete", "disc.mh" and "disc.lp" (the same here) find the rule with the greatest edge,
        which gives an upper bound on the margin of any combination.
    n_estimators : int, default=300
    tol : float, default=0.01
        The run has converged when the best edge exceeds the margin by no more. The default is
        enough to classify; 1e-6 gives the optimum.
    learning_rate
        Must be 1.

    Attributes
    ----------
    converged_ : bool
    certificate_ : dict
        primal_value (the soft margin that the coefficients have) and dual_value (the largest edge
        of the rules under the weights: the same, up to the solver), gap (best edge minus soft
        margin) and upper_bound (on the soft margin of any combination of rules; NaN if the learner
        does not maximise the edge), minimum_margin, soft_margin, n_hypotheses with a coefficient
        above 0, training_error, and why it stopped.

    References
    ----------
    Demiriz, Bennett and Shawe-Taylor, "Linear programming boosting via column generation", Machine
    Learning 46, 2002, algorithm 4.1.

    Differs from the paper: real-valued rules are scaled to a largest value of 1, so that margins
    compare; examples that no rule tells apart are one variable; where the optimum is not unique, a
    tilt of 1e-9 that depends on nothing but the rules and examples themselves decides.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LPBoostClassifier(nu=0.1, learner="disc.lp", tol=0.01).fit(X, y)
    >>> model.converged_, round(model.certificate_["soft_margin"], 2)
    (True, 0.17)
    """

    nu: float = 0.1

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self.nu)

    def _make_combiner(self) -> Combiner:
        return LinearProgramme(self.tol)

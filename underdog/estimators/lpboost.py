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
    \xi_i`, f a convex combination of rules in [-1, 1]. Every round solves the linear programme of
    the rules so far; its dual variables are the weights under which the next rule is sought, and
    the run ends by itself when no rule has an edge above the margin. Most rules end with
    coefficient 0.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1) is about the share of the examples that may lie below the margin; 1/m is
        the hard margin. From twice the share of a class on, the same answer for every row has a
        positive margin, and nothing is learned. So "auto" begins with half of the share of the
        rarer class, with 1/m at least and 0.1 at most. Where a run converges without a positive
        margin, it is done again with twice the nu, up to 1.5 times that share. Shares are those of
        the weight: with ``class_weight="balanced"`` each class has a half, nu is a share of each
        class, and "auto" begins with 0.1.
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
    nu_ : float
        The number that was used. With "auto" a warm start goes on with it.
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
    >>> from underdog import LPBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LPBoostClassifier(nu=0.1, learner="disc.lp", tol=0.01).fit(X, y)
    >>> model.converged_, round(model.certificate_["soft_margin"], 2)
    (True, 0.17)
    """

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._number())

    def _make_combiner(self) -> Combiner:
        return LinearProgramme(self.tol)

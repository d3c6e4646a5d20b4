"""arc-gv: AdaBoost for the greatest minimum margin."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.combiners import HardMargin
from underdog.core import Combiner
from underdog.estimators.support.hard_margin import HardMarginBooster


@dataclass(kw_only=True, eq=False, repr=False)
class ArcGVClassifier(HardMarginBooster):
    r"""arc-gv: AdaBoost whose minimum margin tends to the greatest possible one.

    The rule of a round has the greatest edge r under the weights :math:`D_i \propto \exp(-y_i
    f(x_i))`. Its coefficient is :math:`\mathrm{artanh}(r) - \mathrm{artanh}(\rho)`, where rho is
    the least margin :math:`y f(x) / \sum_t a_t` of the rules so far: AdaBoost's coefficient is that
    of rho = 0. So AdaBoost until all training examples are right, and shorter steps from then on.

    Parameters
    ----------
    learner : default="discrete"
        Every built-in learner votes, -1 or 1, and chooses by the greatest edge. See
        `AdaBoostClassifier`, also for the parameters and attributes not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        edge, z, loss, log_loss, margin (the least margin after the round), coefficient, seconds.
    certificate_ : dict
        - bound: the mean of :math:`\exp(-y f)`, on the training error;
        - training_error;
        - minimum_margin;
        - upper_bound: the least edge. No vote of rules of this learner has a greater minimum
          margin. Infinite with trees and with learners of other libraries, which may miss a better
          rule.

    Notes
    -----
    A greater minimum margin often goes with a higher test error, which is what arc-gv was made to
    show: see `experiments/theory`. Scores are margins and not log-odds, so there are no
    probabilities unless it is recalibrated.

    References
    ----------
    Breiman, "Prediction games and arcing algorithms", Neural Computation 11, 1999.

    Differs from the paper: a negative rho counts as 0. After one rule with a mistake rho is -1, and
    the next step would have no end.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import ArcGVClassifier
    >>> X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    >>> y = X.sum(axis=1) > 0
    >>> model = ArcGVClassifier(n_estimators=300).fit(X, y)
    >>> round(model.certificate_["minimum_margin"], 2), round(model.certificate_["upper_bound"], 2)
    (0.33, 0.34)
    """

    def _make_combiner(self) -> Combiner:
        return HardMargin(self.learning_rate)

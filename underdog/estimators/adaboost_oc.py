"""AdaBoost.OC: many classes with a binary learner, by random colourings of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.core import Parts
from underdog.estimators.support.mislabels import ColouringBooster
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostOCClassifier(ColouringBooster):
    r"""AdaBoost.OC: a new output code column in every round, for rules that vote.

    Every row i has a weight for each wrong label l, :math:`D(i, l) \propto w_i \exp(\frac12
    (F_l(x_i) - F_{y_i}(x_i)))`. In every round half of the classes are drawn and get the colour
    :math:`\mu = -1`, the others +1. A binary learner is fitted to the colours of the rows, a row
    counting as much as its wrong labels of the other colour. Its rule h is added to the score of
    every class l as :math:`a \mu_l h`, with :math:`a = \frac12 \ln\frac{1 + r}{1 - r}` and the edge
    :math:`r = \sum_i h(x_i) \mu_{y_i} \sum_l D(i, l)`, where l is a wrong label of another colour.

    This is AdaBoost.M2 with the rules :math:`\mu_l h(x)`. The training error of K classes is at
    most :math:`(K - 1) \prod_t Z_t`, where :math:`Z_t` is the factor by which round t reduces the
    mean of :math:`\exp(\frac12 (F_l - F_y))` over rows and wrong labels. With two classes it is
    AdaBoost.

    Parameters
    ----------
    learner : default="discrete"
        Any learner of `AdaBoostClassifier`, but for more than two classes its rules must vote -1 or
        +1, as those of scikit-learn classifiers do. It sees one binary problem in every round.
    n_colourings : int, default=1
        How many random colourings to draw in every round. The one is used whose wrong labels of
        another colour weigh most. Such a colouring may be harder to learn: more are not always
        better.
    smoothing : float, optional
        In the coefficient 1 + r and 1 - r are at least so large. By default 1/m, where m is the sum
        of the sample weights.
    class_weight, costs
        Weights of the rows, whichever wrong label is predicted.
    scoring : str or callable, default="auto"
        "loss" is the mean of :math:`\exp(\frac12 (F_l - F_y))`.
    random_state : int or RandomState, optional
        Also the seed of the colourings. They depend on it and on the number of the round, not on
        the order of the rows.

    See `AdaBoostClassifier` for the parameters and attributes not listed here.

    Attributes
    ----------
    certificate_ : dict
        bound: :math:`(K - 1) \prod_t Z_t`. training_error: the share of misclassified rows, by
        weight; a tie for the highest score is an error. ranking_bound: :math:`\prod_t Z_t`.
        ranking_loss: the share of pairs of a row and a wrong label whose score is not below that of
        the class, which ranking_bound bounds.

    Notes
    -----
    If the learner has no edge with a colouring, up to nine others are tried in the round. Scores
    rank the classes and are no log-odds: there are no probabilities until `recalibrate` is called.

    References
    ----------
    Schapire, "Using output codes to boost multiclass learning problems", ICML 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import AdaBoostOCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostOCClassifier(n_estimators=50).fit(X, y)
    >>> {name: round(value, 3) for name, value in model.certificate_.items()}
    {'bound': 0.062, 'training_error': 0.007, 'ranking_bound': 0.031, 'ranking_loss': 0.003}
    """

    learner: Any = "discrete"

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Any, own: Weighting) -> Parts:
        if labels.n_labels > 1 and parts.criterion.final:
            raise ValueError(
                f"learner={self.learner!r} has rules with real values, but AdaBoost.OC needs "
                "votes: use learner='discrete', or AdaBoostECCClassifier"
            )
        return parts

"""AdaBoost.ECC: AdaBoost.OC with the best step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.estimators.support.mislabels import ColouringBooster


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostECCClassifier(ColouringBooster):
    r"""AdaBoost.ECC: a new output code column in every round, with the best step.

    Weights, colourings and the binary learner are those of `AdaBoostOCClassifier`. The step leaves
    out the wrong labels with the colour of the class, which no rule can separate from it: under the
    weights of the others, divided by their sum U,

    - a voting rule with the error :math:`\epsilon` has the coefficient :math:`\frac12 \ln\frac{1 -
      \epsilon}{\epsilon}`;
    - a real-valued rule says :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}` in a block of rows whose
      classes of the colours +1 and -1 weigh :math:`W_+` and :math:`W_-`.

    With the normaliser z of the binary problem the loss is multiplied by :math:`Z = 1 - U (1 - z)`,
    which is never more than that of AdaBoost.OC with the same rule and colouring. The training
    error of K classes is at most :math:`(K - 1) \prod_t Z_t`. With two classes it is AdaBoost.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`. It sees one binary problem in every round, however many classes
        there are.
    n_colourings : int, default=1
        How many random colourings to draw in every round. The one is used whose wrong labels of
        another colour weigh most.
    smoothing : float, optional
        e, by default 1/m, where m is the sum of the sample weights.

    The other parameters and `certificate_` are those of `AdaBoostOCClassifier`; see
    `AdaBoostClassifier` for the other attributes.

    References
    ----------
    Guruswami and Sahai, "Multiclass learning, boosting, and error-correcting codes", COLT 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import AdaBoostECCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostECCClassifier(n_estimators=50).fit(X, y)
    >>> {name: round(value, 3) for name, value in model.certificate_.items()}
    {'bound': 0.019, 'training_error': 0.0, 'ranking_bound': 0.009, 'ranking_loss': 0.0}
    """

    _of_separated: ClassVar[bool] = True

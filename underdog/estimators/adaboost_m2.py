"""AdaBoost.M2: several classes by pseudo-loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.codes import Code
from underdog.estimators.support.label_ranking import RankingBooster


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostM2Classifier(RankingBooster):
    r"""AdaBoost.M2: several classes by the pseudo-loss of rules that are only better than chance.

    Minimises :math:`\sum_i w_i \frac{1}{K - 1} \sum_{l \ne y_i} \exp(\frac12 (f_l(x_i) -
    f_{y_i}(x_i)))`. A rule says for each class whether it is plausible, h'(x, l) in [0, 1]. Under
    weights D of rows and wrong classes its pseudo-loss is :math:`\epsilon = \frac12 \sum D(i, l)
    (1 - h'(x_i, y_i) + h'(x_i, l))`: 1/2 for a rule that knows nothing, however many classes there
    are. So any rule that is better than chance helps, where AdaBoost.M1 needs one with an error
    below 1/2. The training error is at most :math:`(K - 1) \prod_t Z_t`.

    This is AdaBoost.MR for one class per row, with h = 2 h' - 1: the pseudo-loss is (1 - r) / 2 if
    r is the edge of h, and both take the same steps. `history_["edge"]` and `estimator_errors_`
    have r and the pseudo-loss. With two classes the model is that of binary AdaBoost.

    Scores are not log-odds, so there is no `predict_proba` before `recalibrate`.

    Parameters
    ----------
    learner : default="discrete"
        "discrete" says for each class whether it is plausible, as in the paper; "real" says how
        much, as in `AdaBoostMRClassifier`. See `AdaBoostClassifier`, also for the parameters and
        attributes not listed here. A scikit-learn classifier is cloned for every class in every
        round.
    costs : Costs, optional
        Costs of mistakes, which become the initial weights of the rows.

    Attributes
    ----------
    certificate_ : dict
        bound and training_error: the proved bound on the training error, and this error; a tie
        for the highest score is an error. ranking_bound and ranking_loss: the same for the share of
        pairs of the class and another one in the wrong order.

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, figure 4. Freund and Schapire, "Experiments with a new boosting
    algorithm", ICML 1996, figure 2.

    Differs from the paper: the coefficient of a rule is half of ln(1 / beta), because rules say -1
    and 1 instead of 0 and 1. Ties, rounding and perfect rules are as in `AdaBoostClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import AdaBoostM2Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostM2Classifier(n_estimators=20).fit(X, y)
    >>> model.estimator_errors_[:3].round(3)
    array([0.167, 0.157, 0.232])
    """

    learner: Any = "discrete"

    def _make_code(self, y: Any) -> Code:
        if y.ndim == 2:
            raise ValueError(
                f"y has {y.shape[1]} columns, but AdaBoost.M2 is for one class per row: use "
                "AdaBoostMRClassifier, which is the same for several labels"
            )
        return super()._make_code(y)

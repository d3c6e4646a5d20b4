"""AdaBoost, discrete and confidence-rated."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.support.base import Booster


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostClassifier(Booster):
    r"""AdaBoost with real-valued or voting stumps, or any scikit-learn classifier.

    Minimises :math:`\sum_i w_i \exp(-y_i f(x_i))`, :math:`f = \sum_t a_t h_t`, one hypothesis a
    round. The weights :math:`D_t(i) \propto w_i \exp(-y_i f_{t-1}(x_i))` are handed to the learner;
    a voting hypothesis gets :math:`a_t = \frac12 \ln\frac{1 + r_t}{1 - r_t}`, :math:`r_t = \sum_i
    D_t(i) y_i h_t(x_i)`; a real-valued one has block values :math:`\frac12 \ln\frac{W_+ + e}{W_- +
    e}` and :math:`a_t = 1`. The training error is at most :math:`\prod_t Z_t`. With more than two
    classes the one-of-K code is used, which makes it AdaBoost.MH.

    Parameters
    ----------
    learner : str, learner or scikit-learn classifier, default="real"
        "real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u" (see
        `StumpLearner`), a learner object, or a classifier, which is cloned every round.
    n_estimators : int, default=100
        Largest number of rounds.
    learning_rate : float, default=1.0
        Share of each step that is taken.
    smoothing : float, optional
        e, added to block weights before logarithms are taken; by default 1/(m K), m being the sum
        of the sample weights and K the number of label columns.
    max_bins : int, default=255
        Most bins of a numeric column, at most 65,535; columns with no more distinct values are cut
        at every gap. With more than 255 bins a column takes 8 bytes per value instead of 1, every
        bin takes 16 bytes per label and time in each round, and every rule of the model takes a
        byte per bin of its column.
    min_weight_fraction_leaf : float, default=0.0
        Share of the current weight that both sides of a stump's test must have.
    pos_label : label, optional
        The positive of two classes; by default `classes_[1]`.
    class_weight : dict or "balanced", optional
        Relative weight of each class; probabilities are corrected for it.
    costs : Costs, optional
        What mistakes cost: the weight with which an example starts. Probabilities are corrected for
        it. Costs of single examples are given to `fit`; for several labels see
        `AdaBoostMHClassifier`.
    categorical_features : "from_dtype", mask, positions or names, default="from_dtype"
        Columns to split as sets of levels. By default the text and category columns of a frame.
    early_stopping : bool, default=False
        Stop when the validation score has not risen by `tol` for `n_iter_no_change` rounds, and
        keep the rounds up to the best.
    cv : int, optional
        With early stopping, find the number of rounds on the scores of so many folds, and then fit
        the model on all rows. By default a share of the rows is held out; where that would hold out
        fewer than 20 examples of the rarest class, `cv=5` is used.
    validation_fraction : float, default=0.1
        Share of the rows held out for early stopping, unless fit is given X_val and y_val.
    scoring : str or callable, default="auto"
        For early stopping: "loss", the loss that is minimised; "ranking", the average precision of
        the rarer class (with several, the mean over one against the others); or a scikit-learn
        scorer. "auto" is "ranking" where a class is so rare that folds are made, else "loss".
    n_iter_no_change : int, default=10
    tol : float, default=1e-7
    warm_start : bool, default=False
        Go on from the rounds of the last fit.
    random_state : int or RandomState, optional
        For the rows that early stopping holds out, which follow from their contents and this
        number (None is 0), and for classifiers of other libraries; stumps need none.
    n_jobs : int, optional
        Threads. The model does not depend on it.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : array
    n_iter_ : int
        Rules in the model.
    stop_reason_ : str
        Why it has no more.
    history_ : dict of arrays
        Per round: edge, z, coefficient, loss, log_loss, seconds and, with a validation set,
        validation_score.
    certificate_ : dict
        The proved bound on the training error beside the measured one.
    feature_importances_ : array
        Share of each column in the measured drop of ln Z.
    model_ : Ensemble

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, figure 2. Schapire and Singer, Machine Learning 37, 1999, eqs. (1),
    (5), (9) and section 4.2 (smoothing).

    Differs from the paper: steps are rounded to multiples of 2**-36, so that scores are exact; the
    discrete coefficient is kept finite by taking 1 - r as e where it is smaller; tests whose
    criteria differ by less than 1e-11 are ties, and the lowest (column, cut) wins; a first rule
    that makes no mistake ends the run, because every further round would repeat it (with a
    learning rate below 1, when its shares make a whole step).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(model.describe())
    AdaBoostClassifier: 3 rules; score > 0 means '1', else '0' (all rounds done)
       1. worst perimeter > 117.45      -2.007   else +1.002
       2. worst concave points > 0.111  -0.988   else +0.989
       3. worst texture > 23.35         -0.347   else +1.222
    """


__all__ = ["AdaBoostClassifier"]

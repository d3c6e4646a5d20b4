"""AdaBoost, discrete and confidence-rated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.estimators.support.classifier import Classifier


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostClassifier(Classifier):
    r"""AdaBoost with real-valued or voting stumps, trees, or any scikit-learn classifier.

    Minimises the exponential loss :math:`\sum_i w_i \exp(-y_i f(x_i))`, :math:`f = \sum_t a_t h_t`,
    adding one hypothesis per round. The learner sees the weights :math:`D_t(i) \propto w_i
    \exp(-y_i f_{t-1}(x_i))`.

    - A voting hypothesis gets the coefficient :math:`a_t = \frac12 \ln\frac{1 + r_t}{1 - r_t}`,
      where :math:`r_t = \sum_i D_t(i) y_i h_t(x_i)` is its edge.
    - A real-valued hypothesis predicts :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}` in a block of
      rows whose positive and negative examples weigh :math:`W_+` and :math:`W_-`; its coefficient
      is 1.

    The training error is at most :math:`\prod_t Z_t`, where :math:`Z_t` is the factor by which
    round t reduces the loss. With more than two classes the one-of-K code is used, which makes this
    AdaBoost.MH.

    Parameters
    ----------
    learner : str, learner or scikit-learn classifier, default="real"
        "real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u" (see
        `underdog.learners.StumpLearner`), "tree", "c4.5-like", a learner object such as
        `underdog.learners.TreeLearner(max_depth=2)`, or a classifier, which is cloned in every
        round.
    n_estimators : int, default=100
        Maximum number of rounds.
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    smoothing : float, optional
        e, which is added to the weights of a block before taking logarithms. By default 1/(m K),
        where m is the sum of the sample weights and K the number of label columns.
    max_bins : int, default=255
        Maximum number of bins of a numeric column, at most 65,535. A column with no more distinct
        values than that is cut between all of them. With more than 255 bins a column takes 8 bytes
        per value instead of 1, every bin takes 16 bytes per label and time in each round, and every
        rule of the model takes a byte per bin of its column.
    min_weight_fraction_leaf : float, default=0.0
        Minimum share of the current weight on each side of a stump.
    pos_label : label, optional
        The positive class of a binary problem; by default `classes_[1]`.
    class_weight : dict or "balanced", optional
        Relative weight of each class. Probabilities are corrected for it.
    costs : Costs, optional
        Costs of mistakes, which become the initial weights of the examples. Probabilities are
        corrected for them. Costs per example are passed to `fit`; for multilabel problems see
        `AdaBoostMHClassifier`.
    resample : bool, default=False
        Whether the learner sees rows that are drawn with replacement in proportion to their
        weights, as many as there are examples, and not the weights. The step and the next weights
        follow from all rows in any case. For every learner, and for losses with weights: boosters
        with Newton steps or a master problem refuse it.
    categorical_features : "from_dtype", mask, positions or names, default="from_dtype"
        Columns to split by sets of levels. By default the text and category columns of a data
        frame.
    monotonic_cst : array of -1, 0 and 1, or dict of column names, optional
        1 if the score of the positive class must not fall as the column increases, -1 if it must
        not rise, 0 for no constraint. For numeric columns, two classes, and stumps or trees.
        Missing values are not constrained.
    interaction_cst : "pairwise", "no_interactions" or list of sets of columns, optional
        Which columns may be tested together on one path of a tree, by position or name: all
        columns of a path must be in one of the sets. Columns that are in none form one more set.
        "pairwise" allows two columns on a path, "no_interactions" one. A stump tests one column
        only.
    early_stopping : bool, default=False
        Stop when the validation score has not improved by `tol` for `n_iter_no_change` rounds, and
        keep the rounds up to the best one.
    cv : int, optional
        Number of folds for early stopping: the number of rounds is chosen by cross-validation, and
        the model is then fitted on all rows. By default a part of the rows is held out instead, and
        `cv=5` is used only if that part would have fewer than 20 examples of the rarest class.
    validation_fraction : float, default=0.1
        Share of the rows to hold out for early stopping, unless X_val and y_val are passed to
        `fit`.
    scoring : str or callable, default="auto"
        Score for early stopping: "loss", the loss that is minimised; "ranking", the average
        precision of the rarer class (with several classes, the mean over one class against the
        rest); or a scikit-learn scorer. "auto" is "ranking" if a class is so rare that folds are
        used, otherwise "loss".
    n_iter_no_change : int, default=10
        Number of rounds without improvement after which early stopping ends the run.
    tol : float, default=1e-7
        Minimum improvement of the validation score.
    warm_start : bool, default=False
        Continue from the rounds of the previous call of `fit`.
    random_state : int or RandomState, optional
        Seed for early stopping, for `resample` and for trees with `subsample` or `max_features`,
        whose draws depend on this number (None is 0) and on the contents of the rows, and for
        classifiers of other libraries. Stumps are not random.
    n_jobs : int, optional
        Number of threads. The model does not depend on it.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : array
        The class labels.
    n_iter_ : int
        Number of rules in the model.
    stop_reason_ : str
        Why training stopped.
    history_ : dict of arrays
        One value per round: edge, z, coefficient, loss, log_loss, seconds and, with validation
        data, validation_score.
    certificate_ : dict
        The proved bound on the training error and the measured training error and, for two classes,
        the bounds of theory on margins and on new examples; NaN where there is none. `text()`
        lists those that say something; see docs/certificates.md.
    feature_importances_ : array
        Share of each column in the measured decrease of ln Z.
    estimators_ : sequence of rules
        The rules, each with a `predict` method.
    estimator_weights_ : array
        The coefficient of each rule: 1 for real-valued rules, whose values are final. For two
        classes and rules that vote it is half of that of scikit-learn's `AdaBoostClassifier`.
    estimator_errors_ : array
        The weighted error of each rule in its round, (1 - edge) / 2; NaN for rules that do not vote
        -1 or +1. If no rule votes, there is no such attribute.
    model_ : Ensemble
        The fitted model.

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, figure 2. Schapire and Singer, Machine Learning 37, 1999, eqs. (1),
    (5), (9) and section 4.2 (smoothing).

    Differs from the paper: steps are rounded to multiples of 2**-36, which makes sums of scores
    exact. The coefficient of a voting hypothesis stays finite because 1 - r is at least e in it.
    Tests whose criteria differ by less than 1e-11 are ties, and the lowest (column, cut) wins. If
    the first rule makes no mistake the run ends, because every further round would repeat it (with
    a learning rate below 1, it ends when the steps add up to a whole one).

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
    training error: at most 0.2772 (measured 0.06151)
    """

    _takes_parts: ClassVar[bool] = True


__all__ = ["AdaBoostClassifier"]

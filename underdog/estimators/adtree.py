"""Alternating decision trees."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.checks import check_choice
from underdog.core import Loss, Parts, Rows, weight_per_unit
from underdog.estimators.support.alternating import AlternatingParameters
from underdog.estimators.support.classifier import Classifier
from underdog.losses import Exponential, Logistic
from underdog.losses.log_loss import on_grid
from underdog.types import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class ADTreeClassifier(AlternatingParameters, Classifier):
    r"""Alternating decision tree: tests under prediction nodes, whose values are added up.

    Every prediction node has a value, and a row reaches the root and one child of every test under
    a node that it reaches. Its score f is the sum of the values of all nodes that it reaches. The
    root is :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}`. Each round adds, under some prediction node,
    the test with the least :math:`Z = r + 2 \sum_b \sqrt{W_+ W_-}` under the weights :math:`D(i)
    \propto w_i \exp(-y_i f(x_i))`. r is the weight of the rows that do not reach the node, and b
    are the two children, with the values :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}`. The training
    error is at most the mean of :math:`e^{-y f}`. With more than two classes the one-of-K code is
    used, so that every node has a value for each class; `LADTreeClassifier` is another form for
    several classes.

    Parameters
    ----------
    n_estimators : int, default=20
        Number of tests.
    loss : {"exponential", "logistic"}, default="exponential"
        "logistic" has the weights :math:`w_i / (1 + e^{y_i f(x_i)})`; see
        `LogisticAdaBoostClassifier`.
    grow : {"all", "root", "singles"}, default="all"
        Under which prediction nodes tests are added: all of them, the root only, which makes this
        AdaBoost with stumps, or the root and those that have no test yet.
    missing : {"side", "neither"}, default="side"
        Where rows with a missing value in the column of a test go: to the better child, or to
        neither of them, as in the paper. With "neither" a round may change the value of the root
        instead of adding a test, if that lowers the loss more.
    smoothing : float, optional
        e; by default 1/(2 m K), where m is the sum of the sample weights and K the number of label
        columns.
    learner : default="alternating"
        Any learner of `AdaBoostClassifier`; with others than "alternating", only the root value
        differs from it.
    early_stopping : bool, default=False
        True chooses the number of tests, at most `n_estimators`, by 5 folds: give a larger number,
        such as 100, with it.
    cv : int, default=5
        Number of folds. With None a part of the rows is held out instead.
    scoring : str or callable, default="ranking"
        The score that chooses the number of tests. With "loss" it is usually 1 or 2: few held-out
        rows that are wrong with a large score dominate the loss.
    n_iter_no_change : int, default=20
        Number of tests without improvement after which the search ends.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.
    `monotonic_cst` and `interaction_cst` are refused, because tests under a node may undo them.

    Attributes
    ----------
    model_ : Ensemble
        `start` is the value of the root. Each member is a test, whose block REST abstains.

    References
    ----------
    Freund and Mason, "The alternating decision tree learning algorithm", ICML 1999.

    Differs from the paper: e is added to the weights, which sum to one, where the paper adds 1 to
    weights that do not. Missing values go to the better child by default. Tests are chosen by the
    unsmoothed Z. Ties and rounding are as in `AdaBoostClassifier`; of nodes, the oldest wins. With
    its default smoothing and enough bins it reproduces the published trees of JBoost.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import ADTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = ADTreeClassifier(n_estimators=4).fit(X, y)
    >>> print(model.describe())
    ADTreeClassifier: 4 rules; score > 0 means '1', else '0' (all rounds done)
    baseline +0.260
       1. worst perimeter <= 117.45         +0.748
            3. worst texture <= 20.845      +2.618
               worst texture > 20.845       -0.194
                 4. worst radius <= 16.765  +0.263
                    worst radius > 16.765   -2.285
          worst perimeter > 117.45          -2.331
       2. worst concave points <= 0.111     +0.995
          worst concave points > 0.111      -0.995
    training error: at most 0.2297 (measured 0.05975)
    """

    loss: str = "exponential"

    def _make_loss(self) -> Loss:
        check_choice("loss", self.loss, "exponential", "logistic")
        return Exponential() if self.loss == "exponential" else Logistic()

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 0.5 / (examples * n_labels) if self.smoothing is None else float(self.smoothing)

    def _start(self, parts: Parts, rows: Rows, smooth: float) -> Floats:
        """The value of the root."""
        signal = parts.loss.make_signal(rows)
        totals = rows.totals(signal)
        return on_grid(parts.criterion.value(totals * weight_per_unit(signal, totals), smooth))

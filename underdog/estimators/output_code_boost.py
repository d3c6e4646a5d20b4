"""Output codes: many classes by boosted questions about sets of classes; AdaBoost.MO."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from underdog.checks import check_flag, to_python
from underdog.codes import Binary, Code, Labels, OutputCode
from underdog.codes.base import two_or_more
from underdog.codes.matrices import own_matrix
from underdog.codes.output_code import CodedLabels
from underdog.core import Combiner, Learner, Parts, Run
from underdog.estimators.support import inputs
from underdog.estimators.support.certificates import bound_of, misclassified
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.columns import ColumnByColumn, ColumnLearner
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting, pairs_of


@dataclass(kw_only=True, eq=False, repr=False)
class OutputCodeBoostClassifier(Classifier):
    r"""AdaBoost on the columns of an output code, with shared rules (AdaBoost.MO) or without.

    Every class r has a word :math:`M_r` of -1, 0 and +1. A column s of the code M is the question
    whether the class of a row has +1 or -1 there; rows of classes with 0 do not count for it. The
    scores :math:`f_s` of the columns minimise :math:`\sum_i \sum_s w_i \exp(-M_{y_i s} f_s(x_i))`
    over the s where M is not 0.

    A class is predicted whose word fits the scores best. With K classes, L columns, the least
    distance :math:`\rho = \min \sum_s (1 - M_{rs} M_{qs}) / 2` between two words r and q, and the
    mean :math:`\epsilon` of :math:`\exp(-M_{y_i s} f_s(x_i))` over all rows and columns (1 where
    M is 0), the training error is at most :math:`L \epsilon / \rho`; twice that with
    `decoding="hamming"`. With two classes there is one column, and the model is that of AdaBoost.

    Parameters
    ----------
    code : str or matrix of shape (K, L), default="dense"
        - "one-vs-rest": K columns. With `shared=True` this is AdaBoost.MH.
        - "all-pairs": a column for each two classes, with 0 for all others.
        - "exhaustive": all :math:`2^{K-1} - 1` ways to divide up to 11 classes in two.
        - "dense": :math:`10 \log_2 K` random columns of -1 and +1.
        - "sparse": :math:`15 \log_2 K` random columns, half of whose entries are 0.
        - A matrix of -1, 0 and 1 with a row for each class in the order of `classes_`. Every column
          needs -1 and 1; equal and complementary columns are refused.

        Of 100 random codes the one with the greatest :math:`\rho` is used. With few classes
        a random code has all columns that there are, which are fewer.
    decoding : {"loss", "hamming"}, default="loss"
        "loss" predicts the class with the least :math:`\sum_s \exp(-M_{rs} f_s)`, "hamming" the one
        with the least :math:`\sum_s (1 - \sign(M_{rs} f_s)) / 2`; of several, the first.
    shared : bool, default=True
        Whether a rule is for all columns: one test, with a value for each column (or one vote for
        each and a common coefficient). Otherwise every column is boosted by itself on the rows that
        count for it, and a rule is about one column: the columns take turns.
    learner : default="real"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here.
    n_estimators : int, default=100
        Maximum number of rounds; with `shared=False`, of each column.
    smoothing : float, optional
        By default 1/m, where m is the number of pairs of an example and a column that are not 0 in
        the code; with `shared=False`, those of the column.
    class_weight, costs
        Weights of the classes in all columns.
    scoring : str or callable, default="auto"
        "loss" is the mean loss of all entries of the code that are not 0. Other scorers see the
        decoded classes.
    n_iter_no_change : int, default=10
        With `shared=False`, rounds of each column.
    random_state : int or RandomState, optional
        Also the seed of random codes.

    Attributes
    ----------
    code_ : array of shape (K, L)
        The code.
    history_ : dict of arrays
        With `shared=False` and several columns an entry is one rule, and there are also column and
        column_log_loss, the logarithm of the loss of that column.
    certificate_ : dict
        bound: :math:`L \epsilon / \rho`, or twice that. training_error: the share of
        misclassified rows, by weight. loss: :math:`\epsilon`. distance: :math:`\rho`.

    Notes
    -----
    `decision_function` has a column for each class: minus the logarithm of the mean loss of its
    word, or minus its distance. There are no probabilities; `recalibrate` learns some from new
    rows. Rules and explanations are about the scores of the columns.

    With `shared=False` the model is still one additive model with L scores, so that everything else
    works as usual. The columns could as well be L boosters, but their rounds would have to be
    brought together for early stopping, staged predictions and files.

    References
    ----------
    Allwein, Schapire and Singer, "Reducing multiclass to binary: a unifying approach for margin
    classifiers", JMLR 1, 2000. Dietterich and Bakiri, "Solving multiclass learning problems via
    error-correcting output codes", JAIR 2, 1995. Schapire and Singer, Machine Learning 37, 1999,
    section 9 (AdaBoost.MO).

    Differs from the papers: AdaBoost.MO has no zeros; here they are left out of the loss.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import OutputCodeBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OutputCodeBoostClassifier(code="all-pairs", shared=False, n_estimators=10)
    >>> {name: round(value, 3) for name, value in model.fit(X, y).certificate_.items()}
    {'bound': 0.623, 'training_error': 0.02, 'loss': 0.415, 'distance': 2.0}
    """

    code: Any = "dense"
    decoding: str = "loss"
    shared: bool = True

    _is_coded: ClassVar[bool] = True
    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error", "loss", "distance")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flag("shared", self.shared)
        OutputCode(self.code, self.decoding).check()

    def _make_code(self, y: Any) -> Code:
        inputs.check_one_label(self, y)
        if len(np.unique(y)) > 2:
            if self.pos_label is not None:
                raise ValueError(
                    f"pos_label={self.pos_label!r} is for two classes, but y has more than two: "
                    "leave it out"
                )
            return OutputCode(self.code, self.decoding, self.random_state)
        if not isinstance(self.code, str):
            own_matrix(self.code, [to_python(label) for label in two_or_more(y)])
        return Binary(self.pos_label)

    def _make_learner(self) -> Learner:
        own = super()._make_learner()
        return own if self.shared else ColumnLearner(own)

    def _make_combiner(self) -> Combiner:
        if self.shared:
            return super()._make_combiner()
        return ColumnByColumn(self.learning_rate, self.n_estimators)

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Labels, own: Weighting) -> Parts:
        if self.shared:
            return parts
        mask = labels.mask(examples.y)
        if mask is None:
            smooth = [self._smooth(examples.counted.examples, 1)] * labels.n_labels
        else:
            counts = [pairs_of(examples.counted, column[:, np.newaxis]) for column in mask.T]
            smooth = [self._smooth(count, 1) for count in counts]
        own_steps = ColumnByColumn(self.learning_rate, self.n_estimators, tuple(smooth))
        return replace(parts, combiner=own_steps)

    def _turns(self, n_labels: int) -> int:
        return 1 if self.shared else n_labels

    def _resumed_labels(self, labels: Labels) -> Labels:
        super()._resumed_labels(labels)
        if isinstance(labels, CodedLabels) and not np.array_equal(labels.matrix, self.code_):
            raise ValueError(
                "warm_start: the code is not that of the fitted model: use the same code, and the "
                "same number as random_state, or set warm_start=False"
            )
        return labels

    @property
    def code_(self) -> Any:
        """(K, L) the word of each class."""
        self._check_fitted()
        if isinstance(self._labels, CodedLabels):
            return self._labels.matrix
        return np.array([[-1], [1]], dtype=np.int8)

    def _certify(self, run: Run) -> dict[str, Any]:
        labels, loss = self._labels, bound_of(run)
        if not isinstance(labels, CodedLabels):
            return {
                "bound": loss, "training_error": run.training_error(), "loss": loss, "distance": 1.0
            }  # fmt: skip
        share = share_of_entries(run)
        mean = share * loss + (1.0 - share)
        times = 1.0 if self.decoding == "loss" else 2.0
        return {
            "bound": times * labels.n_labels * mean / labels.distance,
            "training_error": misclassified(run, labels),
            "loss": mean,
            "distance": labels.distance,
        }


def share_of_entries(run: Run) -> float:
    """The share of the cost on pairs of a row and a column that are not 0 in the code."""
    targets = [shard.target for shard in run.rows.shards]
    if targets[0].mask is None:
        return 1.0
    rows, n_labels = run.rows, run.rows.n_labels
    logs = [target.log_weight(costly=True) for target in targets]
    counts = [np.log(own.mask.sum(axis=1) / n_labels) for own in targets if own.mask is not None]
    some = rows.log_sum_exp(lambda shard: logs[shard.number] + counts[shard.number])
    return float(np.exp(some - rows.log_sum_exp(lambda shard: logs[shard.number])))

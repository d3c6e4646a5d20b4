"""AdaBoost_Reg, LPReg and QPReg: AdaBoost with soft margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from underdog.checks import check_choice, notify
from underdog.combiners import Forgiving, LinearPenalty, QuadraticPenalty
from underdog.combiners.solved_last import AUTO, LEAST_MARGIN, SolvedLast
from underdog.core import Combiner, Loss, Run
from underdog.engine import CONSTANT
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.early_stopping import ChosenRounds
from underdog.estimators.support.task import FitTask
from underdog.estimators.support.validation import Validation
from underdog.losses import RefittedVotes, SoftExponential

PERSISTENCE, LINEAR, QUADRATIC = PENALTIES = ("persistence", "linear", "quadratic")


@dataclass(kw_only=True, eq=False, repr=False)
class SoftMarginAdaBoostClassifier(BinaryBooster):
    r"""AdaBoost that forgives examples: AdaBoost_Reg, LPReg and QPReg.

    With ``penalty="persistence"`` (AdaBoost_Reg) examples that stay heavy are forgiven while rules
    are found. The soft margin of an example is :math:`y_i f(x_i) + s_i`. The weights are
    :math:`D_i \propto \exp(-y_i f(x_i) - s_i)`. After a rule with the coefficient a, each example
    is forgiven :math:`a C m D_i` more, m being the number of examples: an example that is heavy
    round after round soon has as large a soft margin as the others. The coefficient minimises
    :math:`\sum_i D_i \exp(-a (y_i h(x_i) + C m D_i))`. C = 0 is AdaBoost.

    The two others find rules as AdaBoost does, and compute all their coefficients :math:`a \ge 0`
    again after the last round, with a slack :math:`\xi_i \ge 0` for each example:

    - "linear" (LPReg) maximises :math:`\rho - \frac{1}{\nu m} \sum_i \xi_i` subject to
      :math:`y_i f(x_i) \ge \rho - \xi_i` and :math:`\sum_t a_t = 1`, the programme of LPBoost;
    - "quadratic" (QPReg) minimises :math:`\frac12 |a|^2 + C \sum_i \xi_i` subject to :math:`y_i
      f(x_i) \ge 1 - \xi_i`, a support vector machine on what the rules say.

    Parameters
    ----------
    penalty : {"persistence", "linear", "quadratic"}, default="persistence"
        AdaBoost_Reg, LPReg or QPReg.
    C : float, optional
        "persistence": how much is forgiven, 0.1 by default, from 0.01 for few wrong labels to 0.9;
        choose it by folds. With equal weights at the start and 1 or more, every mistake is forgiven
        in the first round. The paper's C is m times as large.

        "quadratic": what an example costs for each unit that it lacks to a score of 1, 1 by
        default. A smaller C forgives more.
    nu : "auto" or float, default="auto"
        For "linear" only: a number in (0, 1), approximately the share of the examples that may lie
        below the margin. A larger nu forgives more. "auto" starts as for `LPBoostClassifier`, and
        raises nu until there is a positive margin.
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. For
        "persistence" rules with real values get a coefficient, too; for the others all named
        learners find rules that vote.

    Attributes
    ----------
    history_ : dict of arrays
        edge, z (by which the mean of :math:`\exp(-y f - s)` is multiplied, below 1), loss (this
        mean), coefficient, seconds. For "linear" and "quadratic" those of AdaBoost, before the
        coefficients are computed again.
    certificate_ : dict
        bound: the mean of :math:`\exp(-y f)`, on the training error. training_error. For "linear"
        also soft_margin, the gap to the greatest one, and the nu that was used; for "quadratic"
        the objective and the gap to the least one.

    Notes
    -----
    If every mistake of the best rule is forgiven, the run ends: use a smaller C. Scores are margins
    and not log-odds, so there are no probabilities unless it is recalibrated.

    "linear" and "quadratic": the model after fewer rounds (`staged_predict` and the like) is that
    of AdaBoost, and early stopping measures it; only the last one has the new coefficients. A warm
    start goes on with the rounds of AdaBoost. The solver needs a number for each rule and each
    group of examples that no rule separates. If coefficients of "quadratic" sum to 2**15 or more,
    they are multiplied by a factor, which changes no prediction.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Differs from the paper, versions of which differ: the influence of an example is the sum of
    :math:`a_t D_t(i)`, neither squared nor divided by the sum of the coefficients. LPReg is written
    with nu = 1 / (m C), as LPBoost is. A rule that was found several times has one coefficient,
    which QPReg penalises as a whole.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import SoftMarginAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SoftMarginAdaBoostClassifier(C=0.2, n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.97
    >>> model.set_params(penalty="linear", C=None, nu=0.1)
    SoftMarginAdaBoostClassifier(n_estimators=20, nu=0.1, penalty='linear')
    >>> round(model.fit(X, y).certificate_["soft_margin"], 3)
    0.135
    """

    learner: Any = "discrete"
    penalty: str = PERSISTENCE
    C: float | None = None
    nu: Any = AUTO

    @property
    def _certified(self) -> tuple[str, ...]:  # type: ignore[override]
        made = self._make_combiner()
        return (*BinaryBooster._certified, *(made.solution if isinstance(made, SolvedLast) else ()))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("penalty", self.penalty, *PENALTIES)
        if self.penalty == LINEAR and self.C is not None:
            raise ValueError(
                f'C={self.C!r} is not for penalty="linear": give nu, approximately the share of '
                "the examples that may lie below the margin, and leave C at None"
            )
        if self.penalty != LINEAR and self.nu != AUTO:
            raise ValueError(
                f'nu={self.nu!r} is for penalty="linear", but penalty is {self.penalty!r}: give C '
                'instead, and leave nu at "auto"'
            )

    def _make_loss(self) -> Loss:
        return SoftExponential() if self.penalty == PERSISTENCE else RefittedVotes()

    def _make_combiner(self) -> Combiner:
        if self.penalty == LINEAR:
            return LinearPenalty(self.learning_rate, self.nu)
        if self.penalty == QUADRATIC:
            return QuadraticPenalty(self.learning_rate, 1.0 if self.C is None else self.C)
        return Forgiving(self.learning_rate, 0.1 if self.C is None else self.C)

    def _learn(self, task: FitTask) -> None:
        # Several BLAS threads could change the last bits of the products of a programme.
        with threadpool_limits(None if self.penalty == PERSISTENCE else 1, user_api="blas"):
            super()._learn(task)

    def _keep(self, run: Run, reason: str, validation: Validation | ChosenRounds | None) -> None:
        super()._keep(run, reason, validation)
        margin = self.certificate_.get("soft_margin", 1.0)
        if margin <= LEAST_MARGIN and not reason.endswith(CONSTANT):
            notify(
                f"{type(self).__name__}: with nu={self.certificate_['nu']:.4g} no coefficients of "
                f"these rules have a soft margin above {margin:.3g}, so they mean little: use a "
                "larger nu, more rounds, or LPBoostClassifier, which looks for rules that help"
            )

    def _certify(self, run: Run) -> dict[str, Any]:
        return {**super()._certify(run), **getattr(run.memory, "facts", {})}

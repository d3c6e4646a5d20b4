"""Boosting by majority: the number of votes is fixed in advance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from underdog.codes import Labels
from underdog.combiners import MajorityVote
from underdog.combiners.majority_vote import DECIDED
from underdog.core import Combiner, Run
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import FitArguments, Weighting
from underdog.losses import MajorityVotes
from underdog.losses.majority import majority_rounds


@dataclass(kw_only=True, eq=False, repr=False)
class BoostByMajorityClassifier(BinaryBooster):
    r"""Boosting by majority: every rule has one vote, and their number is fixed in advance.

    Suppose every rule is right with the chance :math:`1/2 + \gamma`. The potential of an example is
    the chance that it is wrong at the end, and its weight is proportional to how much the next vote
    changes that: examples that are safely right, and those that are lost, have little. As long as
    every rule has an edge of at least :math:`2 \gamma`, the mean potential does not rise, and after
    all T votes the training error is at most the potential at the beginning, the target error.

    Parameters
    ----------
    gamma : float, default=0.05
        Between 0 and 1/2. A rule whose edge is below 2 gamma ends the run.
    target_error : float, default=0.1
        T is the smallest odd number of votes for which the bound on the training error is at most
        this.
    n_estimators : int, default=1000
        Maximum number of rounds. If it is less than T, there is no bound.
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. Rules
        vote: all learners that find stumps choose the one with the greatest edge.
    learning_rate
        Must be 1.

    Attributes
    ----------
    rounds_ : int
        T.
    history_ : dict of arrays
        edge, loss (the mean potential), coefficient (1), seconds.
    certificate_ : dict
        bound: on the training error, 1 if not all T votes that matter were cast. training_error.

    Notes
    -----
    Its edges shrink as those of AdaBoost do, so it is no algorithm for practice: with a gamma that
    is small enough for all T rules T is large. `BrownBoostClassifier` is its limit for small gamma,
    and adapts to the edges.

    References
    ----------
    Freund, "Boosting a weak learning algorithm by majority", Information and Computation 121, 1995.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BoostByMajorityClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostByMajorityClassifier(gamma=0.1, target_error=0.2).fit(X, y)
    >>> model.rounds_, model.stop_reason_
    (17, 'all votes are cast')
    """

    learner: Any = "discrete"
    n_estimators: int = 1000
    gamma: float = 0.05
    target_error: float = 0.1

    _learns: ClassVar[dict[str, Any]] = {"rounds_": int}

    def _make_loss(self) -> MajorityVotes:
        return MajorityVotes(self.gamma, majority_rounds(self.target_error, self.gamma))

    def _make_combiner(self) -> Combiner:
        return MajorityVote()

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        if self.learning_rate != 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} is not supported, because every rule has "
                "one vote: leave it at 1"
            )
        return super()._make_weighting(examples, labels, given)

    def _certify(self, run: Run) -> dict[str, Any]:
        loss = cast(MajorityVotes, run.parts.loss)
        self.rounds_ = loss.rounds
        complete = self.n_iter_ == loss.rounds or self.stop_reason_ == DECIDED
        bound = loss.chance(0) if complete else 1.0
        return {"bound": bound, "training_error": run.training_error()}

"""Votes of AdaBoost whose coefficients are all solved for after the last round: LPReg, QPReg."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from underdog.checks import as_float, check_positive, is_number
from underdog.combiners.clock_path import blocks_of_rows
from underdog.combiners.stagewise import Stagewise, StagewiseMemory, check_votes
from underdog.core import (
    MAX_SCORE,
    Hypothesis,
    Loss,
    Member,
    Run,
    RunRecord,
    Target,
    not_defined,
    with_coefficients,
)
from underdog.kernels.elementary import exp_each
from underdog.losses.soft_margin import SoftMargin
from underdog.masters.margin_of_votes import greatest_soft_margin
from underdog.masters.quadratic import least_quadratic
from underdog.masters.votes import Answers, Votes, distinct_votes
from underdog.types import Floats, Integers

UNIT_BITS = 60
"""All weights together are less than 2**60 units."""
LEAST_MARGIN = 1e-8
"""A smaller soft margin is a rounding error of the solver."""
AUTO = "auto"
MOST_NU = 0.999
"""Here nearly all examples count alike, and the first rule alone has a margin."""


@dataclass
class SolvedMemory(StagewiseMemory):
    """The state of such a run in addition to its scores."""

    facts: dict[str, float] = field(default_factory=dict)
    """What is known of the solution."""


class SolvedLast(Stagewise):
    """Adds votes as AdaBoost does; after the last round a programme has all coefficients anew.

    The rounds, and what is measured in them, are those of AdaBoost. A subclass defines `solve`, and
    `solution`, the names of what it says of the solution.
    """

    takes_parts: ClassVar[bool] = False

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "best_coefficient")
    such_as: ClassVar[str] = "RefittedVotes()"
    solution: ClassVar[tuple[str, ...]] = ()

    def solve(self, votes: Votes, examples: int) -> tuple[Floats, dict[str, float]]:
        """(J,) coefficients for what hypotheses say of so many examples, and facts about them."""
        raise not_defined(self, "solve")

    def check(self) -> None:
        super().check()
        if type(self) is SolvedLast:
            raise not_defined(self, "solve")

    def check_loss(self, loss: Loss) -> None:
        super().check_loss(loss)
        check_votes(self, loss)

    def start(self, run: Run) -> SolvedMemory:
        if run.rows.n_labels > 1:
            raise ValueError(
                f"{self!r} is for two classes, but there are {run.rows.n_labels} label columns"
            )
        return SolvedMemory()

    def after_last_round(self, run: Run) -> None:
        members = run.state.members
        first: dict[bytes, int] = {}  # of rules that are found several times, one is enough
        scaled = [_of_size_one(member) for member in members]
        votes = votes_of(run, [member.hypothesis for member in members], scaled)
        for number, own in enumerate(votes.answers.T):
            if own.any():
                first.setdefault(own.tobytes(), number)
        if not first:  # a constant that says nothing
            run.memory.facts = dict.fromkeys(self.solution, math.nan)
            return
        chosen = list(first.values())
        examples = int(run.rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
        own, run.memory.facts = self.solve(
            votes._replace(answers=np.ascontiguousarray(votes.answers[:, chosen])), examples
        )
        last = np.zeros(len(members))
        for number, coefficient in zip(chosen, own.tolist(), strict=True):
            last[number] = coefficient * scaled[number]
        joined = np.array([member.coefficient for member in members])
        before = [joined[:number] for number in range(1, len(members))]
        run.state.settle([*before, last])

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        """From the coefficients that the rules had when they were found."""
        joined = np.array([row["coefficient"] for row in run.history.rows[: len(members)]])
        found = with_coefficients([member.hypothesis for member in members], joined)
        super().resume(run, found, ())

    def check_path(self, record: RunRecord) -> None:
        joined = record.history["coefficient"][: len(record.members)]
        if not record.path:  # nothing was solved
            record.check_coefficients()
            return
        for coefficients in record.path[:-1]:
            if not np.array_equal(coefficients, joined[: len(coefficients)]):
                raise ValueError("the coefficients in the history differ from those of the path")


class LinearPenalty(SolvedLast):
    r"""LPReg: the coefficients of the greatest soft margin, for the votes that AdaBoost has found.

    They maximise :math:`\rho - \frac{1}{\nu m} \sum_i \xi_i`, where :math:`\xi_i` is what example i
    lacks to the margin :math:`\rho`, and sum to 1: the programme of `LinearProgramme`.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which the steps of AdaBoost are multiplied.
    nu : "auto" or float, default="auto"
        Approximately the share of the examples that may lie below the margin. "auto" starts as for
        `LPBoostClassifier`, and raises nu until there is a positive margin.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Examples
    --------
    >>> from underdog.combiners import LinearPenalty
    >>> LinearPenalty(nu=0.2)
    LinearPenalty(nu=0.2)
    """

    solution: ClassVar[tuple[str, ...]] = ("soft_margin", "gap", "nu")

    def __init__(self, learning_rate: float = 1.0, nu: str | float = AUTO) -> None:
        super().__init__(learning_rate)
        self.nu: str | float = nu if isinstance(nu, str) else as_float(nu)

    def check(self) -> None:
        super().check()
        valid = self.nu == AUTO if isinstance(self.nu, str) else is_number(self.nu)
        if not valid or not (isinstance(self.nu, str) or 0.0 < self.nu < 1.0):
            raise ValueError(
                f"nu={self.nu!r} must be {AUTO!r} or a number between 0 and 1, approximately the "
                "share of the examples that may lie below the margin"
            )

    def solve(self, votes: Votes, examples: int) -> tuple[Floats, dict[str, float]]:
        if isinstance(self.nu, str):
            nu, most = SoftMargin().nu_range(float(votes.share[votes.sign == 1].sum()), examples)
        else:
            nu, most = self.nu, 1.0
        found = greatest_soft_margin(votes, nu)
        while self.nu == AUTO and found.margin <= LEAST_MARGIN and nu < MOST_NU:
            nu = min(2.0 * nu, most) if nu < most else 0.5 * (nu + 1.0)
            found = greatest_soft_margin(votes, nu)
        facts = {"soft_margin": found.margin, "gap": found.gap, "nu": nu}
        return found.coefficients, facts


class QuadraticPenalty(SolvedLast):
    r"""QPReg: the coefficients of a support vector machine, for the votes that AdaBoost has found.

    They minimise :math:`\frac12 |a|^2 + C \sum_i \max(0, 1 - y_i f(x_i))` and are not negative.
    Votes that were found several times have one coefficient.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which the steps of AdaBoost are multiplied.
    C : float, default=1.0
        What an example costs for each unit that it lacks to a score of 1.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Examples
    --------
    >>> from underdog.combiners import QuadraticPenalty
    >>> QuadraticPenalty(C=0.1)
    QuadraticPenalty(C=0.1)
    """

    solution: ClassVar[tuple[str, ...]] = ("objective", "gap")

    def __init__(self, learning_rate: float = 1.0, C: float = 1.0) -> None:
        super().__init__(learning_rate)
        self.C: float = as_float(C)

    def check(self) -> None:
        super().check()
        check_positive("C", self.C)

    def solve(self, votes: Votes, examples: int) -> tuple[Floats, dict[str, float]]:
        found = least_quadratic(votes.game, self.C * examples * votes.share)
        own, total = found.coefficients, float(found.coefficients.sum())
        if total >= 0.5 * MAX_SCORE:  # only their ratios matter to predictions
            own = own * (0.5 * MAX_SCORE / total)
        return own, {"objective": found.objective, "gap": found.gap}


def votes_of(run: Run, hypotheses: Sequence[Hypothesis], scale: Sequence[float]) -> Votes:
    """What hypotheses, each multiplied by its scale, say of the examples of all shards."""
    shards = run.rows.shards
    highest = run.rows.largest(lambda shard: shard.target.log_weight())
    total = int(run.rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
    unit = math.ldexp(1.0, UNIT_BITS - total.bit_length())

    def amounts(target: Target) -> Integers:
        own = target.log_weight() - highest
        exp_each(own, own)
        result: Integers = np.rint(own * unit).astype(np.int64) * target.repeats
        return result

    def columns() -> Iterator[Answers]:
        for hypothesis, factor in zip(hypotheses, scale, strict=True):
            partition = run.rows.place(hypothesis)
            blocks = [blocks_of_rows(run.rows, one.number, partition) for one in shards]
            yield Answers(factor * hypothesis.values[:, 0], np.concatenate(blocks))

    sign = np.concatenate([one.target.sign[:, 0] for one in shards])
    return distinct_votes(sign, np.concatenate([amounts(one.target) for one in shards]), columns())


def _of_size_one(member: Member) -> float:
    """1 / the largest absolute value of a rule, with the sign that it has in the model."""
    largest = float(np.abs(member.hypothesis.values).max()) or 1.0
    return (-1.0 if member.coefficient < 0.0 else 1.0) / largest

"""Barrier boosting: the greatest minimum margin by a smooth one that is sharpened."""

from __future__ import annotations

import math
from typing import ClassVar, cast

import numpy as np

from underdog.checks import as_float, check_positive, is_number
from underdog.combiners.hull import SHARES, SMALLEST_GAP, Hull, HullMemory
from underdog.core import Loss, Move, Proposal, Question, Run, Shard, Stop
from underdog.kernels import criteria
from underdog.losses.descent import Descent, LossAlong
from underdog.losses.exponential_cost import ExponentialCost
from underdog.losses.pointwise import margins
from underdog.types import Floats

FIRST = 0.5
"""The first mu."""
LEAST = 2.0**-9
"""The least mu: scores are margins / mu."""
CLOSE_ENOUGH = "the least margin is within tol of the greatest edge, which no vote can exceed"
SHARPEST = "no rule raises the smooth margin at the least mu"


class Barrier(Hull):
    r"""Maximises the smooth margin :math:`-\mu \ln \frac{1}{m} \sum_i \exp(-y_i f(x_i) / \mu)`.

    f is in the convex hull of rules that vote, so y f is a margin. With :math:`D_i \propto
    \exp(-y_i f(x_i) / \mu)` a round moves towards the rule of the greatest edge, :math:`f
    \leftarrow (1 - c) f + c h`, with the best c in [0, 1]. The smooth margin is at most
    :math:`\mu \ln m` above the least margin, so :math:`\mu` is halved whenever the gap, the edge
    minus the mean margin under D, is below it. The greatest edge under any D is at least the
    greatest possible margin, which makes the least edge of all rounds an upper bound on it.
    AdaBoost's weights are these with :math:`\mu` = 1 / (sum of its coefficients).

    Scores are :math:`f / \mu`: BoostingClassifier(loss=Descent(ExponentialCost()),
    combiner=Barrier()).

    Parameters
    ----------
    tol : float, default=0.05
        The run ends when the least margin is within tol of its upper bound.

    References
    ----------
    Rätsch, Warmuth, Mika, Onoda, Lemm and Müller, "Barrier boosting", COLT 2000.

    Differs from the paper: all coefficients are not optimised for each :math:`\mu`; a round takes
    one step of Frank and Wolfe, and :math:`\mu` follows the gap.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import BoostingClassifier
    >>> from underdog.combiners import Barrier
    >>> from underdog.losses import Descent, ExponentialCost
    >>> X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    >>> y = X.sum(axis=1) > 0
    >>> cost = Descent(ExponentialCost())
    >>> model = BoostingClassifier(loss=cost, combiner=Barrier(), n_estimators=500).fit(X, y)
    >>> print(round(model.history_["margin"][-1], 2), model.stop_reason_[:16])
    0.33 the least margin
    """

    such_as: ClassVar[str] = "Descent(ExponentialCost())"
    facts: ClassVar[tuple[str, ...]] = ("gap", "share", "margin", "upper_bound", "mu")
    not_always_finite: ClassVar[tuple[str, ...]] = ("upper_bound",)

    def __init__(self, tol: float = 0.05) -> None:
        self.tol: float = as_float(tol)

    def check(self) -> None:
        check_positive("tol", self.tol)
        if not (is_number(self.tol) and self.tol < 1.0):
            raise ValueError(f"tol={self.tol!r} must be below 1: margins are at most 1")

    def check_loss(self, loss: Loss) -> None:
        super().check_loss(loss)
        if not isinstance(getattr(loss, "own", None), ExponentialCost):
            raise ValueError(
                f"{self!r} is for the exponential loss, but the loss is {loss!r}: use "
                f"{self.such_as}"
            )

    def start(self, run: Run) -> HullMemory:
        return HullMemory(1.0 / FIRST)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        mu = run.history.last("mu", FIRST)
        radius, loss = 1.0 / mu, cast(Descent, run.parts.loss)
        now = loss.training_loss(run.rows)
        line = loss.segment(run, proposal, radius)
        slope, bend = line.slopes(0.0)
        gap = -slope / (now * radius)
        exact = run.parts.criterion.maximises_edge and not run.parts.learner.greedy
        edge = proposal.edge()
        upper = min(run.history.last("upper_bound", math.inf), edge) if exact else math.inf
        if not -slope > SMALLEST_GAP * now:
            if mu <= LEAST or not run.state.members:
                return Stop(SHARPEST)
            share = 0.0
        else:
            share = round(line.best(slope, bend) * SHARES) / SHARES
        sharper = 2.0 if gap < mu and mu > LEAST else 1.0
        move = self._mix(proposal, share, radius, sharper)
        least = _least_margin(run, line, share, radius)
        facts = {
            "edge": edge, "loss": line.value(share), "gap": gap, "share": share,
            "margin": least, "upper_bound": upper, "mu": mu / sharper,
        }  # fmt: skip
        last = CLOSE_ENOUGH if least >= upper - self.tol else None
        return move._replace(facts=facts, last=last)

    def _mix(self, proposal: Proposal, share: float, radius: float, sharper: float) -> Move:
        """The step, with all scores multiplied where mu is halved."""
        values, coefficient = proposal.hypothesis.values, share * radius * sharper
        steps = np.empty_like(values)
        size = float(criteria.on_grid(values, coefficient, steps))
        return Move(coefficient, steps, size, keep=(1.0 - share) * sharper)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        now = cast(Descent, run.parts.loss).training_loss(run.rows)
        facts = {
            "edge": 0.0, "loss": now, "gap": 0.0, "share": 0.0, "margin": 0.0,
            "upper_bound": math.inf, "mu": FIRST,
        }  # fmt: skip
        return Move(0.0, np.zeros_like(proposal.hypothesis.values), 0.0, facts)


def _least_margin(run: Run, line: LossAlong, share: float, radius: float) -> float:
    """The least y f after a step, divided by the sum of the coefficients."""
    after = line.at(share)

    def short(shard: Shard) -> Floats:
        return -margins(after[shard.number], shard.target.sign)

    whole = (1.0 - share) * run.state.score_bound + share * radius
    return -run.rows.largest(short) / whole if whole > 0.0 else 0.0

"""The built-in weak learner: the best test on one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from underdog.core import Blocks, Criterion, Learner, Loss, Proposal, Question, Run, Stop, Test
from underdog.data.hashing import Keys
from underdog.hypotheses import Tree
from underdog.kernels import criteria
from underdog.learners.candidates import Candidates
from underdog.learners.choice import Choice
from underdog.learners.criteria import ClassVote, Newton, criterion
from underdog.learners.veto import Veto
from underdog.types import Floats, Integers

VOTES = ("discrete", "disc.mh", "disc.lp")
"""Kinds that vote for a class, where the loss asks for one."""
NO_TEST = "no column has two different values: there is nothing to split on"
NO_ORDER = "no test has its values in the order that monotonic_cst asks for"
TOO_LIGHT = "no test has min_weight_fraction_leaf of the weight on both sides"
NO_GAIN = "no rule gains under the cost any more"


@dataclass
class StumpMemory:
    """The state of the learner in one run, with one choice per signal."""

    run: Run
    criterion: Criterion
    choices: list[Choice]
    _keys: Keys | None = None

    def keys(self, row_keys: Keys | None) -> Keys | None:
        """Keys that break ties between tests."""
        if self._keys is None and row_keys is not None:
            encoded, candidates = self.run.rows.only.encoded, self.choices[0].candidates
            self._keys = candidates.keys(encoded, row_keys)
        return self._keys

    def smooth(self, asking: int = 0) -> float:
        """The smoothing, relative to weights that sum to one."""
        return self.run.smooth / self.choices[asking].signal.mass

    def admits(self, sums: Integers) -> bool:
        """Whether both blocks have the minimum share of the weight."""
        least = self.run.least_block
        if not least:
            return True
        masses = sums * self.choices[0].unit
        if self.criterion.reads != "newton":
            return bool(masses.sum(axis=(1, 2)).min() >= least)
        curvature = masses[:, 1].sum(axis=1)
        return bool(curvature.min() >= least * curvature.sum())


class StumpLearner(Learner):
    """Finds the best test among all tests of all columns.

    A test splits the rows into two blocks: value above a cut (missing values on the better side),
    level in a set, or word present. W_+ and W_- are the weights of the positive and negative
    examples of a block b; all weights sum to one. e is the smoothing.

    Parameters
    ----------
    kind : str, default="real"
        Which values the blocks have, and how the test is chosen:

        | name | block value c_b | chosen by |
        |---|---|---|
        | real | 1/2 ln((W_+ + e)/(W_- + e)) | least Z = 2 sum_b sqrt(W_+ W_-) |
        | real, Gentle | (W_+ - W_-)/(W_+ + W_-) | greatest sum_b (W_+ - W_-)^2/(W_+ + W_-) |
        | real, uneven loss | minimiser of the Z of W_+ + beta e and W_- + e | that least Z |
        | discrete | sign(W_+ - W_-); for an uneven loss sign(W_+/beta - W_-) | steepest Z |
        | disc.mh, disc.lp | sign(W_+ - W_-) | greatest edge, equivalent to the least even Z |
        | real.mh | smoothed log-odds | least Z = 2 sum_b sqrt(W_+ W_-) |
        | real.lp | smoothed log-odds | greatest edge |
        | real.u | smoothed log-odds | least uneven Z at coefficient 1 |
        | disc.u | sign(W_+ - W_-) | least uneven Z at its best coefficient |

    Notes
    -----
    A test on a category column is a set of levels. The levels are sorted by their share of positive
    weight, and the sets are the last levels in this order, for every length. With one label column
    this finds the best of all sets for "real" (beta = 1), "discrete", "real.mh", "disc.mh" and
    "disc.lp", whose criteria are concave and without smoothing. For "real.lp", "real.u" and "real"
    with another beta it may miss the best set if smoothing is so strong that no split is useful,
    and for "disc.u" with another beta in about one case in ten. With several label columns one
    order per label is tried, which is a heuristic.

    References
    ----------
    Schapire and Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
    Learning 37, 1999, sections 3 and 4. Leskovec and Shawe-Taylor, ICML 2003, section 3.

    Examples
    --------
    >>> from underdog.learners import StumpLearner
    >>> StumpLearner("disc.mh")
    StumpLearner(kind='disc.mh')
    """

    takes_parts: ClassVar[bool] = True

    knows_columns = True
    keeps_constraints = True

    def __init__(self, kind: str = "real") -> None:
        self.kind = kind

    def check(self) -> None:
        criterion(self.kind)

    def criterion(self, loss: Loss) -> Criterion:
        if loss.reads == "newton" and self.kind == "real":
            return Newton()
        if loss.reads == "classes" and self.kind in VOTES:
            return ClassVote()
        return criterion(self.kind, loss.beta, loss.chooses_by)

    def start(self, run: Run) -> StumpMemory:
        candidates = Candidates(run.rows.layout)
        directions = run.constraints.directions
        choices = [
            Choice(run.rows, each, candidates, run.workers, directions=directions)
            for each in run.state.signals
        ]
        return StumpMemory(run, run.parts.criterion, choices)

    def fit(self, memory: StumpMemory, question: Question) -> Proposal | Stop:
        for choice in memory.choices:
            choice.update()
        return self._with_veto(memory) if question.veto else self._best(memory, question)

    def _best(self, memory: StumpMemory, question: Question) -> Proposal | Stop:
        choice = memory.choices[0]
        keys, column = memory.keys(question.row_keys), question.column
        best = choice.best(memory.criterion, memory.smooth(), keys, column)
        if best is None:
            return Stop(NO_ORDER if len(choice.candidates) else NO_TEST)
        values, sums = self._fill(memory, best)
        if memory.admits(sums[0]):
            return self._propose(memory, best, values, sums)
        for test in choice.next_best():
            values, sums = self._fill(memory, test)
            if memory.admits(sums[0]):
                return self._propose(memory, test, values, sums)
        return Stop(TOO_LIGHT)

    def _with_veto(self, memory: StumpMemory) -> Proposal | Stop:
        """The best test under the first weighting that also reduces the loss under the second.

        If there is none, the best test under the second weighting, that of the costs.
        """
        choices, least = memory.choices, memory.run.least_block
        for asking in range(2):
            veto = Veto(choices, asking, memory.criterion, memory.smooth(asking), least)
            test = veto.best()
            if test is not None:
                return self._propose(memory, test, *self._fill(memory, test, asking))
        return Stop(NO_GAIN if len(choices[0].candidates) else NO_TEST)

    def _fill(
        self, memory: StumpMemory, test: Test, asking: int = 0
    ) -> tuple[Floats, tuple[Integers, ...]]:
        """The values of a test under the weights of one choice, and its sums under all."""
        sums = tuple([choice.sums(test) for choice in memory.choices])
        values = np.empty((2, sums[0].shape[2]))
        own = memory.criterion
        criteria.fill(
            own.number, sums[asking], memory.choices[asking].unit, memory.smooth(asking), own.beta,
            values,
        )  # fmt: skip
        if memory.run.parts.loss.centred:
            values -= values.mean(axis=1, keepdims=True)
        return values, sums

    def _propose(
        self, memory: StumpMemory, test: Test, values: Floats, sums: tuple[Integers, ...]
    ) -> Proposal:
        rows, loss = memory.run.rows, memory.run.parts.loss
        partition = rows.place(Tree.stump(test, values))
        if not rows.layout.missing[test.column]:  # never missing in training: the larger side
            test.inside[-1] = cast(Blocks, partition[0]).rest
        unit = tuple([choice.unit for choice in memory.choices])
        if loss.refits_leaves:
            signal, masses, newton = memory.choices[0].signal, sums[0] * unit[0], values
            values = loss.leaf_values(signal, partition, None, masses, values)
            directions = memory.run.constraints.directions
            if directions is not None and directions[test.column]:
                values = kept_within(loss, values, _sides(newton))
        stump = Tree.stump(test, values)
        return Proposal(stump, partition, sums, unit)


def _sides(values: Floats) -> Floats:
    """(2, 2) the bounds of two blocks, which meet in the middle of what they say."""
    middle = 0.5 * float(values[:, 0].sum())
    bounds = np.array([[-np.inf, middle], [middle, np.inf]])
    return bounds if values[0, 0] <= values[1, 0] else bounds[::-1]


def kept_within(loss: Loss, values: Floats, bounds: Floats) -> Floats:
    """Values of leaves that a loss has computed anew, kept in the bounds of the values before."""
    keep = getattr(loss, "within", None)
    result: Floats = values if keep is None else keep(values, bounds)
    return result

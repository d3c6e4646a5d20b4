"""The built-in weak learner: the best question about one column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

import numpy as np

from underdog.candidates import Candidates, Split
from underdog.cells import Cells, cells
from underdog.core import Confidence, Learner, Loss, Proposal, Question, Run, Stop
from underdog.data.hashing import Keys
from underdog.hypotheses import Stump
from underdog.kernels import rules
from underdog.keys import candidate_keys
from underdog.learners.veto import Veto
from underdog.partitions import RowBlocks
from underdog.tally import Tally
from underdog.types import Floats, Integers

NO_TEST = "no column has two different values: there is nothing to split on"
TOO_LIGHT = "no test has min_weight_fraction_leaf of the weight on both sides"
NO_GAIN = "no rule gains under the cost any more"


@dataclass
class Memory:
    """One tally per signal."""

    run: Run
    cells: Cells
    tallies: list[Tally]
    _keys: Keys | None = None

    def keys(self, row_keys: Keys | None) -> Keys | None:
        """What decides between tests that are equally good."""
        if self._keys is None and row_keys is not None:
            self._keys = candidate_keys(self.run.part, self.tallies[0].candidates, row_keys)
        return self._keys

    def admits(self, sums: Integers) -> bool:
        """Whether both blocks have the least share of the weight."""
        least = self.run.least_block
        return not least or bool((sums * self.tallies[0].unit).sum(axis=(1, 2)).min() >= least)


class StumpLearner(Learner):
    """Search every test of every column, every round.

    A test splits the rows in two blocks: value above a cut (missing values on whichever side fits
    best), level in a set, word present. W^b_+ and W^b_- are the weights of the positive and
    negative examples of block b; all weights sum to one.

    Parameters
    ----------
    kind : str, default="real"
        | name | block value c_b | chosen by |
        |---|---|---|
        | real | 1/2 ln((W_+ + e)/(W_- + e)) | least Z = 2 sum_b sqrt(W_+ W_-) |
        | real, uneven loss | minimiser of the Z of W_+ + beta e and W_- + e | that least Z |
        | discrete | sign(W_+ - W_-); for an uneven loss sign(W_+/beta - W_-) | steepest fall of Z |
        | disc.mh, disc.lp | sign(W_+ - W_-) | greatest edge, which is least even Z |
        | real.mh | smoothed log-odds | least Z = 2 sum_b sqrt(W_+ W_-) |
        | real.lp | smoothed log-odds | greatest edge |
        | real.u | smoothed log-odds | least uneven Z at coefficient 1 |
        | disc.u | sign(W_+ - W_-) | least uneven Z at the coefficient that is taken |

    Notes
    -----
    A test on a category column asks for a set of levels. The sets tried are runs of the levels in
    the order of their share of positive weight. With one label column the best of all sets is among
    them for "real" (beta = 1), "discrete", "real.mh", "disc.mh" and "disc.lp", whose criteria are
    concave and without smoothing. For "real.lp", "real.u" and "real" with another beta the best run
    may be worse than the best set where smoothing is so strong that no split is worth it, and for
    "disc.u" with another beta in about one case in ten. With several label columns one order per
    label is tried, which is a heuristic.

    References
    ----------
    Schapire and Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
    Learning 37, 1999, sections 3 and 4. Leskovec and Shawe-Taylor, ICML 2003, section 3.

    Examples
    --------
    >>> StumpLearner("disc.mh")
    StumpLearner(kind='disc.mh')
    """

    def __init__(self, kind: str = "real") -> None:
        self.kind = kind

    def check(self) -> None:
        cells(self.kind)

    def confidence(self, loss: Loss) -> Confidence:
        return self._cells(loss).confidence

    def _cells(self, loss: Loss) -> Cells:
        return cells(self.kind, loss.beta, loss.suits)

    def maximises_edge(self, loss: Loss) -> bool:
        return bool(self._cells(loss).rule == rules.SIGN_EDGE)

    def excess(self, loss: Loss) -> float | None:
        rule = self._cells(loss).rule
        if loss.beta == 1.0 or rule in (rules.UNEVEN_Z, rules.SIGN_SLOPE):
            return 0.0
        if loss.probability_scale is None or rule in (rules.SIGN_EDGE, rules.SIGN_ROOT):
            return None
        # These are silent where positives weigh as much as negatives; at the least uneven loss
        # they weigh beta times as much.
        return math.log(loss.beta) / loss.probability_scale

    def start(self, run: Run) -> Memory:
        candidates = Candidates(run.part)
        labels = run.target.n_labels
        tallies = [Tally(run.part, labels, candidates, run.workers) for _ in run.state.signals]
        return Memory(run, self._cells(run.loss), tallies)

    def fit(self, memory: Memory, question: Question) -> Proposal | Stop:
        for tally, signal in zip(memory.tallies, question.signals, strict=True):
            tally.read(signal)
        return self._with_veto(memory) if question.veto else self._best(memory, question)

    def _best(self, memory: Memory, question: Question) -> Proposal | Stop:
        tally = memory.tallies[0]
        best = tally.best(memory.cells, memory.run.smooth, memory.keys(question.row_keys))
        if best is None:
            return Stop(NO_TEST)
        for split in chain([best], tally.next_best()):
            values, sums = self._fill(memory, split, 0)
            if memory.admits(sums[0]):
                return self._propose(memory, split, values, sums)
        return Stop(TOO_LIGHT)

    def _with_veto(self, memory: Memory) -> Proposal | Stop:
        """The best test that gains under the second weighting, too.

        Where none does, the second one, which is paid for, asks alone.
        """
        run = memory.run
        for asking in range(2):
            veto = Veto(memory.tallies, asking, memory.cells, run.smooth, run.least_block)
            split = veto.best()
            if split is not None:
                return self._propose(memory, split, *self._fill(memory, split, asking))
        return Stop(NO_GAIN if len(memory.tallies[0].candidates) else NO_TEST)

    def _fill(
        self, memory: Memory, split: Split, asking: int
    ) -> tuple[Floats, tuple[Integers, ...]]:
        """What the split says by the weights of the one that asks, and its sums under all."""
        sums = tuple(tally.sums(split) for tally in memory.tallies)
        values = np.empty((2, sums[0].shape[2]))
        rules.fill(
            memory.cells.rule, sums[asking], memory.tallies[asking].unit, memory.run.smooth,
            memory.cells.beta, values,
        )
        return values, sums

    def _propose(
        self, memory: Memory, split: Split, values: Floats, sums: tuple[Integers, ...]
    ) -> Proposal:
        part = memory.run.part
        rows, touched = part.smaller_side(split.column, split.inside)
        if not part.missing[split.column]:
            # Never missing in training: goes with the majority, the block that is not touched.
            split.inside[-1] = 1 - touched
        cuts = part.schema.cuts_of(split.column)
        threshold = float(cuts[split.cut]) if 0 <= split.cut < len(cuts) else None
        stump = Stump(split.column, split.inside, threshold, values)
        unit = tuple(tally.unit for tally in memory.tallies)
        return Proposal(stump, RowBlocks(rows, touched, part.n_rows), sums, unit)

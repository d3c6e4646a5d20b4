"""Rules of several conditions that abstain where one of them is not met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from underdog.checks import check_choice, check_flag, check_integer
from underdog.core import (
    Blocks,
    Criterion,
    Learner,
    Loss,
    Path,
    Proposal,
    Question,
    Run,
    Signal,
    Stop,
    Tally,
    weight_per_unit,
)
from underdog.hypotheses import Tree
from underdog.hypotheses.rule import Conjunction, leaves_of, simplified
from underdog.kernels import criteria
from underdog.kernels.criteria import TIE
from underdog.learners.conditions import Conditions
from underdog.learners.criteria import criterion
from underdog.learners.parted import Parted, PartsDraw
from underdog.learners.stump import NO_TEST, TOO_LIGHT
from underdog.types import Flags, Floats, Integers

PARTS, PRUNE_PARTS = 6, 2
"""Rows are in six parts; in every round a rule is grown on four of them and pruned on two."""
NO_RULE = "no rule lowers the loss any more"


class GrownRule(NamedTuple):
    """A rule with its first conditions, and its integer sums[part, channel, label]."""

    path: Path
    sums: Integers


@dataclass
class RuleMemory:
    """What the learner keeps during a run."""

    run: Run
    conditions: Conditions
    signal: Signal
    """The first signal of the run, in parts if rules are pruned."""
    draw: PartsDraw | None
    kept: Callable[[], Tally]


@dataclass(frozen=True)
class Gain:
    """How much a block lowers the criterion if it speaks and does not abstain.

    For the exponential loss this is (sqrt(W_+) - sqrt(W_-))^2 / 2.
    """

    criterion: Criterion
    unit: Floats
    smooth: float
    positive: bool
    """Whether a block speaks only of labels for which its value is positive."""

    def __call__(self, sums: Integers) -> Floats:
        """(...) of blocks with sums[..., channel, label]."""
        if not self.positive:
            return self.of_both(sums)
        masses = sums * self.unit
        even = self.criterion.beta if self.criterion.number == criteria.UNEVEN_Z else 1.0
        speaks = masses[..., 1:, :] > even * masses[..., :1, :]
        return self.of_both(np.where(speaks, sums, 0))

    def of_both(self, sums: Integers) -> Floats:
        """(...) of blocks that speak of every label."""
        masses = sums * self.unit
        with np.errstate(divide="ignore"):  # the logarithm of no weight
            return self._silent(masses) - self.criterion.score(masses, self.smooth)

    def change_at(self, sums: Integers, values: Floats) -> Floats:
        """(...) by how much the criterion changes if blocks say these values (..., label)."""
        masses = sums * self.unit
        return self.criterion.score_at(masses, values, self.smooth) - self._silent(masses)

    def _silent(self, masses: Floats) -> Floats:
        nothing = np.zeros(masses.shape[:-2] + masses.shape[-1:])
        return self.criterion.score_at(masses, nothing, self.smooth)

    def values(self, sums: Integers) -> Floats:
        """(B, K) what blocks with sums[block, channel, label] say."""
        values, own = np.empty((len(sums), sums.shape[2])), self.criterion
        criteria.fill(own.number, sums, self.unit, self.smooth, own.beta, values)
        return np.maximum(values, 0.0) if self.positive else values


class RuleLearner(Learner):
    r"""Grow a rule of several conditions in every round, and prune it on other rows.

    A rule says :math:`C = \frac12 \ln\frac{W_+ + e}{W_- + e}` where all its conditions are met, and
    abstains elsewhere. With :math:`W_+` and :math:`W_-`, the weights of the positive and negative
    examples that it covers, :math:`Z = 1 - (\sqrt{W_+} - \sqrt{W_-})^2`.

    1. The rows are divided at random: two thirds to grow a rule, one third to prune it.
    2. The condition with the greatest :math:`\sqrt{W_+} - \sqrt{W_-}` of the growing rows is added,
       as long as this increases.
    3. The last conditions are dropped, as many as make :math:`1 - V_+ - V_- + V_+ e^{-C} + V_-
       e^C` least, where V are weights of the pruning rows and C is computed from the growing rows.
    4. The rule or the default rule, which covers every row, is proposed, whichever has the lesser Z
       on all rows, with its C on all rows.

    With ``max_conditions=1, prune=False, signs="both"`` these are the abstaining stumps of
    BoosTexter, ``learner="abstain"``.

    Parameters
    ----------
    max_conditions : int, optional
        Maximum number of conditions of a rule; None for no limit.
    max_rules : int, optional
        Maximum number of different rules, without the default rule. As soon as a run has so many,
        further rounds change their confidences only. None for no limit.
    prune : bool, default=True
        Whether rules are pruned. Otherwise they are grown on all rows.
    signs : {"positive", "both"}, default="positive"
        "positive" for rules that speak for a label, and a default rule that may speak against it;
        "both" for rules that speak for a label or against it, without a default rule.

    Notes
    -----
    A number is above a cut or not, a category is one level, and a value is missing or not. A
    missing value meets no other condition. A condition that follows from a later one is left out:
    "a > 5 and a > 10" is "a > 10".

    Rows are in six parts by a hash of the booster's `random_state` (None is 0) and their bins, and
    each round draws two of the parts to prune by. So the sums of all parts are kept, and a
    round visits the rows that it changes and those that the first condition covers. With several
    labels a rule speaks of each of them, or only of those for which it is positive.

    References
    ----------
    Cohen and Singer, "A simple, fast, and effective rule learner", AAAI 1999. Schapire and Singer,
    "BoosTexter", Machine Learning 39, 2000, section 4.3 (abstaining).

    Differs from the paper: there each round draws its rows anew. Here the parts that it draws from
    do not change during a run.

    Examples
    --------
    >>> from underdog.learners import RuleLearner
    >>> RuleLearner(max_conditions=2)
    RuleLearner(max_conditions=2)
    """

    greedy = True

    def __init__(
        self,
        max_conditions: int | None = None,
        max_rules: int | None = None,
        prune: bool = True,
        signs: str = "positive",
    ) -> None:
        self.max_conditions = max_conditions
        self.max_rules = max_rules
        self.prune = prune
        self.signs = signs

    def check(self) -> None:
        for name in ("max_conditions", "max_rules"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), 1)
        check_flag("prune", self.prune)
        check_choice("signs", self.signs, "positive", "both")

    def criterion(self, loss: Loss) -> Criterion:
        if loss.refits_leaves or loss.chooses_by == "votes":
            raise ValueError(
                f"{self!r} makes rules that abstain, for which {loss!r} has no values: use another "
                "learner, such as 'real' or 'tree', or Exponential() as loss"
            )
        return criterion("real", loss.beta, loss.chooses_by)

    def start(self, run: Run) -> RuleMemory:
        rows, signal = run.rows, run.state.signals[0]
        draw = PartsDraw(run, PARTS) if self.prune else None
        if draw is not None:
            signal = Parted(rows, signal, draw.part_of, PARTS)
        return RuleMemory(run, Conditions(rows.layout), signal, draw, rows.keep(signal))

    def fit(self, memory: RuleMemory, question: Question) -> Proposal | Stop:
        run, positive = memory.run, self.signs == "positive"
        if not memory.conditions.possible.any():
            return Stop(NO_TEST)
        root = memory.kept()
        totals = self._parts(root.totals).sum(axis=0)
        unit = weight_per_unit(question.signals[0], totals)
        gain = Gain(run.parts.criterion, unit, run.smooth / question.signals[0].mass, positive)
        if not self._allowed(memory, root, unit).any():
            return Stop(TOO_LIGHT)
        known = [] if self.max_rules is None else _rules_of(run)
        if self.max_rules is None or len(known) < self.max_rules:
            path = self._new_rule(memory, root, gain)
        else:
            path = _best_known(run, known, totals, gain)
        found = self._propose(run, question, path, totals) if path else None
        if positive:
            own = 0.0 if found is None else float(gain(_covered(found)))
            if float(gain.of_both(totals)) > own + TIE:
                found = self._propose(run, question, (), totals)
        return Stop(NO_RULE) if found is None else found

    def _parts(self, sums: Integers) -> Integers:
        """[part, channel, ...] of sums[part and channel, ...]."""
        return sums.reshape(PARTS if self.prune else 1, -1, *sums.shape[1:])

    def _allowed(self, memory: RuleMemory, tally: Tally, unit: Floats) -> Flags:
        """The conditions with the minimum share of the weight on both sides."""
        least, conditions = memory.run.least_block, memory.conditions
        if not least:
            return conditions.possible
        sums = conditions.sums(Tally(*(self._parts(each).sum(axis=0) for each in tally)))
        met = (sums * unit).sum(axis=(1, 2))
        result: Flags = conditions.possible & (met >= least) & (1.0 - met >= least)
        return result

    def _new_rule(self, memory: RuleMemory, root: Tally, gain: Gain) -> Path:
        """The conditions of a rule that was grown and pruned; none if nothing is gained."""
        if memory.draw is None:
            grown = self._grow(memory, root, gain, np.ones(1, dtype=bool))
            return grown[-1].path if grown else ()
        pruning = memory.draw.draw(len(memory.run.state.members), PRUNE_PARTS)
        grown = self._grow(memory, root, gain, ~pruning)
        return _pruned(grown, pruning, gain) if grown else ()

    def _grow(self, memory: RuleMemory, root: Tally, gain: Gain, growing: Flags) -> list[GrownRule]:
        """A rule after each of its conditions."""
        conditions, most = memory.conditions, self.max_conditions
        grown: list[GrownRule] = []
        path: Path = ()
        tally, reached = root, 0.0
        if gain.positive:
            reached = float(gain(self._parts(root.totals)[growing].sum(axis=0)))
        while most is None or len(grown) < most:
            own = Tally(*(self._parts(each)[growing].sum(axis=0) for each in tally))
            gains = gain(conditions.sums(own))
            gains[~self._allowed(memory, tally, gain.unit)] = -np.inf
            number = int(np.flatnonzero(gains >= gains.max() - TIE)[0])
            if not gains[number] > reached + TIE:
                break
            reached = float(gains[number])
            path = (*path, conditions.make(number))
            grown.append(GrownRule(path, self._parts(conditions.sums_of(number, tally))))
            covered = grown[-1].sums[growing].sum(axis=0)
            if len(grown) == most or not np.minimum(*covered).any():  # all have the same sign
                break
            tally = memory.run.rows.tally(memory.signal, path)
        return grown

    def _propose(
        self, run: Run, question: Question, path: Path, totals: Integers
    ) -> Proposal | None:
        """A rule with its values on all rows, given their sums; None if it says nothing."""
        rows, loss = run.rows, run.parts.loss
        leaves, speaking = leaves_of(simplified(path))
        values = np.zeros((len(leaves), rows.n_labels))
        partition = rows.place(Tree(leaves, values))
        first, *others = question.signals
        sums = [rows.sums(first, partition, len(leaves), totals)]
        sums += [rows.sums(signal, partition, len(leaves)) for signal in others]
        pairs = zip(question.signals, sums, strict=True)
        units = [weight_per_unit(signal, own.sum(axis=0)) for signal, own in pairs]
        smooth = run.smooth / question.signals[-1].mass
        positive = self.signs == "positive" and len(path) > 0
        last = Gain(run.parts.criterion, units[-1], smooth, positive)
        values[speaking] = last.values(sums[-1][speaking : speaking + 1])[0]
        if loss.centred:
            values -= values.mean(axis=1, keepdims=True)
        if not values.any():
            return None
        placed = zip(cast(Sequence[Blocks], partition), rows.shards, strict=True)
        examples = np.sum([one.examples(shard.target.repeats) for one, shard in placed], axis=0)
        return Proposal(Tree(leaves, values, examples), partition, tuple(sums), tuple(units))


def _covered(proposal: Proposal) -> Integers:
    """[channel, label]: the sums of the block that speaks."""
    rule = cast(Conjunction, Conjunction.of(proposal.hypothesis))
    result: Integers = proposal.sums[0][rule.block]
    return result


def _pruned(grown: Sequence[GrownRule], pruning: Flags, gain: Gain) -> Path:
    """The first conditions of a rule that do best on the rows it was not grown on."""
    sums = np.stack([each.sums for each in grown])
    values = gain.values(sums[:, ~pruning].sum(axis=1))
    changes = gain.change_at(sums[:, pruning].sum(axis=1), values)
    return grown[int(np.flatnonzero(changes <= changes.min() + TIE)[0])].path


def _rules_of(run: Run) -> list[Conjunction]:
    """The different rules of a run, without default rules."""
    rules = [Conjunction.of(member.hypothesis) for member in run.state.members]
    return list({rule.key: rule for rule in rules if rule is not None and rule.path}.values())


def _best_known(run: Run, rules: Sequence[Conjunction], totals: Integers, gain: Gain) -> Path:
    """The conditions of the rule that gains most; none if no rule gains anything."""
    gains, rows = np.zeros(len(rules)), run.rows
    for place, rule in enumerate(rules):
        leaves, block = leaves_of(rule.path)
        partition = rows.place(Tree(leaves, np.zeros((len(leaves), rows.n_labels))))
        sums = rows.sums(run.state.signals[0], partition, len(leaves), totals)
        gains[place] = gain(sums[block])
    best = int(np.flatnonzero(gains >= gains.max() - TIE)[0])
    return rules[best].path if gains[best] > TIE else ()

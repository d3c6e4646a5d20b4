"""The classes that all parts share: Rows, Signal, Proposal, Move, Stop, State. No algorithm.

One round: the combiner asks a question (signals, which are integer weights and their changes); the
learner answers with a proposal (a hypothesis and its exact sums); the combiner returns a move (how
far to go) or a stop (why not); and the state takes the step. Only the state changes scores, and
only `Rows` knows where the rows are.
"""

from underdog.core.blocks import Blocks, LabelBlocks, Partition
from underdog.core.components import (
    ChoosesBy,
    Combiner,
    Component,
    ConvergesTo,
    Criterion,
    Learner,
    Loss,
    Measured,
    not_defined,
)
from underdog.core.constraints import Constraints, InteractionSets
from underdog.core.counts import Tally
from underdog.core.messages import (
    AskAgain,
    Hypothesis,
    Member,
    Move,
    Path,
    Proposal,
    Question,
    Refit,
    RunRecord,
    Stop,
    Test,
)
from underdog.core.parts import Parts
from underdog.core.queries import Segments
from underdog.core.rows import Rows, Shard
from underdog.core.run import History, Run
from underdog.core.scores import Scores, Target
from underdog.core.shrinking import ShrinkingPath
from underdog.core.signals import (
    Change,
    CountedAnew,
    OfSignal,
    Reads,
    Signal,
    chunks,
    every_row,
    weight_per_unit,
)
from underdog.core.state import MAX_SCORE, State, with_coefficients

__all__ = [
    "MAX_SCORE",
    "AskAgain",
    "Blocks",
    "Change",
    "ChoosesBy",
    "Combiner",
    "Component",
    "Constraints",
    "ConvergesTo",
    "CountedAnew",
    "Criterion",
    "History",
    "Hypothesis",
    "InteractionSets",
    "LabelBlocks",
    "Learner",
    "Loss",
    "Measured",
    "Member",
    "Move",
    "OfSignal",
    "Partition",
    "Parts",
    "Path",
    "Proposal",
    "Question",
    "Reads",
    "Refit",
    "Rows",
    "Run",
    "RunRecord",
    "Scores",
    "Segments",
    "Shard",
    "ShrinkingPath",
    "Signal",
    "State",
    "Stop",
    "Tally",
    "Target",
    "Test",
    "chunks",
    "every_row",
    "not_defined",
    "weight_per_unit",
    "with_coefficients",
]

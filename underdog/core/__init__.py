"""The nouns that every part shares: Rows, Signal, Proposal, Move, Stop, State. No algorithm.

One round is a conversation. The combiner puts a question (signals: integer weights and how they
changed), the learner answers with a proposal (a hypothesis and its exact sums), the combiner says
how far to go (a move) or why not (a stop), and the state takes the step. Only the state moves
scores, and only `Rows` knows where the rows are.
"""

from underdog.core.blocks import Blocks, LabelBlocks, Partition
from underdog.core.components import (
    ChoosesBy,
    Combiner,
    Component,
    Criterion,
    Learner,
    Loss,
    Measured,
    Parts,
    Silence,
    not_defined,
)
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
from underdog.core.rows import Rows, Shard
from underdog.core.run import History, Run
from underdog.core.scores import Scores, Target
from underdog.core.signals import (
    Change,
    CountedAnew,
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
    "CountedAnew",
    "Criterion",
    "History",
    "Hypothesis",
    "LabelBlocks",
    "Learner",
    "Loss",
    "Measured",
    "Member",
    "Move",
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
    "Shard",
    "Signal",
    "Silence",
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

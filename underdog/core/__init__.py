"""The nouns that every part shares: Target, Signal, Proposal, Move, Stop, State. No algorithm.

One round is a conversation. The combiner puts a question (signals: integer weights and how they
changed), the learner answers with a proposal (a hypothesis and its exact sums), the combiner says
how far to go (a move) or why not (a stop), and the state takes the step. Only the state writes
scores.
"""

from underdog.core.parts import Combiner, Component, Confidence, Learner, Loss
from underdog.core.run import History, Run
from underdog.core.signals import (
    Change,
    Scores,
    Signal,
    Target,
    chunks,
    every_row,
    sum_units,
    unit_weight,
)
from underdog.core.state import MOST_SCORE, State, with_coefficients
from underdog.core.talk import (
    Again,
    Hypothesis,
    Member,
    Move,
    Partition,
    Proposal,
    Question,
    Refit,
    Stop,
)

__all__ = [
    "MOST_SCORE",
    "Again",
    "Change",
    "Combiner",
    "Component",
    "Confidence",
    "History",
    "Hypothesis",
    "Learner",
    "Loss",
    "Member",
    "Move",
    "Partition",
    "Proposal",
    "Question",
    "Refit",
    "Run",
    "Scores",
    "Signal",
    "State",
    "Stop",
    "Target",
    "chunks",
    "every_row",
    "sum_units",
    "unit_weight",
    "with_coefficients",
]

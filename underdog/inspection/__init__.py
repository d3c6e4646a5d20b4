"""Explain an additive model: its rules, its columns, single rows and hard examples.

Every function accepts a fitted booster, or a pipeline, search or meta-estimator that contains one.
"""

from underdog.inspection.columns import Shapes, shapes
from underdog.inspection.examples import Hardest, hardest
from underdog.inspection.left_out import Suspects, suspects
from underdog.inspection.members import Rules, rules
from underdog.inspection.order import Before
from underdog.inspection.pairs import Interactions, interactions
from underdog.inspection.rounds import TrainingHistory, history
from underdog.inspection.rows import Contributions, contributions
from underdog.inspection.scorecards import Scorecard, scorecard
from underdog.inspection.shortening import Shortened, shorten
from underdog.inspection.sizes import RulesNeeded, rules_needed

__all__ = [
    "Before",
    "Contributions",
    "Hardest",
    "Interactions",
    "Rules",
    "RulesNeeded",
    "Scorecard",
    "Shapes",
    "Shortened",
    "Suspects",
    "TrainingHistory",
    "contributions",
    "hardest",
    "history",
    "interactions",
    "rules",
    "rules_needed",
    "scorecard",
    "shapes",
    "shorten",
    "suspects",
]

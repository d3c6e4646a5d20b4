"""Combiners: how a hypothesis joins the ones before it."""

from underdog.combiners.cost_weighted import CostWeighted
from underdog.combiners.entropy import EntropyProjection, EntropyRegularised
from underdog.combiners.linear_programme import LinearProgramme
from underdog.combiners.stagewise import Stagewise

__all__ = [
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "LinearProgramme",
    "Stagewise",
]

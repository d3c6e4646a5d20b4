"""Combiners: how a hypothesis joins the ones before it."""

from underdog.combiners.cost_weighted import CostWeighted
from underdog.combiners.stagewise import Stagewise

__all__ = ["CostWeighted", "Stagewise"]

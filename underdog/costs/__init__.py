"""Costs of predictions, for training, thresholds and reports."""

from underdog.costs.costs import Costs

__all__ = ["Costs"]

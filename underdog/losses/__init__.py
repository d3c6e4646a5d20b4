"""Losses: what is made small, and the weights that follow from it."""

from underdog.losses.exponential import Exponential

__all__ = ["Exponential"]

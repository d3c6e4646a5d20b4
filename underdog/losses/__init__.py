"""Losses: what is to be made small, and the weights that follow from it."""

from underdog.losses.exponential import Exponential
from underdog.losses.soft_margin import SoftMargin

__all__ = ["Exponential", "SoftMargin"]

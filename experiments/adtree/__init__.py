"""Alternating trees beside published runs of JBoost."""

"""Gradient boosting on random targets, after Friedman 2001, section 6."""

"""Boosters and baselines on the same folds, and which differences are larger than noise."""

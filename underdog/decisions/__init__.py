"""Predictions by expected cost, or by a threshold chosen on held-out scores."""

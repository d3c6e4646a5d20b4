"""Discrete AdaBoost.MH, discrete AdaBoost.MR and real AdaBoost.MH on short texts."""

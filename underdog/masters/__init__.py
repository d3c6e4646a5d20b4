"""Master problems: the best distribution and the best coefficients for the hypotheses so far."""

"""Master problems: the optimal weights and coefficients for the hypotheses so far."""

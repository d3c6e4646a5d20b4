"""Claims of the theory of boosting, tried."""

"""Boosted stumps and boosted C4.5-like trees on data of UCI, after Freund and Schapire 1996."""

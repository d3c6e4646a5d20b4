"""Boosters on data whose labels were flipped on purpose."""

"""Measured speed: one file per promise made to users, the peers in the same run."""

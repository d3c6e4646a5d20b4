"""Errors and margins of boosted C4.5-like trees on letters, after Schapire and others 1998."""

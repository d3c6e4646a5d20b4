"""Compiled loops: arrays in, arrays out. Each has a plain NumPy twin in the tests."""

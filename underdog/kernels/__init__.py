"""Compiled loops on arrays. Each is tested against a plain NumPy version."""

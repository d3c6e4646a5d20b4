"""Textbook versions of the algorithms in plain NumPy, written from the mathematics, to check the package against."""

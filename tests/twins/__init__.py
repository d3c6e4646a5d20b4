"""Each algorithm as the textbook has it, in plain NumPy: what the package is checked against."""

"""Models that need no parameters: what suits the data is found from the data."""

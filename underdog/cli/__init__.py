"""The command line: one file per command; what they share is beside them."""

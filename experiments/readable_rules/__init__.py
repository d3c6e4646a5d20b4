"""Errors and sizes of models that people can read."""

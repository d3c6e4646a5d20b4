"""Errors and sizes of rule sets: SLIPPER beside other rule learners and whole ensembles."""

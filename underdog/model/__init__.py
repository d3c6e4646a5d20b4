"""Models: members and schema, compiled for prediction, described for reading."""

from underdog.model import markup
from underdog.model.describe import (
    Answer,
    answers,
    describe,
    describe_columns,
    describe_labels,
    used,
)
from underdog.model.ensemble import Ensemble
from underdog.model.lines import strongest_labels
from underdog.model.median import MedianEnsemble
from underdog.model.merging import merged_rules
from underdog.model.rules_table import rules_table

__all__ = [
    "Answer",
    "Ensemble",
    "MedianEnsemble",
    "answers",
    "describe",
    "describe_columns",
    "describe_labels",
    "markup",
    "merged_rules",
    "rules_table",
    "strongest_labels",
    "used",
]

"""Models: members and schema, compiled for prediction, described for reading."""

from underdog.model.describe import describe, describe_columns, describe_labels, used
from underdog.model.ensemble import Ensemble

__all__ = ["Ensemble", "describe", "describe_columns", "describe_labels", "used"]

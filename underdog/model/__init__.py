"""Models: members and schema, compiled for prediction, described for reading."""

from underdog.model.describe import describe, used
from underdog.model.ensemble import Ensemble

__all__ = ["Ensemble", "describe", "used"]

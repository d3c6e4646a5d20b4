"""Linear models on encoded rows."""

from underdog.linear.features import Features
from underdog.linear.fitting import LinearFit, OutOfTimeError, Scorer, fit_path
from underdog.linear.members import members_of

__all__ = ["Features", "LinearFit", "OutOfTimeError", "Scorer", "fit_path", "members_of"]

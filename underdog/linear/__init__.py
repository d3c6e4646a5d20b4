"""Linear models on encoded rows."""

from underdog.linear.features import Features
from underdog.linear.fitting import LinearFit, fit_path, scores_of
from underdog.linear.members import members_of

__all__ = ["Features", "LinearFit", "fit_path", "members_of", "scores_of"]

"""Linear models on encoded rows."""

from underdog.linear.features import Features
from underdog.linear.fitting import fit_path, scores_of
from underdog.linear.members import members_of

__all__ = ["Features", "fit_path", "members_of", "scores_of"]

"""The warning about training that ended early; apart, because it needs scikit-learn."""

from __future__ import annotations

from sklearn.exceptions import ConvergenceWarning

from underdog.checks import UnderdogWarning


class NotConverged(UnderdogWarning, ConvergenceWarning):  # type: ignore[misc]
    """Training ended before it converged."""

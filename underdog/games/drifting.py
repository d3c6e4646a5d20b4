"""Drifting games: the potential from which boosting by majority comes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from underdog.checks import check_integer
from underdog.losses.majority import check_gamma, majority_rounds
from underdog.types import Floats

__all__ = ["drifting_potential", "majority_rounds"]


def drifting_potential(
    rounds: int, gamma: float, loss: Callable[[Floats], Floats] | None = None
) -> Floats:
    r"""The potential of a chip in a drifting game with votes of -1 and +1.

    Each example is a chip on a line at s, its right minus its wrong votes. In each round the
    booster puts weights w on the chips, and the weak learner moves each by -1 or +1, such that the
    weighted mean of the moves is at least 2 gamma. After T rounds a chip at s costs loss(s). With

    .. math:: \phi_T(s) = \mathrm{loss}(s), \quad
        \phi_{t-1}(s) = (\tfrac12 + \gamma) \phi_t(s + 1) + (\tfrac12 - \gamma) \phi_t(s - 1)

    and the weights :math:`w_t(s) = (\phi_t(s - 1) - \phi_t(s + 1)) / 2` the mean potential never
    rises, so the mean loss is at most :math:`\phi_0(0)`.

    Parameters
    ----------
    rounds : int
        T.
    gamma : float
        Between 0 and 1/2.
    loss : callable, optional
        Takes an array of final places. By default 1 at 0 and below and 0 above, the error of a
        majority vote, for which this is boosting by majority.

    Returns
    -------
    array of shape (T + 1, 2 T + 1)
        phi[t, T + s]. Where a chip cannot get back into the table, its last value counts.

    References
    ----------
    Schapire, "Drifting games", Machine Learning 43, 2001. Freund, "Boosting a weak learning
    algorithm by majority", Information and Computation 121, 1995.

    Examples
    --------
    >>> from underdog.games import drifting_potential
    >>> round(float(drifting_potential(21, 0.1)[0, 21]), 4)
    0.1744
    """
    check_integer("rounds", rounds, 1)
    check_gamma(gamma)
    place = np.arange(-rounds, rounds + 1, dtype=np.float64)
    last = (place <= 0.0).astype(np.float64) if loss is None else np.asarray(loss(place), float)
    if last.shape != place.shape:
        raise ValueError(
            f"loss returned the shape {last.shape} for {len(place)} places: return one number for "
            "each"
        )
    found = np.empty((rounds + 1, len(place)))
    found[rounds] = last
    for t in range(rounds, 0, -1):
        above = np.append(found[t, 1:], found[t, -1])
        below = np.append(found[t, 0], found[t, :-1])
        found[t - 1] = (0.5 + gamma) * above + (0.5 - gamma) * below
    return found

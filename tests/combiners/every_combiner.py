"""Every combiner that there is, with every loss."""

import itertools

import pytest

from tests.discovery import Found
from tests.losses.every_loss import LOSSES, RANKING
from underdog.core import Combiner

PARAMETERS = {
    "Stagewise": [{"learning_rate": 0.5}],
    "CostWeighted": [{"learning_rate": 0.5, "stall": "stop"}],
    "Clocked": [{"learning_rate": 0.5}],
    "Forgiving": [{"C": 0.02}],
    "HardMargin": [{"nu": 0.2}],
    "LinearPenalty": [{"nu": 0.3}],
    "LinearProgramme": [{"tol": 0.0}],
    "QuadraticPenalty": [{"C": 0.02}],
}
"""Beside the defaults."""
SHARED = {"Corrective", "Entropic", "SolvedLast", "Timed"}
"""Classes of which only other combiners are made."""

COMBINERS = Found(
    ["underdog.combiners"], Combiner, PARAMETERS, SHARED,
    "PARAMETERS of tests/combiners/every_combiner.py",
)  # fmt: skip
each_combiner = pytest.mark.parametrize("combiner", COMBINERS.made.values(), ids=COMBINERS.made)


def accepts(combiner, loss):
    """Whether a combiner takes a loss, by what it says of itself."""
    try:
        combiner.check_loss(loss)
    except ValueError:
        return False
    return True


def pairs(accepted):
    """All combiners and losses that go together, or all others."""
    found = {
        f"{combiner!r}, {loss!r}": (combiner, loss)
        for combiner, loss in itertools.product(COMBINERS.made.values(), LOSSES.made.values())
        if accepts(combiner, loss) is accepted and loss not in RANKING.values()
    }
    return pytest.mark.parametrize(("combiner", "loss"), found.values(), ids=found)


def solves(combiner):
    """Whether the coefficients come from a solver, whose last digits are not promised."""
    return "box" in combiner.needs

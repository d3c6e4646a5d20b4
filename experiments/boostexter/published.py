"""Published figures, and where they stand."""

from typing import NamedTuple


class Relative(NamedTuple):
    """MP-Boost++, a relative of AdaBoost.MH: README of github.com/aesuli/mp-boost at 1641de7."""

    rounds: int
    micro: float
    macro: float
    seconds: float


MP_BOOST = Relative(100, 0.8366, 0.4272, 111.86)

WEIGHT_BOOST = {
    "earn": (0.9564, 0.9698, 0.9707),
    "acq": (0.8915, 0.9344, 0.9243),
    "money-fx": (0.6477, 0.6805, 0.7041),
    "grain": (0.9030, 0.8814, 0.8966),
    "crude": (0.8223, 0.8204, 0.8587),
    "trade": (0.5897, 0.6634, 0.6949),
    "interest": (0.6224, 0.6747, 0.6352),
    "ship": (0.7283, 0.7853, 0.7273),
    "wheat": (0.8800, 0.8767, 0.9128),
    "corn": (0.8740, 0.8926, 0.9091),
}
"""F1 of C4.5, AdaBoost on C4.5, and WeightBoost on C4.5: Jin and others, ICML 2003, Table 3."""

TARGET = 30
"""Seconds that 1,000 rounds over all topics may take."""

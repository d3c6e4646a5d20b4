"""How a two-block test is scored and what it says in each block.

Each of the six learners of Leskovec and Shawe-Taylor (2003, section 3) is a pair: block values
(signs or smoothed log-odds) and a criterion (least Z, greatest edge, least uneven Z).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from underdog.core import Confidence
from underdog.kernels import rules

NAMES = ("real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u")


@dataclass(frozen=True)
class Cells:
    """A rule of `kernels.rules`, its unevenness, and who is in charge of the size of a step."""

    rule: int
    beta: float
    confidence: Confidence


def cells(name: str, beta: float = 1.0, suits: Literal["z", "edge"] = "z") -> Cells:
    """The cells with this name, for a loss in which a positive counts `beta` negatives.

    "real" and "discrete" are what suits the loss: the greatest edge where that is what counts, else
    "real.mh" and "disc.mh" at beta = 1, else the values and the criterion of the uneven Z. At beta
    = 1 the uneven criteria are the even ones, by the same arithmetic.

    Examples
    --------
    >>> cells("discrete").confidence
    'coefficient'
    >>> cells("disc.u") == cells("disc.mh")
    True
    """
    if name not in NAMES:
        raise ValueError(f"learner={name!r} is not one of {', '.join(NAMES)}")
    if suits == "edge" and name in ("real", "discrete"):
        name = {"real": "real.lp", "discrete": "disc.lp"}[name]
    if name == "real":
        return Cells(rules.REAL_Z if beta == 1.0 else rules.UNEVEN_Z, beta, "leaf")
    if name == "real.mh":
        return Cells(rules.REAL_Z, beta, "leaf")
    if name == "real.lp":
        return Cells(rules.REAL_EDGE, beta, "leaf")
    if name == "real.u":
        return Cells(rules.UNEVEN_UNIT, beta, "leaf")
    if name in ("discrete", "disc.u") and beta != 1.0:
        rule = rules.SIGN_SLOPE if name == "discrete" else rules.SIGN_ROOT
        return Cells(rule, beta, "coefficient")
    return Cells(rules.SIGN_EDGE, beta, "coefficient")

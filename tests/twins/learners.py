"""The six weak learners, from the block sums W[stump, block, sign, label] of a distribution.

Uneven weights: b_i = 1/beta for positives and 1 for negatives; beta = 1 is the even case.
"""

import numpy as np

from tests.twins.stumps import TIE

LEARNERS = ("real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u")


def is_real(name: str) -> bool:
    """Whether the confidence sits in the values (coefficient 1) or in the coefficient."""
    return name.startswith("real")


def log_odds(W: np.ndarray, e: float, beta: float = 1.0) -> np.ndarray:
    """The minimiser of W+ exp(-c/beta) + W- exp(c), with e added to both weights.

    c = beta/(1+beta) (ln(W+/beta + e) - ln(W- + e))
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return beta / (1 + beta) * (np.log(W[:, :, 1] / beta + e) - np.log(W[:, :, 0] + e))


def least_z(W: np.ndarray, beta: float = 1.0, e: float = 0.0) -> np.ndarray:
    """Z at `log_odds`, of weights to which e is added as it is there.

    sum_b (1+beta) (W+/beta + e)^(beta/(1+beta)) (W- + e)^(1/(1+beta))
    """
    share = beta / (1 + beta)
    plus, minus = W[:, :, 1] / beta + e, W[:, :, 0] + e
    return (1 + beta) * (plus**share * minus ** (1 - share)).sum((1, 2))


def votes(W: np.ndarray) -> np.ndarray:
    """sign(W+ - W-); a tied block says the opposite of the other; both tied: + where true."""
    lead = W[:, :, 1] - W[:, :, 0]
    sign = np.where(np.abs(lead) <= TIE * W.sum(2), 0.0, np.sign(lead))
    sign = np.where(sign == 0, -sign[:, ::-1], sign)
    return np.where(sign == 0, np.array([[-1.0], [1.0]]), sign)


def edge(W: np.ndarray, c: np.ndarray) -> np.ndarray:
    """sum D y h = sum_b (W+ - W-) c."""
    return ((W[:, :, 1] - W[:, :, 0]) * c).sum((1, 2))


def normaliser(W: np.ndarray, c: np.ndarray, beta: float = 1.0) -> np.ndarray:
    """Z = sum D exp(-b y h) = sum_b W+ exp(-c/beta) + W- exp(c)."""
    return (W[:, :, 1] * np.exp(-c / beta) + W[:, :, 0] * np.exp(c)).sum((1, 2))


def coefficient(r: np.ndarray, e: float) -> np.ndarray:
    """The minimiser of sum D exp(-a y h) for votes: 1/2 ln((1+r)/(1-r)), both at least e."""
    return (np.log(np.maximum(1 + r, e)) - np.log(np.maximum(1 - r, e))) / 2


def uneven_coefficient(W: np.ndarray, c: np.ndarray, beta: float, e: float = 2.0**-60):
    """The minimiser of Z(a) = sum D exp(-a b y h), right and wrong weight both at least e/2.

    What is lacking is added with b = 1, so that beta = 1 is `coefficient`, in closed form.
    """
    if beta == 1:
        return coefficient(edge(W, c), e)
    b = np.array([-1.0, 1 / beta])[:, None]
    masses, slopes = W.reshape(len(W), -1), (b * c[:, :, None]).reshape(len(W), -1)
    return least_sum(masses, slopes, e)


def least_sum(masses: np.ndarray, slopes: np.ndarray, e: float) -> np.ndarray:
    """The minimisers of sum_j masses[:, j] exp(-a slopes[:, j]), both directions at least e/2."""
    right, wrong = (np.where(s * slopes > 0, masses, 0.0).sum(1) for s in (1, -1))
    lacking = np.maximum(e / 2 - np.stack([right, wrong], axis=1), 0.0)
    masses = np.hstack([masses, lacking])
    slopes = np.hstack([slopes, np.tile([1.0, -1.0], (len(slopes), 1))])
    return bisect(lambda a: -(masses * slopes * np.exp(-a[:, None] * slopes)).sum(1), len(masses))


def bisect(slope, size: int, bound: float = 64.0) -> np.ndarray:
    """The roots of `size` increasing functions within +-bound."""
    low, high = np.full(size, -bound), np.full(size, bound)
    for _ in range(64):
        middle = (low + high) / 2
        rising = slope(middle) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return (low + high) / 2


def answers(name: str, W: np.ndarray, e: float, beta: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The values c[stump, block, label] and what the learner minimises, for every stump.

    "real" minimises the booster's own Z, in its values and in its choice (smoothed if uneven), and
    "discrete" in its steepest descent; "real.mh" and "disc.mh" the even one.
    """
    if name == "real":
        return log_odds(W, e, beta), least_z(W, beta, 0.0 if beta == 1.0 else e)
    if name == "discrete":
        U = W / np.array([1.0, beta])[:, None]
        c = votes(U)
        return c, -edge(U, c)
    kind, goal = name.split(".")
    c = log_odds(W, e) if kind == "real" else votes(W)
    if goal == "u":
        a = np.ones(len(W)) if kind == "real" else uneven_coefficient(W, c, beta, e)
        return c, normaliser(W, a[:, None, None] * c, beta)
    if (kind, goal) == ("real", "mh"):
        return c, least_z(W)
    return c, -edge(W, c)

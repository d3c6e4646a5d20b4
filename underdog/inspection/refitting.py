"""Coefficients of rules, fitted again to minimise the log loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog
from scipy.special import expit, softmax

from underdog.types import Floats

PRIOR, WIDE, STEPS = 2.0, 1e3, 50
"""Standard deviations of what a rule, and a constant, adds to the log-odds before any row is seen:
the penalty is that of a normal prior. The most Newton steps."""
BITS = 2.0**16
"""Fitted coefficients are rounded to 1 / BITS: their last bits depend on the order of rows."""
LARGEST = 1 << 21
"""Different rows times rules up to which the linear programme is solved."""
NUS = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Shares of examples that may be below the margin; a larger share gives weight to fewer rules."""


@dataclass(frozen=True, eq=False)
class RuleColumns:
    """Labelled rows, and what each rule adds to their log-odds.

    Attributes
    ----------
    added : (n, K, R)
    sign : (n, K), 1 where the row has the label
    weight : (n, K), with mean 1
    is_softmax : bool
        Whether probabilities are the softmax of the log-odds, not a sigmoid of each.
    """

    added: Floats
    sign: Floats
    weight: Floats
    is_softmax: bool

    def loss(self, log_odds: Floats) -> float:
        """The mean over the rows; with several labels that are no softmax, the sum over them."""
        if self.is_softmax:
            largest = log_odds.max(axis=1, keepdims=True)
            total = np.log(np.exp(log_odds - largest).sum(axis=1, keepdims=True)) + largest
            each = (total - log_odds) * self.sign
        else:
            each = np.logaddexp(0.0, np.where(self.sign == 1.0, -log_odds, log_odds))
        return float((self.weight * each).sum(axis=1).mean())

    def fit(self, chosen: Sequence[int]) -> Floats:
        """(K + R,) constants and coefficients with the least loss, by Newton's method."""
        design, k = self._design(chosen), self.sign.shape[1]
        penalty = np.full(design.shape[2], WIDE**-2)
        penalty[k:] = (np.abs(design[:, :, k:]).max(axis=(0, 1), initial=0.0) / PRIOR) ** 2
        found = np.zeros(design.shape[2])
        for _ in range(STEPS):
            chances = self._chances(design @ found)
            slope = np.einsum("nk,nkp->p", self.weight * (chances - self.sign), design)
            slope += penalty * found
            spread = chances if self.is_softmax else chances * (1.0 - chances)
            flat = design.reshape(-1, design.shape[2])
            curvature = flat.T @ (flat * (self.weight * spread).reshape(-1, 1))
            if self.is_softmax:
                mean = np.einsum("nk,nkp->np", chances * np.sqrt(self.weight), design)
                curvature -= mean.T @ mean
            step = np.linalg.solve(curvature + np.diag(penalty), slope)
            size = float(np.abs(step).max())
            found = found - step * min(1.0, 4.0 / size if size > 0.0 else 1.0)
            if size < 1e-9:
                break
        if self.is_softmax:  # a constant for all classes changes nothing
            found[:k] -= found[:k].mean()
        result: Floats = np.rint(found * BITS) / BITS
        return result

    def log_odds(self, chosen: Sequence[int], coefficients: Floats) -> Floats:
        """(n, K) of the model with these rules."""
        result: Floats = self._design(chosen) @ coefficients
        return result

    def largest(self, count: int) -> list[int]:
        """The rules that move scores most."""
        size = self.added.std(axis=0).max(axis=0, initial=0.0)
        found: list[int] = np.argsort(-size, kind="stable")[:count].tolist()
        return found

    def best(self, count: int) -> list[int]:
        """Rules one by one: the one along which the loss falls most, then all are fitted again."""
        chosen: list[int] = []
        centred = self.added - self.added.mean(axis=0)
        penalty = (np.abs(self.added).max(axis=(0, 1), initial=0.0) / PRIOR) ** 2
        while len(chosen) < min(count, self.added.shape[2]):
            chances = self._chances(self.log_odds(chosen, self.fit(chosen)))
            slope = np.einsum("nk,nkr->r", self.weight * (self.sign - chances), centred)
            spread = self.weight * chances * (1.0 - chances)
            curvature = np.einsum("nk,nkr->r", spread, centred**2) + penalty
            gain = slope**2 / np.where(curvature > 0.0, curvature, np.inf)
            gain[chosen] = -1.0
            chosen.append(int(np.flatnonzero(gain >= gain.max() * (1.0 - 1e-9))[0]))
        return chosen

    def of_greatest_margin(self, count: int) -> list[int] | None:
        """Those with the largest weights in the soft margin of two classes, as in LPBoost.

        Of several shares of examples below the margin, the one with the least loss. None for
        several labels and very many rows.
        """
        n, k, r = self.added.shape
        if k > 1 or not r:
            return None
        size = np.abs(self.added[:, 0]).max(axis=0, initial=0.0)
        votes = np.ones((n, r + 1))  # the last is a constant
        votes[:, :r] = self.added[:, 0] / np.where(size > 0.0, size, 1.0)
        game = np.where(self.sign == 1.0, votes, -votes)
        rows, place = np.unique(game, axis=0, return_inverse=True)
        if rows.size > LARGEST:
            return None
        share = np.bincount(place.ravel(), self.weight[:, 0], minlength=len(rows)) / n
        best: tuple[float, list[int]] = (np.inf, [])
        for nu in NUS:
            found = _soft_margin(rows, share / nu)[:r]
            order = np.argsort(-found, kind="stable").tolist()
            kept = [each for each in order if found[each] > 1e-9][:count]
            loss = self.loss(self.log_odds(kept, self.fit(kept)))
            if loss < best[0] - 1e-9:
                best = loss, kept
        return best[1]

    def _design(self, chosen: Sequence[int]) -> Floats:
        """(n, K, K + R): a constant for each label, then the rules."""
        n, k = self.sign.shape
        constants = np.broadcast_to(np.eye(k), (n, k, k))
        return np.concatenate([constants, self.added[:, :, list(chosen)]], axis=2)

    def _chances(self, log_odds: Floats) -> Floats:
        result: Floats = softmax(log_odds, axis=1) if self.is_softmax else expit(log_odds)
        return result


def _soft_margin(game: Floats, most: Floats) -> Floats:
    """(R,) coefficients that maximise rho - most xi, where xi is what rows lack to margin rho.

    They may be negative, since a rule and its opposite are equally good to read. Their absolute
    values, which are returned, sum to 1.
    """
    n, r = game.shape
    votes = sparse.csr_array(np.hstack([game, -game]))
    ones = sparse.csr_array(np.ones((n, 1)))
    # over (a, xi, rho): rho - votes a - xi <= 0
    solution = linprog(
        np.concatenate([np.zeros(2 * r), most, [-1.0]]),
        A_ub=sparse.hstack([-votes, -sparse.eye_array(n), ones], format="csr"),
        b_ub=np.zeros(n),
        A_eq=sparse.csr_array(np.concatenate([np.ones(2 * r), np.zeros(n + 1)])[None]),
        b_eq=[1.0],
        bounds=[(0.0, None)] * (2 * r + n) + [(None, None)],
        method="highs",
    )
    if solution.x is None:
        return np.zeros(r)
    result: Floats = np.abs(solution.x[:r] - solution.x[r : 2 * r])
    return result

"""One fit in several processes, each with a part of the rows.

Every process runs the same program on its own rows. Wherever a number depends on all rows, each of
them passes its own part to the collective, and all get the same result back. Integers are added, so
the result is the same to the last bit for any number of processes, and however the rows are dealt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np

from underdog.kernels import sums
from underdog.kernels.elementary import exp_each, log
from underdog.types import Codes, Flags, Floats, Integers

Kind = Literal["add", "largest", "gather"]
"""What is done with the parts of all processes."""


class Collective(Protocol):
    """The processes of a fit. All of them must make the same calls in the same order."""

    number: int
    """The place of this process among all."""

    def exchange(self, kind: Kind, own: Any) -> Any:
        """What `combine` makes of the parts of all processes."""


class ProcessLostError(Exception):
    """A process of the fit has ended, and its rows with it."""


class Alone:
    """The only process of a fit."""

    number = 0

    def exchange(self, kind: Kind, own: Any) -> Any:
        return [own] if kind == "gather" else own


ALONE = Alone()


def combine(kind: Kind, parts: Sequence[Any]) -> Any:
    """The sum or the maximum of arrays, or a list of the parts in the order of the processes.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.workers.collective import combine
    >>> combine("add", [np.array([1, 2]), np.array([3, 4])])
    array([4, 6])
    """
    if kind == "gather":
        return list(parts)
    merge = np.add if kind == "add" else np.maximum
    result = np.array(parts[0])
    for part in parts[1:]:
        merge(result, part, out=result)
    return result


def added(collective: Collective, own: Integers) -> Integers:
    """The sum of the integers of all processes."""
    result: Integers = collective.exchange("add", own)
    return result


def count(collective: Collective, own: int) -> int:
    """The sum of a whole number over all processes."""
    return int(collective.exchange("add", np.int64(own)))


def largest(collective: Collective, own: float) -> float:
    """The largest number of all processes."""
    return float(collective.exchange("largest", np.float64(own)))


def any_of(collective: Collective, own: Flags) -> Flags:
    """Whether each flag is set in any process."""
    result: Flags = collective.exchange("largest", own.astype(np.uint8)).astype(bool)
    return result


def joint(own: Any, collective: Collective) -> Any:
    """The arrays of all processes, one after the other."""
    parts = [part for part in collective.exchange("gather", own) if len(part)]
    return np.concatenate(parts) if parts else own


def exact_sum(collective: Collective, values: Floats, repeats: Integers | None = None) -> float:
    """Sum of repeats[i] * values[i] over the rows of all processes, for non-negative values."""
    if collective is ALONE:
        return sums.exact_sum(values, repeats)
    highest = largest(collective, float(values.max(initial=0.0)))
    if highest == 0.0:
        return 0.0
    exponent = math.frexp(highest)[1]
    own = np.array(sums.halves(values, repeats, exponent), dtype=np.int64)
    upper, lower = added(collective, own).tolist()
    return sums.from_halves(upper, lower, exponent)


def signed_sum(collective: Collective, values: Floats) -> float:
    """Sum of numbers of any shape and sign over the rows of all processes."""
    flat = values.ravel()
    if not largest(collective, float((-flat).max(initial=0.0))) > 0.0:
        return exact_sum(collective, flat)
    positive, negative = (np.maximum(sign * flat, 0.0) for sign in (1.0, -1.0))
    return exact_sum(collective, positive) - exact_sum(collective, negative)


def exact_sums(
    collective: Collective,
    values: Floats,
    groups: Integers | Codes,
    n_groups: int,
    repeats: Integers | None = None,
) -> Floats:
    """(n_groups,) sums of the values of each group over the rows of all processes."""
    members = [groups == group for group in range(n_groups)]
    return np.array(
        [
            exact_sum(collective, values[own], None if repeats is None else repeats[own])
            for own in members
        ]
    )


def log_sum_exp(collective: Collective, logs: Floats) -> float:
    """ln of the sum of exp(logs[i]) over the rows of all processes; -inf without terms."""
    if collective is ALONE:
        return sums.log_sum_exp(logs)
    highest = largest(collective, float(logs.max(initial=-math.inf)))
    if highest == -math.inf:
        return highest
    terms = np.empty(logs.shape)
    exp_each(logs - highest, terms)
    return highest + float(log(exact_sum(collective, terms)))

"""Cost matrices by true and predicted class: checks and arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.types import Floats

KINDS = {"fn": (1, 0), "fp": (0, 1), "tn": (0, 0), "tp": (1, 1)}
"""True class and prediction; 1 is the positive class."""


def to_regret(table: Floats) -> Floats:
    """How much more each prediction costs than the correct one."""
    with np.errstate(invalid="ignore"):  # infinite costs are refused elsewhere
        result: Floats = table - np.diagonal(table, axis1=-2, axis2=-1)[..., np.newaxis]
    return result


def for_each_example(count: int, table: Floats) -> Floats:
    """(count, K, K): a cost matrix for each example."""
    if table.ndim == 3 and len(table) != count:
        raise ValueError(
            f"there are costs for {len(table)} examples, but {count} examples were given: give "
            "costs of the same rows (see Costs.take)"
        )
    return np.broadcast_to(table, (count, *table.shape[-2:]))


def mean_cost(probabilities: Floats, table: Floats) -> Floats:
    """(n, K) expected cost of each prediction."""
    tables = for_each_example(len(probabilities), table)
    result: Floats = np.einsum("nt,ntd->nd", probabilities, tables)
    return result


def checked_probabilities(probabilities: Any, count: int) -> Floats:
    """Probabilities as a finite (n, K) array."""
    result = np.asarray(probabilities, dtype=np.float64)
    if result.ndim != 2 or result.shape[1] != count:
        raise ValueError(
            f"probabilities have the shape {result.shape}: give a row per example and a column for "
            f"each of the {count} classes"
        )
    unknown = np.flatnonzero(~np.isfinite(result).all(axis=1))
    if len(unknown):
        raise ValueError(
            f"the probabilities of example {unknown[0]} are {result[unknown[0]].tolist()}, but "
            "they must be finite: check the model that predicted them"
        )
    return result


def checked_numbers(name: str, value: Any) -> Floats:
    """A number or an array of numbers as a float array."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name}={shortened(value)} must be a number, or an array of numbers")
    return array.astype(np.float64)


def from_kinds(*given: Any) -> Floats:
    """The cost matrix of fn, fp, tn and tp: (2, 2), or (n, 2, 2) if one has costs per example."""
    costs = {kind: checked_numbers(kind, value) for kind, value in zip(KINDS, given, strict=True)}
    for kind, cost in costs.items():
        if cost.ndim > 1:
            raise ValueError(
                f"{kind} has the shape {cost.shape}: give a number, or one number per example"
            )
    lengths = {kind: len(cost) for kind, cost in costs.items() if cost.ndim}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            f"costs per example have different lengths: {lengths}. Give one cost per example, "
            "or a single number"
        )
    values = np.empty((*list(lengths.values())[:1], 2, 2))
    for kind, place in KINDS.items():
        values[..., *place] = costs[kind]
    return values


def from_mapping(costs: Mapping[Any, Any]) -> tuple[Floats, list[Any]]:
    """The cost matrix of {true class: {predicted class: cost}}, and its classes."""
    rows: dict[Any, dict[Any, Any]] = {}
    for true, row in costs.items():
        if not isinstance(row, Mapping):
            raise ValueError(
                f"costs[{to_python(true)!r}]={shortened(row)} must be a mapping from predicted "
                "classes to costs"
            )
        rows[to_python(true)] = {to_python(decided): cost for decided, cost in row.items()}
    names = list(dict.fromkeys([*rows, *(decided for row in rows.values() for decided in row)]))
    values = np.zeros((len(names), len(names)))
    for i, true in enumerate(names):
        for j, decided in enumerate(names):
            what, row = f"costs[{true!r}][{decided!r}]", rows.get(true, {})
            if i != j and decided not in row:
                raise ValueError(f"{what} is missing: every wrong prediction must have a cost")
            cost = checked_numbers(what, row.get(decided, 0.0))
            if cost.ndim:
                raise ValueError(
                    f"{what} has the shape {cost.shape}: give a number; for costs per example use "
                    "an (n, K, K) array"
                )
            values[i, j] = cost
    return values, names

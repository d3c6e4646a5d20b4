"""A block of rows as plain arrays and facts, so that it can be kept in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from underdog.checks import is_missing
from underdog.data.columns import CategoryColumns, Coded, NumberColumns
from underdog.data.conversion import as_objects
from underdog.data.table import Table, readable
from underdog.frames.errors import BadData
from underdog.scanning.blocks import RowBlock
from underdog.types import Indices

KINDS: dict[str, Any] = {"str": str, "int": int, "float": float.fromhex, "bool": bool}
"""The types that a level may have, and how each is read."""
CHUNK = 1 << 16


class Piece(NamedTuple):
    """Arrays by name, and what else is known of a block."""

    facts: dict[str, Any]
    arrays: dict[str, Any]

    @property
    def n_rows(self) -> int:
        return int(self.facts["rows"])


def piece_of(block: RowBlock, categorical: Any, first_row: int) -> Piece:
    """The contents of a block, as a fit would see them."""
    table = Table.from_data(readable(block.X), categorical)
    facts: dict[str, Any] = {"rows": len(table), "columns": table.n_columns}
    facts |= {"names": table.names, "numbers": [], "levels": {}, "sparse": None}
    arrays: dict[str, Any] = {}
    for group in table.groups:
        if isinstance(group, NumberColumns):
            facts["numbers"], arrays["numbers"] = group.positions.tolist(), group.matrix
        elif isinstance(group, CategoryColumns):
            for position, given in zip(group.positions.tolist(), group.given, strict=True):
                levels, arrays[f"codes {position}"] = coded(given)
                facts["levels"][str(position)] = written(levels)
        else:
            facts["sparse"] = [group.first, group.n_columns]
            for name in ("indptr", "indices", "data"):
                arrays[name] = getattr(group.matrix, name)
    if block.y is not None:
        _add_target(block.y, facts, arrays, first_row)
    if block.weight is not None:
        arrays["weight"] = np.asarray(block.weight, dtype=np.float64)
    facts["types"] = {name: str(own.dtype) for name, own in arrays.items()}
    facts["shape of y"] = list(arrays["y"].shape[1:]) if "y" in arrays else None
    facts["entries"] = len(arrays.get("data", ()))
    return Piece(facts, arrays)


def _add_target(y: Any, facts: dict[str, Any], arrays: dict[str, Any], first_row: int) -> None:
    given = nw.from_native(y, series_only=True) if nw.dependencies.is_into_series(y) else None
    values = np.asarray(y) if given is None else given.to_numpy()
    if values.dtype.kind in "biuf":
        arrays["y"] = values
        return
    levels, codes = coded(as_objects(values.tolist()))
    if (codes < 0).any():
        row = first_row + int((codes < 0).argmax())
        raise BadData("the target is missing: drop the row or give it a label", position=row)
    facts["classes"], arrays["y"] = written(levels), codes


def coded(given: Any) -> tuple[list[Any], Indices]:
    """The distinct values of a column, and the place of each value among them; -1 is missing."""
    if isinstance(given, Coded):
        return given.levels[:-1].tolist(), given.codes.astype(np.int32)
    places: dict[Any, int] = {}
    codes = np.empty(len(given), dtype=np.int32)
    for start in range(0, len(given), CHUNK):
        values = given[start : start + CHUNK].tolist()
        try:  # True, 1 and 1.0 are equal, but not the same
            found = [
                -1 if is_missing(one) else places.setdefault((type(one), one), len(places))
                for one in values
            ]
        except TypeError:
            raise ValueError(
                "a category column has values that cannot be compared, such as lists: convert "
                "them to text or numbers"
            ) from None
        codes[start : start + CHUNK] = found
    return [value for _, value in places], codes


def written(levels: Sequence[Any]) -> list[list[str]]:
    """Levels as pairs of texts, which JSON keeps as they are."""
    pairs = []
    for level in levels:
        value = level.item() if isinstance(level, np.generic) else level
        kind = type(value).__name__
        if kind not in KINDS:
            raise ValueError(
                f"a category has the value {value!r:.40} of the type {kind}: convert it to text or "
                "numbers"
            )
        if not isinstance(value, str):
            value = value.hex() if isinstance(value, float) else str(int(value))
        pairs.append([kind, value])
    return pairs


def read_levels(pairs: Sequence[Sequence[str]]) -> list[Any]:
    """The levels that were written."""
    return [KINDS[kind](int(text) if kind == "bool" else text) for kind, text in pairs]


def save_piece(path: Path, piece: Piece) -> None:
    """Write a block; the file has its name only if it is complete."""
    text = np.frombuffer(json.dumps(piece.facts).encode(), dtype=np.uint8)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, facts=text, **piece.arrays)
    unfinished.replace(path)


def load_piece(path: Path) -> Piece:
    """Read a block; zip files have check sums, which are compared."""
    with np.load(path, allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    return Piece(json.loads(arrays.pop("facts").tobytes()), arrays)


def load_facts(path: Path) -> dict[str, Any]:
    """What is known of a block, without its arrays."""
    with np.load(path, allow_pickle=False) as found:
        facts: dict[str, Any] = json.loads(found["facts"].tobytes())
    return facts

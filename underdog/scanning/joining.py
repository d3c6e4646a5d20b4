"""The blocks of a scan, joined column by column into files that can be mapped into memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from underdog.frames.errors import BadData
from underdog.scanning.pieces import Piece, load_facts, load_piece
from underdog.types import Indices

Contents = dict[str, Any]
"""What a folder has, in plain values: rows, columns, names, levels, classes, and its arrays."""
TARGET = "y"


def join(folder: Path, paths: Sequence[Path], numbered_from_one: bool) -> Contents:
    """Write the arrays of all blocks; returns what they are."""
    facts = [load_facts(path) for path in paths]
    joined = _Joined(folder, facts)
    for path in paths:
        joined.add(load_piece(path))
    return joined.finish(numbered_from_one)


class _Joined:
    """The arrays of a folder while they are written."""

    def __init__(self, folder: Path, facts: Sequence[dict[str, Any]]) -> None:
        first = facts[0]
        for other in facts[1:]:
            _check_same(first, other)
        self.folder, self.first = folder, first
        self.n_rows = sum(one["rows"] for one in facts)
        self.n_columns = max(one["columns"] for one in facts)
        chosen = {int(column) for one in facts for column in one["levels"]}
        self.numbers = sorted({c for one in facts for c in one["numbers"]} - chosen)
        self.levels: dict[str, dict[tuple[str, str], int]] = {str(c): {} for c in sorted(chosen)}
        self.classes: dict[tuple[str, str], int] = {}
        self.arrays: dict[str, Any] = {}
        self.row, self.entry, self.lowest = 0, 0, 1
        n_entries = sum(one["entries"] for one in facts)
        if self.numbers:
            self._new("numbers", _common(facts, "numbers"), (len(self.numbers), self.n_rows))
        for column in self.levels:
            self._new(f"codes {column}", np.int32, (self.n_rows,))
        if first["sparse"] is not None:
            self._new("indptr", np.int64, (self.n_rows + 1,))
            self._new("indices", np.int32, (n_entries,))
            self._new("data", _common(facts, "data"), (n_entries,))
        if first["shape of y"] is not None:
            self._new(TARGET, _common(facts, TARGET), (self.n_rows, *first["shape of y"]))
        if "weight" in first["types"]:
            self._new("weight", np.float64, (self.n_rows,))

    def _new(self, name: str, dtype: Any, shape: tuple[int, ...]) -> None:
        path = self.folder / f"{name.replace(' ', '-')}.npy"
        self.arrays[name] = np.lib.format.open_memmap(path, "w+", dtype, shape)

    def add(self, piece: Piece) -> None:
        """Write the rows of a block after those before it."""
        facts, arrays = piece
        rows = slice(self.row, self.row + piece.n_rows)
        own = {column: place for place, column in enumerate(facts["numbers"])}
        for place, column in enumerate(self.numbers):
            self.arrays["numbers"][place, rows] = arrays["numbers"][:, own[column]]
        for column, known in self.levels.items():
            if column in facts["levels"]:
                codes = _renumbered(arrays[f"codes {column}"], facts["levels"][column], known)
            else:
                self._refuse_numbers(column, arrays["numbers"][:, own[int(column)]])
                codes = np.full(piece.n_rows, -1, dtype=np.int32)
            self.arrays[f"codes {column}"][rows] = codes
        if facts["sparse"] is not None:
            self._add_entries(arrays, rows)
        if TARGET in self.arrays:
            y = arrays[TARGET]
            if "classes" in facts:
                y = _renumbered(y, facts["classes"], self.classes)
            self.arrays[TARGET][rows] = y
        if "weight" in self.arrays:
            self.arrays["weight"][rows] = arrays["weight"]
        self.row += piece.n_rows

    def _add_entries(self, arrays: dict[str, Any], rows: slice) -> None:
        stop = self.entry + len(arrays["data"])
        self.arrays["indptr"][rows.start + 1 : rows.stop + 1] = arrays["indptr"][1:] + self.entry
        self.arrays["indices"][self.entry : stop] = arrays["indices"]
        self.arrays["data"][self.entry : stop] = arrays["data"]
        self.lowest = min(self.lowest, int(arrays["indices"].min(initial=1)))
        self.entry = stop

    def _refuse_numbers(self, column: str, values: Any) -> None:
        """A column that is a category elsewhere may only be missing here."""
        present = ~np.isnan(values.astype(np.float64))
        if present.any():
            row = self.row + int(present.argmax())
            name = self.first["names"][int(column)] if self.first["names"] else column
            raise BadData(
                f"there is a number here, {values[present][0]:g}, but the column has text in other "
                "rows: list it in categorical", position=row, column=str(name),
            )  # fmt: skip

    def finish(self, numbered_from_one: bool) -> Contents:
        """Write what is still in memory; returns what was written."""
        n_columns = self.n_columns
        if numbered_from_one and self.lowest == 1:
            self.arrays["indices"] -= 1
            n_columns -= 1
        if self.entry >= 2**31:
            raise ValueError(
                f"the rows have {self.entry} entries that are not zero, but the limit is 2**31: "
                "drop rare columns, or use a cluster"
            )
        for array in self.arrays.values():
            array.flush()
        contents = {"rows": self.n_rows, "columns": n_columns, "names": self.first["names"]}
        contents |= {"numbers": self.numbers, "arrays": list(self.arrays)}
        contents["levels"] = {column: list(known) for column, known in self.levels.items()}
        contents["first sparse"] = (self.first["sparse"] or [0])[0]
        contents["classes"] = list(self.classes) if "classes" in self.first else None
        return contents


def _check_same(first: dict[str, Any], other: dict[str, Any]) -> None:
    """Refuse blocks that do not have the same columns, or targets of another kind."""
    is_sparse = first["sparse"] is not None
    if first["names"] != other["names"] or is_sparse != (other["sparse"] is not None):
        raise ValueError(
            f"the blocks have different columns, {(first['names'] or ())[:5]} and "
            f"{(other['names'] or ())[:5]}: give all blocks the same columns"
        )
    if not is_sparse and first["columns"] != other["columns"]:
        raise ValueError(
            f"the blocks have {first['columns']} and {other['columns']} columns: give all blocks "
            "the same columns"
        )
    if is_sparse and first["sparse"][0] != other["sparse"][0]:
        raise ValueError("the blocks have sparse columns in different places: give all the same")
    kinds = [
        (one["shape of y"], "classes" in one, "weight" in one["types"]) for one in (first, other)
    ]
    if kinds[0] != kinds[1]:
        raise ValueError(
            "the targets or weights of the blocks are of different kinds, such as numbers and "
            "text: give all blocks the same"
        )


def _common(facts: Sequence[dict[str, Any]], name: str) -> Any:
    """A type that holds the values of all blocks."""
    return np.result_type(*(np.dtype(one["types"][name]) for one in facts if name in one["types"]))


def _renumbered(codes: Indices, levels: Any, known: dict[tuple[str, str], int]) -> Indices:
    """Codes among the levels of all blocks, to which new ones are added."""
    places = [known.setdefault((kind, text), len(known)) for kind, text in levels]
    result: Indices = np.array([*places, -1], dtype=np.int32)[codes]
    return result

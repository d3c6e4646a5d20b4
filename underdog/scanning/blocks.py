"""The rows of a source, some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from underdog.data.conversion import take_rows
from underdog.frames.errors import unknown_column

COPIES = 32
"""Bytes of memory per value while a block is read, temporary copies included."""


class RowBlock(NamedTuple):
    """Some rows: columns, and the target and the weight of each row, if they are known."""

    X: Any
    y: Any = None
    weight: Any = None


class RowSource(Protocol):
    """Where rows come from."""

    @property
    def fingerprint(self) -> Any:
        """Plain values that change if the source changes; None if that cannot be told."""

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        """All rows, in blocks of about this many bytes; the same ones whenever it is called."""


@dataclass(frozen=True)
class Roles:
    """The columns of a frame that are the target (one or several) and the weight."""

    target: Any = None
    weight: str | None = None

    def split(self, frame: Any, path: str | None = None) -> RowBlock:
        """A frame without these columns, and what is in them."""
        import narwhals as nw

        own = nw.from_native(frame, eager_only=True)
        several = isinstance(self.target, list | tuple)
        targets = list(self.target) if several else [] if self.target is None else [self.target]
        used = [*targets, *([] if self.weight is None else [self.weight])]
        for name in used:
            if name not in own.columns:
                raise unknown_column(name, own.columns, path)
        y: Any = None
        if several:
            y = np.column_stack([own[name].to_numpy() for name in targets])
        elif targets:
            y = own[targets[0]].to_native()
        weight = None if self.weight is None else own[self.weight].to_numpy()
        return RowBlock(own.drop(used).to_native(), y, weight)


def rows_at_once(memory: int, n_columns: int) -> int:
    """How many rows of this many columns are read at a time."""
    return max(1024, memory // (COPIES * max(1, n_columns)))


@dataclass(frozen=True)
class Arrays:
    """An array, such as a memory map of NumPy, and those of its target and weights."""

    X: Any
    y: Any
    weight: Any
    fingerprint: Any = None

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        _check_lengths(RowBlock(self.X, self.y, self.weight))
        size = rows_at_once(memory, self.X.shape[1])
        for start in range(0, self.X.shape[0], size):
            rows = slice(start, start + size)
            own = (None if one is None else one[rows] for one in (self.X, self.y, self.weight))
            yield RowBlock(*own)


@dataclass(frozen=True)
class Pieces:
    """Frames, or tuples of X, y and perhaps weights, from any iterable."""

    pieces: Iterable[Any]
    roles: Roles
    fingerprint: Any = None

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        for piece in self.pieces:
            block = RowBlock(*piece) if isinstance(piece, tuple) else self.roles.split(piece)
            _check_lengths(block)
            n_rows, n_columns = block.X.shape
            size = rows_at_once(memory, n_columns)
            if n_rows <= size:
                yield block
                continue
            for start in range(0, n_rows, size):
                rows = np.arange(start, min(start + size, n_rows))
                yield RowBlock(*(None if one is None else take_rows(one, rows) for one in block))


def _check_lengths(block: RowBlock) -> None:
    n_rows = block.X.shape[0]
    for name, own in (("y", block.y), ("weight", block.weight)):
        if own is not None and len(own) != n_rows:
            raise ValueError(f"X has {n_rows} rows, but {name} has {len(own)}: give one per row")


def named(target: Any) -> bool:
    """Whether a target is one or several names of columns."""
    several = isinstance(target, Sequence) and not isinstance(target, str)
    return isinstance(target, str) or (several and all(isinstance(one, str) for one in target))

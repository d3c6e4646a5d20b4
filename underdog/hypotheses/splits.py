"""The tests of binary trees as arrays, and the paths to their leaves, made when they are needed.

A tree is grown and compiled from arrays. Paths of tests are for people, files and plain code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from underdog.core import Path, Test
from underdog.types import Codes, Flags, Floats, Integers


class Splits(NamedTuple):
    """The tests of a tree, each before those of its false side, and these before its true side.

    Attributes
    ----------
    columns : (S,)
    thresholds : (S,)
        NaN for tests without one.
    inside : one flag per bin of each test, as in `Test`
    starts : (S + 1,)
        Where the flags of each test begin.
    spans : (S, 3)
        Leaves are numbered from the false side to the true side. The false side of a test has the
        leaves from spans[s, 0], and the true side those from spans[s, 1] to before spans[s, 2].
    """

    columns: Integers
    thresholds: Floats
    inside: Codes
    starts: Integers
    spans: Integers

    @property
    def n_leaves(self) -> int:
        return len(self.columns) + 1

    def below(self) -> Integers:
        """(S, 2) the next test where a test is false and where it is true; -1 - leaf at the end."""
        own = np.arange(len(self.columns))
        first, middle, stop = self.spans.T
        false = np.where(middle - first == 1, -1 - first, own + 1)
        true = np.where(stop - middle == 1, -1 - middle, own + middle - first)
        return np.stack([false, true], axis=1)

    def without(self, replaced: Flags) -> tuple[Splits, Integers]:
        """The splits where some subtrees are leaves, and the first old leaf of each leaf."""
        first, middle, stop = self.spans.T
        inner = np.zeros(self.n_leaves + 1, dtype=np.int64)  # all but the first leaf of each
        np.add.at(inner, first[replaced] + 1, 1)
        np.add.at(inner, stop[replaced], -1)
        stays = np.cumsum(inner)[:-1] == 0
        kept = stays[middle]  # which is not the first leaf of any subtree around the test
        sizes = np.diff(self.starts)
        number = np.concatenate([[0], np.cumsum(stays)])
        left = Splits(
            self.columns[kept],
            self.thresholds[kept],
            self.inside[np.repeat(kept, sizes)],
            np.concatenate([[0], np.cumsum(sizes[kept])]),
            number[self.spans[kept]],
        )
        return left, np.flatnonzero(stays)

    def tests(self) -> list[Test]:
        """Every test, in the order of the arrays."""
        flags = np.split(self.inside, self.starts[1:-1]) if len(self.columns) else []
        cuts = [None if np.isnan(cut) else cut for cut in self.thresholds.tolist()]
        return list(map(Test, self.columns.tolist(), flags, cuts))


class SplitPaths(Sequence[Path]):
    """The paths to the leaves of a tree, the false side of every test first."""

    def __init__(self, splits: Splits) -> None:
        self.splits = splits
        self._paths: tuple[Path, ...] | None = None

    def __len__(self) -> int:
        return self.splits.n_leaves

    def __getitem__(self, place: Any) -> Any:
        return self._every()[place]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._every())

    def __repr__(self) -> str:
        return repr(self._every())

    def _every(self) -> tuple[Path, ...]:
        if self._paths is None:
            tests, below = self.splits.tests(), self.splits.below().tolist()
            open_: list[tuple[int, Path]] = [(0 if tests else -1, ())]
            found: list[Path] = []
            while open_:
                place, path = open_.pop()
                if place < 0:
                    found.append(path)
                    continue
                test, (false, true) = tests[place], below[place]
                open_ += [(true, (*path, (test, 1))), (false, (*path, (test, 0)))]
            self._paths = tuple(found)
        return self._paths


def splits_of(leaves: Sequence[Path | str]) -> tuple[Splits, Integers] | None:
    """The splits of a tree, and which of its leaves each numbered leaf is.

    None if the leaves are not those of a binary tree.
    """
    if isinstance(leaves, SplitPaths):
        return leaves.splits, np.arange(len(leaves))
    paths = [leaf for leaf in leaves if not isinstance(leaf, str)]
    if not paths or len(paths) < len(leaves):
        return None
    order = sorted(range(len(paths)), key=lambda leaf: [answer for _, answer in paths[leaf]])
    found: list[tuple[Test, tuple[int, int, int]]] = []
    if not _collect([paths[leaf] for leaf in order], 0, 0, found):
        return None
    tests = [test for test, _ in found]
    made = Splits(
        np.array([test.column for test in tests], dtype=np.int64),
        np.array([np.nan if test.threshold is None else test.threshold for test in tests]),
        np.concatenate([np.empty(0, dtype=np.uint8), *(test.inside for test in tests)]),
        np.cumsum([0, *(len(test.inside) for test in tests)]),
        np.array([span for _, span in found], dtype=np.int64).reshape(-1, 3),
    )
    return made, np.array(order)


def _collect(
    paths: Sequence[Path], depth: int, first: int, found: list[tuple[Test, tuple[int, int, int]]]
) -> bool:
    """Add the tests of a subtree whose root is `depth` tests down; False if it is no such tree."""
    if len(paths) == 1:
        return len(paths[0]) == depth
    if any(len(path) <= depth or path[depth][0] is not paths[0][depth][0] for path in paths):
        return False
    middle = sum(path[depth][1] == 0 for path in paths)
    if not 0 < middle < len(paths):
        return False
    found.append((paths[0][depth][0], (first, first + middle, first + len(paths))))
    return _collect(paths[:middle], depth + 1, first, found) and _collect(
        paths[middle:], depth + 1, first + middle, found
    )


def joined(trees: Sequence[Splits]) -> Splits:
    """The splits of several trees, one after the other; spans are those of each tree."""
    starts = np.cumsum([0, *(int(tree.starts[-1]) for tree in trees)])
    shifted = [tree.starts[:-1] + start for tree, start in zip(trees, starts[:-1], strict=True)]
    return Splits(
        np.concatenate([np.empty(0, dtype=np.int64), *(tree.columns for tree in trees)]),
        np.concatenate([np.empty(0), *(tree.thresholds for tree in trees)]),
        np.concatenate([np.empty(0, dtype=np.uint8), *(tree.inside for tree in trees)]),
        np.concatenate([np.empty(0, dtype=np.int64), *shifted, starts[-1:]]),
        np.concatenate([np.empty((0, 3), dtype=np.int64), *(tree.spans for tree in trees)]),
    )

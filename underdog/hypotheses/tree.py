"""Trees of tests on columns; constants, stumps and abstaining rules are special cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from underdog.core import Blocks, Path, Test
from underdog.data import EncodedRows, Schema
from underdog.hypotheses.splits import SplitPaths
from underdog.types import Floats, Integers

REST: Final = "rest"
"""Used instead of a path, for the rows in no other block."""
Leaf = Path | str
Ends = list[tuple[Path, int]]
"""Paths, and the block of the rows at the end of each."""


@dataclass(frozen=True, eq=False)
class Tree:
    """Blocks of rows, each with a value per label.

    A constant has one block with the path (). A stump has two blocks, where its test is false and
    where it is true. An abstaining rule has one path, and the value 0 for all other rows.

    Attributes
    ----------
    leaves : sequence of paths, or REST for the rows on none of them
        One for each block. No row is on two paths. Those of a grown tree are `SplitPaths`.
    values : (B, K)
        Values of the blocks, before any coefficient. Where all values are 0 the rule abstains.
    examples : (B,), optional
        Training examples in each block; None if they were not counted.
    """

    leaves: Sequence[Leaf]
    values: Floats
    examples: Integers | None = None
    test: Test | None = field(init=False, repr=False)
    """The test, if this is a stump."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "test", _only_test(self.leaves))

    @classmethod
    def constant(cls, values: Floats) -> Tree:
        """The same values for every row; values are (1, K)."""
        return cls(((),), values)

    @classmethod
    def stump(cls, test: Test, values: Floats) -> Tree:
        """One test; values are (2, K), where it is false and where it is true."""
        tree = cls.__new__(cls)  # faster than __init__, which searches for the test
        leaves = (((test, 0),), ((test, 1),))
        tree.__dict__.update(leaves=leaves, values=values, test=test)
        return tree

    @property
    def is_constant(self) -> bool:
        return len(self.leaves) == 1 and self.leaves[0] == ()

    @property
    def rest(self) -> int | None:
        """Index of the block of the rows on no path, if there is one."""
        if isinstance(self.leaves, SplitPaths):
            return None
        return self.leaves.index(REST) if REST in self.leaves else None

    @property
    def is_question(self) -> bool:
        """Whether the tree is a single condition: block 1 where it is true, block 0 where not.

        This holds for a stump, for a rule with one path and the rest, and for a constant, whose
        condition is always true.
        """
        return self.is_constant or self.test is not None or self._only_path is not None

    @property
    def _only_path(self) -> Path | None:
        """The path of a rule whose only other block is the rest."""
        first, last = self.leaves[0], self.leaves[-1]
        alone = len(self.leaves) == 2 and first == REST
        return last if alone and not isinstance(last, str) else None

    @property
    def tests(self) -> list[Test]:
        """Every test once."""
        paths = [leaf for leaf in self.leaves if not isinstance(leaf, str)]
        return list({id(test): test for path in paths for test, _ in path}.values())

    @property
    def ends(self) -> Ends | None:
        """Every way from the root to a block, also to the rest; None if the paths are no tree."""
        paths = [(leaf, b) for b, leaf in enumerate(self.leaves) if not isinstance(leaf, str)]
        return _below(paths, (), self.rest)

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Blocks:
        test = self.test
        if test is None:
            return self._general_partition(encoded, rest)
        if rest is None:
            return Blocks.of_two(*encoded.smaller_side(test.column, test.inside))
        inside = test.inside if rest == 0 else 1 - test.inside
        return Blocks.of_two(encoded.rows(test.column, inside), 1 - rest)

    @property
    def abstaining(self) -> int | None:
        """The block of the rows on none of several paths, if its values are 0.

        Steps do not move these rows.
        """
        rest = self.rest if len(self.leaves) > 2 else None
        return None if rest is None or self.values[rest].any() else rest

    def _general_partition(self, encoded: EncodedRows, rest: int | None) -> Blocks:
        if self.is_constant:
            return Blocks(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64), 0)
        path = self._only_path
        if path is not None:
            return _two_blocks(path, encoded, rest)
        if rest is None:
            rest = self.abstaining
        block = self._block_of_row(encoded)
        return Blocks.from_numbers(block, len(self.leaves), encoded.repeats, rest)

    def _block_of_row(self, encoded: EncodedRows) -> Integers:
        answers = {id(test): test.answers(encoded) for test in self.tests}
        block = np.full(encoded.n_rows, -1 if self.rest is None else self.rest)
        for number, leaf in enumerate(self.leaves):
            if not isinstance(leaf, str):
                inside = np.ones(encoded.n_rows, dtype=bool)
                for test, answer in leaf:
                    inside &= answers[id(test)] == answer
                block[inside] = number
        if block.min(initial=0) < 0:
            raise ValueError("a row is in no block of a hypothesis: one of the leaves must be REST")
        return block

    def words(self, names: Schema) -> str:
        """The condition as text, if it is a single one; otherwise the columns of the tests."""
        if self.is_constant:
            return "always"
        if self.test is not None:
            return in_words(self.test, names)
        if self._only_path is not None:
            return path_in_words(self._only_path, names)
        columns = dict.fromkeys(test.column for test in self.tests)
        return f"tree on {', '.join(map(names.title, columns))}"

    def leaf_words(self, names: Schema) -> list[str]:
        """The path of each block as text."""
        return [
            "else" if isinstance(leaf, str) else path_in_words(leaf, names) for leaf in self.leaves
        ]


def _two_blocks(path: Path, encoded: EncodedRows, rest: int | None) -> Blocks:
    """The rows off a path and those on it; the larger block is not listed."""
    (test, answer), *others = path
    rows = encoded.rows(test.column, test.inside if answer else 1 - test.inside)
    for test, answer in others:
        rows = rows[test.answers(encoded)[rows] == answer]
    if rest is None:
        count = len(rows) if encoded.repeats is None else int(encoded.repeats[rows].sum())
        rest = int(2 * count > encoded.n_examples)
    if rest == 0:
        return Blocks.of_two(rows, 1)
    outside = np.ones(encoded.n_rows, dtype=bool)
    outside[rows] = False
    return Blocks.of_two(np.flatnonzero(outside).astype(np.int32), 0)


def _only_test(leaves: Sequence[Leaf]) -> Test | None:
    """The test of a stump: two leaves, where it is false and where it is true."""
    if len(leaves) != 2:
        return None
    no, yes = leaves
    if isinstance(no, str) or isinstance(yes, str) or len(no) != 1 or len(yes) != 1:
        return None
    test = yes[0][0]
    return test if no[0][0] is test and no[0][1] == 0 and yes[0][1] == 1 else None


def _below(paths: Ends, way: Path, rest: int | None) -> Ends | None:
    """The paths that begin with `way`, the false side first; where there is none is the rest."""
    depth = len(way)
    if not paths:
        return None if rest is None else [(way, rest)]
    if len(paths) == 1 and len(paths[0][0]) == depth:
        return paths
    if any(len(path) <= depth for path, _ in paths):
        return None
    test = paths[0][0][depth][0]
    if any(path[depth][0] is not test for path, _ in paths):
        return None
    found: Ends = []
    for answer in range(2):
        side = [(path, block) for path, block in paths if path[depth][1] == answer]
        below = _below(side, (*way, (test, answer)), rest)
        if below is None:
            return None
        found += below
    return found


def is_guard(step: tuple[Test, int], test: Test) -> bool:
    """Whether a step of a path is that the value in the column of a test is not missing."""
    own, answer = step
    only_missing = bool(own.inside[-1]) and not own.inside[:-1].any()
    return answer == 0 and own is not test and own.column == test.column and only_missing


def answers_missing(test: Test, answer: int) -> Test:
    """The same test with this answer where the value is missing."""
    inside = test.inside.copy()
    inside[-1] = answer
    return test._replace(inside=inside)


def path_in_words(path: Path, names: Schema) -> str:
    """The conditions of a path as text.

    That a value is not missing is not said apart from another condition on its column.
    """
    conditions = []
    for step in path:
        test, answer = step
        if any(is_guard(step, other) for other, _ in path):
            continue
        if any(is_guard(other, test) for other in path):
            test = answers_missing(test, 1 - answer)
        conditions.append(in_words(test, names, answer))
    if len(conditions) > 1:
        conditions = [f"({each})" if " or " in each else each for each in conditions]
    return " and ".join(conditions) or "always"


def in_words(test: Test, names: Schema, answer: int = 1) -> str:
    """The condition under which a test has this answer, as text."""
    name, missing = names.title(test.column), test.inside[-1] == answer
    if test.column in names.categories:
        levels = names.categories[test.column]
        chosen = [str(level) for level, flag in zip(levels, test.inside, strict=False) if flag]
        if not chosen:
            return f"{name} is missing" if answer else f"{name} is not missing"
        text = f"{name} {'in' if answer else 'not in'} {{{', '.join(chosen)}}}"
        if len(chosen) == 1:
            text = f"{name} {'is' if answer else 'is not'} {chosen[0]}"
    elif test.threshold is None:
        return f"{name} is missing" if answer else f"{name} is not missing"
    elif names.presence[test.column]:
        text = f"{name} {'present' if answer else 'absent'}"
    else:
        text = f"{name} {'>' if answer else '<='} {names.written(test.column, test.threshold)}"
    if names.missing[test.column] and missing:
        text += " or missing"
    return text

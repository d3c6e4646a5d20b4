"""Trees as nested conditions."""

from __future__ import annotations

from typing import NamedTuple

from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Tree, in_words
from underdog.types import Floats


class Branch(NamedTuple):
    """One side of a split: its condition, and what is added there."""

    depth: int
    """Number of splits above it."""
    words: str
    step: Floats | None
    """(K,); None if only the splits below it add something."""
    head: str = ""
    """The number of the split, if it has one of its own; as wide on its other side."""


def branches(member: Member, schema: Schema) -> list[Branch] | None:
    """The sides of all splits of a tree, each followed by those below it.

    None for rules that are a single question, and where the paths are no tree.
    """
    tree = member.hypothesis
    if not isinstance(tree, Tree) or tree.is_question or tree.ends is None:
        return None
    found: list[Branch] = []
    before: list[tuple[int, int]] = []
    for path, block in tree.ends:
        way = [(id(test), answer) for test, answer in path]
        for depth, (test, answer) in enumerate(path):
            if way[: depth + 1] != before[: depth + 1]:
                step = member.steps[block] if depth == len(path) - 1 else None
                found.append(Branch(depth, in_words(test, schema, answer), step))
        before = way
    return found

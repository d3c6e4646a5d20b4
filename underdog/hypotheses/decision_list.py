"""Rules of a person as a tree: the first rule whose condition is true has the last word."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from underdog.checks import notify
from underdog.core import Path, Test
from underdog.data import Schema, Table
from underdog.data.merging import presence_cut, schema_of_cuts
from underdog.hypotheses.sentences import (
    Above,
    All,
    Among,
    Atom,
    Condition,
    Not,
    Present,
    Sentence,
    Some,
    Word,
)
from underdog.hypotheses.tree import Tree
from underdog.types import Floats

MAX_LEAVES = 1000
"""Conditions with "and" divide the rows that come to the next rule."""


class Ask(NamedTuple):
    """A test, and what comes next where it is true and where it is false."""

    test: Test
    yes: Ask | int
    no: Ask | int


class RuleTests:
    """The tests of rules, on the columns of a table.

    Parameters
    ----------
    sentences : sequence of Sentence
    table : Table

    Attributes
    ----------
    schema : Schema
        The columns, with the cuts that the rules ask about.
    """

    def __init__(self, sentences: Sequence[Sentence], table: Table) -> None:
        self._table = table
        given = table.names
        self._names = [f"x{c}" for c in range(table.n_columns)] if given is None else list(given)
        self._place = {name: place for place, name in enumerate(self._names)}
        self._named = given is not None
        cuts: dict[int, set[float]] = {}
        self._cuts: dict[Atom, list[tuple[int, float | None]]] = {}
        for sentence in sentences:
            for atom in _atoms(sentence.condition):
                self._cuts[atom] = found = self._resolve(atom, sentence)
                for column, cut in found:
                    if cut is not None:
                        cuts.setdefault(column, set()).add(cut)
        self.schema: Schema = schema_of_cuts(table, cuts)
        self._tests: dict[tuple[int, bytes], Test] = {}
        self._check_kinds(sentences)

    def _resolve(self, atom: Atom, sentence: Sentence) -> list[tuple[int, float | None]]:
        """The columns that an atom is about, and the cut of each; a category has none."""
        if isinstance(atom, Word):
            return [(place, presence_cut(self._table, place)) for place in self._words(atom)]
        place = self._place.get(atom.column)
        if place is None:
            raise sentence.error(self._unknown(atom.column))
        if isinstance(atom, Present):
            return [(place, presence_cut(self._table, place))]
        return [(place, atom.threshold if isinstance(atom, Above) else None)]

    def _words(self, atom: Word) -> list[int]:
        """The columns of a word: that of a text, or those of all texts, which are called "text"."""
        if not self._named:
            raise ValueError(
                f"a rule asks for the word {atom.word!r}, but the columns have no names: give a "
                "Table with names, such as Table.hstack([counts], names=words)"
            )
        own = self._place.get(f"{atom.column}: {atom.word}", self._place.get(atom.word))
        if own is not None:
            return [own]
        ending = f": {atom.word}"
        found = [place for name, place in self._place.items() if name.endswith(ending)]
        if found and atom.column == "text":
            return found
        near = difflib.get_close_matches(atom.word, self._names, 1)
        notify(
            f"no column has the word {atom.word!r} of a rule, which is never true"
            + (f" (there is {near[0]!r})" if near else "")
        )
        return []

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._names, 3)
        which = f"there are {', '.join(map(repr, near or self._names[:5]))}"
        return f"there is no column {name!r}: {which}"

    def _check_kinds(self, sentences: Sequence[Sentence]) -> None:
        """Refuse thresholds of categories and levels of numbers."""
        for sentence in sentences:
            for atom in _atoms(sentence.condition):
                for column, _ in self._cuts[atom]:
                    is_category = column in self.schema.categories
                    if is_category and not isinstance(atom, Among):
                        raise sentence.error(f"column {self._names[column]!r} has levels: use 'is'")
                    if not is_category and isinstance(atom, Among) and atom.levels:
                        message = f"column {self._names[column]!r} has numbers: use '>' or '<='"
                        raise sentence.error(message)

    def condition(self, condition: Condition, yes: Ask | int, no: Ask | int) -> Ask | int:
        """What to ask first to come to `yes` where a condition is true, and else to `no`."""
        if isinstance(condition, Not):
            return self.condition(condition.condition, no, yes)
        if isinstance(condition, All):
            for each in reversed(condition.conditions):
                yes = self.condition(each, yes, no)
            return yes
        if isinstance(condition, Some):
            for each in reversed(condition.conditions):
                no = self.condition(each, yes, no)
            return no
        for column, cut in reversed(self._cuts[condition]):
            no = Ask(self._test(condition, column, cut), yes, no)
        return no

    def _test(self, atom: Atom, column: int, cut: float | None) -> Test:
        """The test of an atom; the same test is the same object."""
        if isinstance(atom, Among):
            levels = self.schema.categories.get(column, ())
            unknown = set(atom.levels) - {str(level) for level in levels}
            if unknown:
                notify(
                    f"column {self._names[column]!r} has no level {min(unknown)!r}, which a rule "
                    "asks about"
                )
            n_bins = len(levels) if column in self.schema.categories else self._n_bins(column)
            inside = [int(str(level) in atom.levels) for level in levels] or [0] * n_bins
            missing = atom.missing
        else:
            place = int(np.searchsorted(self.schema.cuts_of(column), cut or 0.0))
            inside = [int(number > place) for number in range(self._n_bins(column))]
            missing = atom.missing if isinstance(atom, Above) else False
        flags = np.array([*inside, int(missing)], dtype=np.uint8)
        key = column, flags.tobytes()
        return self._tests.setdefault(key, Test(column, flags, cut))

    def _n_bins(self, column: int) -> int:
        return len(self.schema.cuts_of(column)) + 1


def decision_list(sentences: Sequence[Sentence], tests: RuleTests, values: Floats) -> Tree:
    """A tree in which the first rule that is true says its values.

    values[i] are those of sentence i, and the last ones are for rows without a rule.
    """
    last = len(sentences)
    if sentences[-1].condition is None:
        last -= 1
    first: Ask | int = last
    for number in range(last - 1, -1, -1):
        condition = sentences[number].condition
        assert condition is not None
        first = tests.condition(condition, number, first)
    found = leaves_of(first)
    return Tree(tuple(path for path, _ in found), values[[number for _, number in found]])


def leaves_of(first: Ask | int) -> list[tuple[Path, int]]:
    """Every path, and the number at its end; a test is not asked twice."""
    found: list[tuple[Path, int]] = []
    waiting: list[tuple[Ask | int, Path]] = [(first, ())]
    while waiting:
        here, path = waiting.pop()
        known = {id(test): answer for test, answer in path}
        while not isinstance(here, int) and id(here.test) in known:
            here = here.yes if known[id(here.test)] else here.no
        if isinstance(here, int):
            found.append((path, here))
            if len(found) > MAX_LEAVES:
                raise ValueError(
                    f"the rules divide the rows into more than {MAX_LEAVES} parts, because every "
                    "'and' divides those that come to the next rule: write fewer conditions, or "
                    "put rules with 'and' last"
                )
            continue
        waiting.append((here.yes, (*path, (here.test, 1))))
        waiting.append((here.no, (*path, (here.test, 0))))
    return found


def _atoms(condition: Condition | None) -> list[Atom]:
    """All tests of columns in a condition."""
    if condition is None:
        return []
    if isinstance(condition, Not):
        return _atoms(condition.condition)
    if isinstance(condition, All | Some):
        return [atom for each in condition.conditions for atom in _atoms(each)]
    return [condition]

"""The model: members, the schema they speak of, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from underdog.core import Member, Rows, Shard, ShrinkingPath, State
from underdog.data import EncodedRows, Schema, Table
from underdog.files import Fields
from underdog.hypotheses import Foreign, Tree, WordWeights
from underdog.model import stored
from underdog.model.attributions import Attributions
from underdog.model.compiled import Compiled, is_simple
from underdog.model.forest import Forest, can_walk, closed, make_forests
from underdog.model.masks import MaskForest
from underdog.types import Floats
from underdog.workers import Workers


class Ensemble:
    """An additive model: the score of a row is the sum of its members' steps.

    Parameters
    ----------
    members : sequence of Member
    schema : Schema
    n_labels : int
    path : sequence of arrays, optional
        The coefficients that all members had after each round, where they changed.
    start : (K,), optional
        Scores of every row before the first member, on the score grid; 0 by default.
    unit : float, default=1.0
        What a score of 1 of the run is worth: a power of two. Start and steps of the model have
        this unit already.
    n_known : int, default=0
        How many of the first members were known before the first round.
    """

    def __init__(
        self,
        members: Sequence[Member],
        schema: Schema,
        n_labels: int,
        path: Sequence[Floats] = (),
        start: Floats | None = None,
        unit: float = 1.0,
        n_known: int = 0,
    ) -> None:
        self.n_known = n_known
        self.members = tuple(members)
        self.schema = schema
        self.n_labels = n_labels
        self.path = path if isinstance(path, ShrinkingPath) else tuple(path)
        self.start: Floats = np.zeros(n_labels) if start is None else start
        self.unit = unit
        self._compiled: Compiled | None = None
        self._forests: list[Forest | MaskForest] | None = None
        self._attributions: Attributions | None = None

    def __len__(self) -> int:
        return len(self.members)

    @property
    def found(self) -> tuple[Member, ...]:
        """The members that rounds have found, without what was known beforehand."""
        return self.members[self.n_known :]

    def __repr__(self) -> str:
        return f"Ensemble({len(self)} rules, {self.schema.n_columns} columns)"

    def _to_file(self) -> dict[str, Any]:
        run = self.in_unit(1.0)  # as the score grid needs it
        members = stored.state_of(run.members) | stored.words_of(run.members)
        path = stored.state_of_path(self.path)
        more: dict[str, Any] = {} if self.unit == 1.0 else {"unit": self.unit}
        if self.n_known:
            more["known"] = self.n_known
        return {"schema": self.schema, **members, **path, "start": run.start, **more}

    def in_unit(self, unit: float) -> Ensemble:
        """The same model in another unit, a power of two."""
        if unit == self.unit:
            return self
        factor = unit / self.unit
        members = [scaled(member, factor) for member in self.members]
        start = self.start * factor
        return Ensemble(members, self.schema, self.n_labels, self.path, start, unit, self.n_known)

    @classmethod
    def _from_file(cls, fields: Fields) -> Ensemble:
        schema = fields.one_of("schema", Schema)
        members = stored.members_of(fields, schema)
        members += stored.word_members(fields, schema, members[0].steps.shape[1])
        n_known = fields.integer("known", 1, len(members) - 1) if "known" in fields else 0
        path = stored.path_of(fields, members[n_known:])
        n_labels = members[0].steps.shape[1]
        start = stored.start_of(fields, n_labels, members)
        made = cls(members, schema, n_labels, path, start, n_known=n_known)
        return made.in_unit(stored.unit_of(fields))

    @cached_property
    def _trees_and_others(self) -> tuple[list[Member], list[Member]]:
        """The members that are no stumps: those that are walked or masked, and all others."""
        trees: list[Member] = []
        others: list[Member] = []
        for member in self.members:
            if not is_simple(member.hypothesis):
                walks = can_walk(member)
                (trees if walks else others).append(closed(member) if walks else member)
        return trees, others

    @property
    def compiled(self) -> Compiled:
        if self._compiled is None:
            self._compiled = Compiled(self.members, self.schema, self.start)
        return self._compiled

    @property
    def attributions(self) -> Attributions:
        """What columns add to scores, where all rules are trees (see `can_attribute`)."""
        if self._attributions is None:
            start, unit = self.start, self.unit
            self._attributions = Attributions(self.members, self.schema, start, unit)
        return self._attributions

    def scores(self, table: Table, workers: Workers) -> Floats:
        """(n, K) scores.

        Stumps and constants are added by their step functions, trees by masks or by walking, and
        all other rules one by one.
        """
        result = self.compiled.scores(table, workers)
        trees, others = self._trees_and_others
        if trees:
            if self._forests is None:
                self._forests = make_forests(trees, self.schema)
            for forest in self._forests:
                forest.add_scores(table, result, workers)
        if others:
            shard = Shard(EncodedRows(table, self.schema), self.n_labels, workers)
            for member in others:
                member.hypothesis.partition(shard.encoded).move(shard.scores, member.steps)
            result += shard.scores.full()
        return result

    def staged(self, table: Table) -> Iterator[Floats]:
        """Scores after each round."""
        if self.path and self.unit != 1.0:  # steps are on the score grid in the unit of the run
            for scores in self.in_unit(1.0).staged(table):
                yield scores * self.unit
            return
        rows = Rows([Shard(EncodedRows(table, self.schema), self.n_labels)])
        rows.start_from(self.start)
        for member in self.members[: self.n_known]:
            rows.move(rows.place(member.hypothesis), member.steps)
        state = State(rows)
        for number, member in enumerate(self.found):
            partition = rows.place(member.hypothesis)
            if self.path:
                state.refit([member.hypothesis], [partition], self.path[number])
            else:
                state.apply(member, partition, ())
            yield rows.only.scores.full()

    def importances(self, drops: Floats, n_columns: int) -> Floats:
        """Share of each column in the drops of ln Z, one per member; rises count as 0.

        The drop of a tree is divided among its tests by the variance of its steps that they
        explain; evenly where the examples in its leaves were not counted.
        """
        result = np.zeros(n_columns)
        drops = np.concatenate([np.zeros(self.n_known), np.maximum(drops, 0.0)])[: len(self)]
        # By a power of two: drops of a loss of huge targets have no sum.
        drops = np.ldexp(drops, -np.frexp(drops.max(initial=0.0))[1])
        if self._trees_and_others[0] and all(_is_counted(member) for member in self.members):
            known = np.concatenate([drops, np.zeros(len(self) - len(drops))])
            return _normalised(self.attributions.importances(known))
        for member, drop in zip(self.members, drops, strict=False):
            hypothesis = member.hypothesis
            if isinstance(hypothesis, Tree):
                tests = hypothesis.tests
                for test in tests:
                    result[test.column] += drop / len(tests)
            elif isinstance(hypothesis, Foreign):
                fitted = [c for c in hypothesis.classifiers if not isinstance(c, int)]
                for classifier in fitted:
                    result += drop / len(fitted) * classifier.feature_importances_
        return _normalised(result)


def scaled(member: Member, factor: float) -> Member:
    """A member with all its steps times a power of two."""
    rule = member.hypothesis
    if isinstance(rule, WordWeights):
        return rule.times(factor).member
    if not isinstance(rule, Tree):
        raise TypeError(f"only trees can be given another unit, not a {type(rule).__name__}")
    tree = Tree(rule.leaves, rule.values * factor, rule.examples)
    return Member(tree, member.coefficient, member.steps * factor, member.size * factor)


def _is_counted(member: Member) -> bool:
    """Whether a rule is a tree that knows how many examples its leaves had."""
    return isinstance(member.hypothesis, Tree) and member.hypothesis.examples is not None


def _normalised(importances: Floats) -> Floats:
    total = importances.sum()
    return importances / total if total > 0 else importances

"""Changing a fitted model by hand, with a record of what was changed, by whom and why."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.isotonic import isotonic_regression

from underdog.checks import check_choice, is_number
from underdog.core import MAX_SCORE, Member
from underdog.files import Fields
from underdog.hypotheses import Tree
from underdog.kernels.elementary import GRID
from underdog.model import Ensemble, MedianEnsemble, used
from underdog.model.reshaping import bin_values, stumps_of, stumps_on
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.estimators.support.predictions import Predictions

KEYS = ("change", "by", "why")
"""What is known of an edit."""
NO_BOUND = "edited: no bound on the error is known"


class Editor:
    """Collects changes of a fitted model; `done` gives the changed model.

    Rules have the numbers of `describe(None)` of the model that is edited, from 1, whatever is
    dropped.

    Parameters
    ----------
    booster : fitted booster
    by : str
        Who makes the changes.
    """

    def __init__(self, booster: Predictions, by: str) -> None:
        booster._check_fitted()
        if isinstance(booster.model_, MedianEnsemble):
            raise ValueError(
                f"{type(booster).__name__} predicts a median of its rules, which are not added: "
                "only models that add their rules can be edited"
            )
        self._by = _text("by", by)
        self._booster, self._shown = booster, booster._shown
        self._members = dict(enumerate(used(self._shown.members), start=1))
        self._edits: list[dict[str, str]] = []

    def drop(self, rule: int, *, why: str) -> Editor:
        """Leave a rule out."""
        member = self._rule(rule)
        self._record(f"dropped rule {rule}, {self._words(member)}", why)
        del self._members[rule]
        return self

    def move(
        self, rule: int, value: float, *, why: str, where: Any = None, label: Any = None
    ) -> Editor:
        """Set what a rule adds to the score.

        Parameters
        ----------
        rule : int
        value : float
            Rounded to a multiple of 2**-36.
        why : str
        where : "yes", "no" or the number of a leaf from 1, optional
            Where the condition is true (the default), where it is not, or in which leaf of a tree.
        label : optional
            The class or label whose score is changed, if there are several scores.
        """
        member = self._rule(rule)
        if not is_number(value) or not abs(value) < MAX_SCORE:
            raise ValueError(f"value={value!r} must be a number below {MAX_SCORE:.0f} in size")
        block, column = _block(member, where), self._column(label)
        steps = member.steps.copy()
        before = float(steps[block, column])
        steps[block, column] = math.floor(float(value) * GRID + 0.5) / GRID
        place = "" if where is None else f" ({where})"
        of = "" if label is None else f" for {label!r}"
        words = self._words(member)
        self._record(
            f"moved rule {rule}, {words}{place}{of}, from {before:+.6g} to {value:+.6g}", why
        )
        self._members[rule] = _with_steps(member, steps)
        return self

    def set_monotone(self, column: Any, direction: int, *, why: str) -> Editor:
        """Make what a column adds rise (1) or fall (-1) with its values.

        The nearest such step function, by least squares over the bins of the column. Missing
        values keep what they add. The column must be in no rule with other columns.
        """
        if direction not in (1, -1) or isinstance(direction, bool):
            raise ValueError(f"direction={direction!r} must be 1, for rising, or -1, for falling")
        schema = self._shown.schema
        place = _place(column, schema)
        if place in schema.categories:
            raise ValueError(
                f"column {column!r} has levels without an order: it cannot be monotone"
            )
        stumps = stumps_on(list(self._members.values()), place)
        asking = [each for each in self._members.values() if _asks(each, place)]
        if len(asking) > len(stumps):
            raise ValueError(
                f"column {column!r} is in a rule with other columns, so it has no step function of "
                "its own: drop or move that rule"
            )
        if not stumps:
            raise ValueError(f"no rule asks about column {column!r}: there is nothing to change")
        values = bin_values(stumps, place, schema)
        for label in range(values.shape[1]):
            fitted = isotonic_regression(values[:-1, label], increasing=direction == 1)
            values[:-1, label] = np.floor(fitted * GRID + 0.5) / GRID
        kept = {number: each for number, each in self._members.items() if not _asks(each, place)}
        last = max(self._members)
        added = stumps_of(place, values, schema)
        self._members = kept | dict(enumerate(added, start=last + 1))
        word = "rise" if direction == 1 else "fall"
        self._record(f"made the score {word} with {schema.name(place)}", why)
        return self

    def done(self) -> Any:
        """A copy of the model with all changes."""
        if not self._edits:
            raise ValueError("nothing was changed: use drop, move or set_monotone first")
        return edited(self._booster, list(self._members.values()), self._edits)

    def _rule(self, number: int) -> Member:
        if number not in self._members:
            known = f"1 to {max(self._members)}" if self._members else "no rule is left"
            raise ValueError(
                f"there is no rule {number!r}, or it was dropped: rules have the numbers of "
                f"describe(None), {known}"
            )
        return self._members[number]

    def _column(self, label: Any) -> int:
        names = list(map(str, self._booster._labels.names))
        if self._shown.n_labels == 1:
            if label is not None:
                raise ValueError(f"label={label!r} is for several scores, but there is one")
            return 0
        check_choice("label", None if label is None else str(label), *names)
        return names.index(str(label))

    def _words(self, member: Member) -> str:
        return member.hypothesis.words(self._shown.schema)

    def _record(self, change: str, why: str) -> None:
        self._edits.append({"change": change, "by": self._by, "why": _text("why", why)})


def edited(booster: Any, members: Sequence[Member], edits: Sequence[dict[str, str]]) -> Any:
    """A copy of a booster with other rules, and the record of what was changed."""
    made = copy.copy(booster)
    shown = booster._shown
    if not members:
        nothing = np.zeros((1, shown.n_labels))
        members = [Member(Tree.constant(nothing), 1.0, nothing, 0.0)]
    if float(np.abs(shown.start).max()) + sum(each.size for each in members) >= MAX_SCORE:
        raise ValueError(f"the steps add up to {MAX_SCORE:.0f} or more: make them smaller")
    members = [each._replace(coefficient=1.0) for each in map(_final, members)]
    made.model_ = Ensemble(members, shown.schema, shown.n_labels, (), shown.start, shown.unit)
    made.edits_ = (*booster.edits_, *edits)
    made.n_iter_ = len(members)
    made.history_ = {"coefficient": np.ones(len(members))}
    texts = {n: value for n, value in booster.certificate_.items() if isinstance(value, str)}
    made.certificate_ = made._nothing_certified(NO_BOUND)
    made.certificate_.update(texts)
    made._finished = True
    return made


def edit_notes(edits: Sequence[dict[str, str]]) -> list[str]:
    """The record as lines of text."""
    lines = [f"edited by {each['by']}: {each['change']}. Why: {each['why']}" for each in edits]
    return [*lines, NO_BOUND] if lines else []


def edits_of(fields: Fields) -> tuple[dict[str, str], ...]:
    """The record in a file."""
    if "edits" not in fields:
        return ()
    found = fields.items("edits")
    for each in found:
        known = isinstance(each, dict) and set(each) == set(KEYS)
        if not known or not all(isinstance(text, str) for text in each.values()):
            raise fields.wrong("edits", f"must have the texts {', '.join(KEYS)} each")
    if not found:
        raise fields.wrong("edits", "must not be empty")
    return tuple(found)


def _text(name: str, given: Any) -> str:
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"{name}={given!r} must be a text, which is kept with the model")
    return given


def _block(member: Member, where: Any) -> int:
    """The number of a block."""
    count = len(member.steps)
    if where is None and count <= 2:
        spoken = np.flatnonzero(member.steps.any(axis=1))
        return int(spoken[0]) if len(spoken) == 1 else count - 1
    if count == 2 and where in ("yes", "no"):
        return 1 if where == "yes" else 0
    if is_number(where) and int(where) == where and 1 <= where <= count:
        return int(where) - 1
    raise ValueError(
        f"where={where!r} must be 'yes' or 'no' for a rule with one condition, or the number of a "
        f"leaf, 1 to {count}"
    )


def _asks(member: Member, column: int) -> bool:
    tree = member.hypothesis
    return not isinstance(tree, Tree) or any(test.column == column for test in tree.tests)


def _place(column: Any, schema: Any) -> int:
    if schema.names is not None and column in schema.names:
        return int(list(schema.names).index(column))
    if is_number(column) and 0 <= column < schema.n_columns and int(column) == column:
        return int(column)
    raise ValueError(f"there is no column {column!r}: give its name or its position")


def _with_steps(member: Member, steps: Floats) -> Member:
    return _final(Member(member.hypothesis, 1.0, steps, float(np.abs(steps).max())))


def _final(member: Member) -> Member:
    """A rule whose values are its steps."""
    tree = member.hypothesis
    if not isinstance(tree, Tree):
        return member
    return member._replace(hypothesis=Tree(tree.leaves, member.steps, tree.examples))

"""The linear model in a blend: what each column adds, and how much that varies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Tree, WordWeights
from underdog.model.lines import strongest_labels
from underdog.model.writing import WIDTH, broken, counted, score_format, shortened, text_table
from underdog.types import Floats

WORDS = 10
"""Words that are listed for each label."""
LEVELS = 6
"""Levels of a category that are listed."""


class LinearColumn(NamedTuple):
    """One column of a linear model.

    Attributes
    ----------
    column : int
    steps : (bins + 1, K)
        What each bin adds to the scores; the last bin is that of missing values.
    spread : float
        Standard deviation of what it adds to the scores of the training examples.
    """

    column: int
    steps: Floats
    spread: float


def linear_columns(members: Sequence[Member]) -> list[LinearColumn]:
    """The columns of a linear model, those with the largest spread first; without words."""
    found = [_column(member) for member in members if isinstance(member.hypothesis, Tree)]
    return sorted(found, key=lambda own: (-own.spread, own.column))


def _column(member: Member) -> LinearColumn:
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    first = tree.tests[0]
    steps = np.zeros((len(first.inside), member.steps.shape[1]))
    for path, own in zip(tree.leaves, member.steps, strict=True):
        assert not isinstance(path, str)
        reached = np.ones(len(steps), dtype=bool)
        for test, answer in path:
            reached &= test.inside == answer
        steps[reached] = own
    examples = np.ones(len(member.steps)) if tree.examples is None else tree.examples
    share = (examples / examples.sum())[:, np.newaxis]
    around = member.steps - (share * member.steps).sum(axis=0)
    return LinearColumn(first.column, steps, float(np.sqrt((share * around**2).sum())))


def word_spreads(rule: WordWeights) -> Floats:
    """(W, K) about the standard deviation of what each word adds, with the sign of its weight.

    The share of the documents with a word follows from its inverse document frequency. All
    documents are taken to have the same length, whose square is the expected one.
    """
    share = np.minimum(np.exp(1.0 - np.sqrt(rule.squares)), 1.0)
    length = np.sqrt((share * rule.squares).sum())
    result: Floats = rule.weights * (np.sqrt(share * (1.0 - share)) / length)[:, np.newaxis]
    return result


def linear_importances(members: Sequence[Member], n_columns: int) -> Floats:
    """(n_columns,) share of each column in the sum of all spreads."""
    result = np.zeros(n_columns)
    for own in linear_columns(members):
        result[own.column] = own.spread
    for member in members:
        if isinstance(member.hypothesis, WordWeights):
            own_words = word_spreads(member.hypothesis)
            result[member.hypothesis.columns] = np.sqrt((own_words**2).sum(axis=1))
    total = result.sum()
    return result / total if total > 0.0 else result


def describe_linear(
    members: Sequence[Member],
    schema: Schema,
    label_names: Sequence[str] | None,
    max_display: int | None,
) -> list[str]:
    """Lines: what a column adds at its lowest and highest values, and the strongest words.

    label_names is None if there is one score. Of many labels, those that a column moves most.
    """
    columns = linear_columns(members)
    shown = columns[:max_display]
    spec = score_format([value for own in shown for value in own.steps.ravel().tolist()])
    rows = []
    for own in shown:
        title = shortened(schema.title(own.column))
        for label in strongest_labels(np.ptp(own.steps, axis=0)):
            text = _column_text(own, label, schema, spec)
            name = [] if label_names is None else [shortened(label_names[label])]
            rows.append([title, *name, text])
            title = ""  # once for all labels
    lines = text_table(rows, 3) if rows else []
    if len(columns) > len(shown):
        lines.append(f"... and {counted(len(columns) - len(shown), 'more column')}")
    for member in members:
        if isinstance(member.hypothesis, WordWeights):
            lines += _word_lines(member.hypothesis, schema, label_names)
    return [line.rstrip() for line in lines]


def _column_text(own: LinearColumn, label: int, schema: Schema, spec: str) -> str:
    steps = own.steps[:, label].tolist()
    if own.column in schema.categories:
        levels = zip(schema.categories[own.column], steps, strict=False)  # without missing values
        strongest = sorted(levels, key=lambda pair: -abs(pair[1]))
        parts = [f"{shortened(level, 20)} {step:{spec}}" for level, step in strongest[:LEVELS]]
        text = ", ".join(parts) + (", ..." if len(strongest) > LEVELS else "")
    elif schema.presence[own.column]:
        text = f"{steps[0]:{spec}} if absent, {steps[1]:{spec}} if present"
    else:
        cuts = [schema.written(own.column, cut) for cut in schema.cuts_of(own.column)[[0, -1]]]
        text = f"{steps[0]:{spec}} (<= {cuts[0]}) to {steps[-2]:{spec}} (> {cuts[1]})"
    return text + (f", missing {steps[-1]:{spec}}" if steps[-1] else "")


def _word_lines(rule: WordWeights, schema: Schema, label_names: Sequence[str] | None) -> list[str]:
    lines, spreads = [], word_spreads(rule)
    for label in strongest_labels(np.abs(spreads).max(axis=0)):
        whose = "" if label_names is None else f" of {label_names[label]!r}"
        for verb, sizes in (("raise", spreads[:, label]), ("lower", -spreads[:, label])):
            strongest = [w for w in np.argsort(-sizes, kind="stable")[:WORDS] if sizes[w] > 0.0]
            words = ", ".join(schema.name(int(rule.columns[w])) for w in strongest)
            if words:
                head = f"words that {verb} the score{whose} most:"
                lines += [head, *(f"  {line}" for line in broken(words, WIDTH - 8))]
    return lines

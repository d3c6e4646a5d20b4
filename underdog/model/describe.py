"""A model as readable text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Tree
from underdog.model.compiled import is_simple
from underdog.model.ensemble import Ensemble
from underdog.model.shapes import shapes_of
from underdog.types import Floats

MAX_LABELS = 4
WIDTH = 100
"""Of a line."""


def used(members: Sequence[Member]) -> Sequence[Member]:
    """Those that add something to the score; all if none does."""
    return [member for member in members if member.size > 0.0] or members


def describe(
    members: Sequence[Member], schema: Schema, label_names: Sequence[str], max_display: int | None
) -> str:
    """One line per rule: the question, and what is added to the score for either answer."""
    members = used(members)
    shown = members if max_display is None else members[:max_display]
    questions = [each.hypothesis.words(schema) for each in shown if not _has_leaves(each)]
    width = max((len(question) for question in questions), default=0)
    lines = []
    for number, member in enumerate(shown, start=1):
        if _has_leaves(member):
            lines += _about_leaves(number, member, schema, label_names)
            continue
        question = member.hypothesis.words(schema)
        text = f"{number:4d}. {question:<{width}}  {_values(member.steps[-1], label_names)}"
        if len(member.steps) == 2:
            text += f"   else {_values(member.steps[0], label_names)}"
        lines.append(text)
    if len(shown) < len(members):
        lines.append(f"      ... and {len(members) - len(shown)} more")
    return "\n".join(lines)


def _has_leaves(member: Member) -> bool:
    """Whether a member is a tree that asks more than one question."""
    return isinstance(member.hypothesis, Tree) and not member.hypothesis.is_question


def _leaves(member: Member, schema: Schema) -> list[tuple[str, Floats]]:
    """The paths of a tree in words and what they add; what is left comes last."""
    tree = cast(Tree, member.hypothesis)
    pairs = list(zip(tree.leaf_words(schema), member.steps, strict=True))
    if tree.rest is not None:
        pairs.append(pairs.pop(tree.rest))
    return pairs


def _about_leaves(
    number: int, member: Member, schema: Schema, label_names: Sequence[str]
) -> list[str]:
    """One line for each leaf of a tree."""
    pairs = _leaves(member, schema)
    width = max(len(path) for path, _ in pairs)
    heads = [f"{number:4d}. "] + ["      "] * (len(pairs) - 1)
    return [
        f"{head}{path:<{width}}  {_values(steps, label_names)}"
        for head, (path, steps) in zip(heads, pairs, strict=True)
    ]


def describe_labels(
    members: Sequence[Member], schema: Schema, label_names: Sequence[str], max_display: int | None
) -> str:
    """For each label what its score starts from, and what each question adds; strongest first.

    The start is what all rules say where the answer is no, or in the last leaf of a tree. Stumps
    that ask the same question are one. Labels and questions without effect are not shown.
    """
    start = np.zeros(members[0].steps.shape[1])
    if len(start) == 1:
        label_names = ["score"]
    gains: dict[object, Floats] = {}
    questions: dict[object, str] = {}
    for member in used(members):
        rule = member.hypothesis
        if _has_leaves(member):
            *others, (_, base) = _leaves(member, schema)
        else:
            base, others = member.steps[0], [(rule.words(schema), member.steps[-1])]
        start += base
        test = rule.test if isinstance(rule, Tree) else None
        for number, (question, steps) in enumerate(others):
            which: object = (id(rule), number)
            if test is not None:
                which = test.column, test.inside.tobytes()
            gains[which] = gains.get(which, 0.0) + (steps - base)
            questions[which] = question
    lines = []
    for label, name in enumerate(label_names):
        effects = {which: gain[label] for which, gain in gains.items() if gain[label]}
        strongest = sorted(effects, key=lambda which: -abs(effects[which]))
        shown = strongest if max_display is None else strongest[:max_display]
        if shown or start[label]:
            lines.append(f"{name}: starts at {start[label]:+.3f}")
        lines += [f"    {effects[which]:+.3f}  if {questions[which]}" for which in shown]
        if len(shown) < len(strongest):
            lines.append(f"            ... and {len(strongest) - len(shown)} more")
    return "\n".join(lines)


class Entry(NamedTuple):
    """A column, or a rule that is about more than one: its name and what it adds where."""

    name: str
    span: Floats
    """(K,) by how much it can move each score."""
    places: list[list[tuple[str, float]]]
    """For each label, the values in words and what they add."""


def describe_columns(
    ensemble: Ensemble,
    schema: Schema,
    label_names: Sequence[str],
    max_display: int | None,
    by_label: bool = False,
) -> str:
    """What the scores start from and what each column adds, all its rules as one; strongest first.

    A word that is absent adds nothing: what the rules say then is part of the start.
    """
    start, entries = merge(ensemble, schema)
    if by_label:
        names = ["score"] if len(start) == 1 else label_names
        blocks = [
            _about_label(k, name, start, entries, max_display) for k, name in enumerate(names)
        ]
        return "\n".join(line for block in blocks for line in block)
    ranked = sorted(entries, key=lambda entry: -entry.span.max())
    shown = ranked if max_display is None else ranked[:max_display]
    width = max((len(entry.name) for entry in shown), default=0)
    lines = [f"starts at {_values(start, label_names)}"]
    for number, entry in enumerate(shown, start=1):
        head = f"{number:4d}. {entry.name:<{width}}  "
        if len(start) == 1:
            lines.append(_wrapped(head, entry.places[0]))
            continue
        lines.append(head.rstrip())
        for k in np.argsort(-entry.span, kind="stable")[:MAX_LABELS].tolist():
            if entry.span[k]:
                lines.append(_wrapped(f"          {label_names[k]}: ", entry.places[k]))
    if len(shown) < len(ranked):
        lines.append(f"      ... and {len(ranked) - len(shown)} more")
    return "\n".join(lines)


def merge(ensemble: Ensemble, schema: Schema) -> tuple[Floats, list[Entry]]:
    """(K,) what the scores start from, and an entry for everything that can move them."""
    start, shapes = shapes_of(ensemble.compiled, schema)
    labels = range(len(start))
    entries = [Entry(s.name, s.span, [s.pieces(k) for k in labels]) for s in shapes]
    for member in ensemble.members:
        if not is_simple(member.hypothesis):
            pairs = [("yes", member.steps[-1]), ("no", member.steps[0])]
            if _has_leaves(member):
                pairs = _leaves(member, schema)
            places = [[(word, float(step[k])) for word, step in pairs] for k in labels]
            span = np.ptp(member.steps, axis=0)
            entries.append(Entry(member.hypothesis.words(schema), span, places))
    for entry in entries:
        for k in labels:
            if not entry.span[k]:  # the same for all rows
                start[k] += entry.places[k][0][1]
    return start, [entry for entry in entries if entry.span.any()]


def _about_label(
    k: int, name: str, start: Floats, entries: list[Entry], max_display: int | None
) -> list[str]:
    ranked = sorted((e for e in entries if e.span[k]), key=lambda entry: -entry.span[k])
    if not ranked and not start[k]:
        return []
    shown = ranked if max_display is None else ranked[:max_display]
    width = max((len(entry.name) for entry in shown), default=0)
    lines = [f"{name}: starts at {start[k]:+.3f}"]
    lines += [_wrapped(f"    {entry.name:<{width}}  ", entry.places[k]) for entry in shown]
    if len(shown) < len(ranked):
        lines.append(f"    ... and {len(ranked) - len(shown)} more")
    return lines


def _wrapped(head: str, places: list[tuple[str, float]]) -> str:
    """One entry, over several lines where it is long."""
    lines, indent = [head], " " * min(len(head), WIDTH // 2)
    for number, (words, value) in enumerate(places, start=1):
        piece = f"{words} {value:+.3f}" + (";" if number < len(places) else "")
        if number > 1 and len(lines[-1]) + len(piece) > WIDTH:
            lines.append(indent)
        lines[-1] += piece + " "
    return "\n".join(line.rstrip() for line in lines)


def _values(values: Floats, label_names: Sequence[str]) -> str:
    """One number, or the strongest labels with theirs."""
    if len(values) == 1:
        return f"{values[0]:+.3f}"
    strongest = np.argsort(-np.abs(values), kind="stable")[:MAX_LABELS]
    text = ", ".join(f"{label_names[k]} {values[k]:+.3f}" for k in strongest)
    return text if len(values) <= MAX_LABELS else text + ", ..."

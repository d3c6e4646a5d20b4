"""A model as readable text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, cast

import numpy as np

from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Tree
from underdog.hypotheses.rule import Conjunction
from underdog.hypotheses.tree import path_in_words
from underdog.model.alternating import AlternatingTree
from underdog.model.compiled import is_simple
from underdog.model.ensemble import Ensemble
from underdog.model.lines import (
    HEAD,
    alternating_lines,
    baseline_lines,
    hanging,
    label_lines,
    more_line,
    nested_lines,
    strongest_labels,
)
from underdog.model.nested import Branch, branches
from underdog.model.pairs import pair_lines
from underdog.model.shapes import shapes_of
from underdog.model.writing import INDENT, WIDTH, broken, flowing, score_format, shortened
from underdog.types import Floats


def used(members: Sequence[Member]) -> Sequence[Member]:
    """Those that add something to the score; all if none does."""
    return [member for member in members if member.size > 0.0] or members


class Answer(NamedTuple):
    """A question of a rule, or a leaf of a tree, and what is added to each score."""

    rule: int
    """Its number, from 1."""
    question: str
    yes: Floats
    """(K,)."""
    no: Floats | None
    """(K,); None for a leaf, where other leaves say what is added elsewhere."""


def answers(
    members: Sequence[Member],
    schema: Schema,
    max_display: int | None = None,
    speaking: bool = False,
) -> list[Answer]:
    """What the rules that add something say, in the order in which they were found.

    With `speaking` a rule that abstains tells only where it does not.
    """
    found = []
    for number, member in enumerate(used(members)[:max_display], start=1):
        if _has_leaves(member):
            found += [Answer(number, path, step, None) for path, step in _leaves(member, schema)]
        else:
            found.append(_question(number, member, schema, speaking))
    return found


def _question(number: int, member: Member, schema: Schema, speaking: bool) -> Answer:
    """What a rule asks and adds."""
    rule = Conjunction.of(member.hypothesis) if speaking else None
    if rule is not None:
        return Answer(number, path_in_words(rule.path, schema), member.steps[rule.block], None)
    no = member.steps[0] if len(member.steps) == 2 else None
    return Answer(number, member.hypothesis.words(schema), member.steps[-1], no)


def describe(
    ensemble: Ensemble, schema: Schema, label_names: Sequence[str], max_display: int | None
) -> str:
    """The rules: the question of each, and what is added to the score for either answer.

    Alternating trees are nested tests, numbered by their rounds. Other trees are nested conditions,
    with what is added in each of their leaves; after them come the columns that are on one path.
    With several scores there is a line for each of them, in the order of the labels.
    """
    members, start = ensemble.members, ensemble.start
    alternating = AlternatingTree.from_members(used(members), start, max_display)
    if alternating is not None and alternating.is_deep:
        nested = alternating_lines(alternating, schema, label_names)
        return "\n".join(nested + more_line(len(used(members)), max_display, " " * HEAD))
    told = answers(members, schema, max_display, speaking=True)
    lines: list[str] = []
    if told:
        spec = score_format(_numbers(told))
        one = len(told[0].yes) == 1
        names = None if one else label_names
        trees = [branches(member, schema) for member in used(members)[:max_display]]
        lines = _rules(told, trees, names, spec)
        lines[:0] = baseline_lines(start, names, spec)
    lines += more_line(len(used(members)), max_display, " " * HEAD)
    return "\n".join(lines + pair_lines(ensemble, schema))


def _numbers(told: Sequence[Answer]) -> list[float]:
    """Everything that is added somewhere."""
    steps = [step for answer in told for step in (answer.yes, answer.no) if step is not None]
    return [value for step in steps for value in step.tolist()]


def _rules(
    told: Sequence[Answer],
    trees: Sequence[list[Branch] | None],
    label_names: Sequence[str] | None,
    spec: str,
) -> list[str]:
    """The lines of each rule after its number; label_names is None if there is one score."""
    rules = [list(group) for _, group in groupby(told, key=lambda answer: answer.rule)]
    common = _width([rule[0] for rule in rules if len(rule) == 1], spec)
    lines = []
    for rule, tree in zip(rules, trees, strict=True):
        if tree is not None:
            own = nested_lines(tree, label_names, spec)
        elif label_names is None:
            own = _one_score(rule, common if len(rule) == 1 else _width(rule, spec), spec)
        else:
            own = _several_scores(rule, label_names, spec)
        lines += hanging(f"{rule[0].rule:4d}. ", own)
    return lines


def _one_score(rule: Sequence[Answer], width: int, spec: str) -> list[str]:
    """A line for each question, questions and numbers in columns."""
    lines = []
    for answer in rule:
        *first, last = broken(answer.question, width)
        lines += [*first, f"{last:<{width}}  {_tail(answer, 0, spec)}"]
    return lines


def _width(column: Sequence[Answer], spec: str) -> int:
    """Of a column of questions with numbers beside it."""
    questions = max((len(answer.question) for answer in column), default=0)
    tails = max((len(_tail(answer, 0, spec)) for answer in column), default=0)
    return min(questions, WIDTH - HEAD - 2 - tails)


def _several_scores(rule: Sequence[Answer], label_names: Sequence[str], spec: str) -> list[str]:
    """The question, and below it a line for each score."""
    lines = []
    for answer in rule:
        lines += broken(answer.question, WIDTH - HEAD)
        told_labels = {k: _tail(answer, k, spec) for k in _told_labels(answer)}
        lines += label_lines(told_labels, label_names, "    ")
    return lines


def _tail(answer: Answer, label: int, spec: str) -> str:
    """What is added where the answer is yes, and else."""
    text = f"{answer.yes[label]:{spec}}"
    return text if answer.no is None else f"{text}   else {answer.no[label]:{spec}}"


def _told_labels(answer: Answer) -> list[int]:
    """The labels of which a rule tells."""
    both = [answer.yes] if answer.no is None else [answer.yes, answer.no]
    return strongest_labels(np.abs(both).max(axis=0))


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


def describe_labels(
    ensemble: Ensemble, schema: Schema, label_names: Sequence[str], max_display: int | None
) -> str:
    """For each label what its score starts from, and what each question adds; strongest first.

    The start is what all rules say where the answer is no, or in the last leaf of a tree. Stumps
    that ask the same question are one. Labels and questions without effect are not shown.
    """
    members, start = ensemble.members, ensemble.start.copy()
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
    spec = score_format([*start, *(value for gain in gains.values() for value in gain)])
    lines = []
    for label, name in enumerate(label_names):
        effects = {which: gain[label] for which, gain in gains.items() if gain[label]}
        strongest = sorted(effects, key=lambda which: -abs(effects[which]))
        if strongest or start[label]:
            lines.append(f"{name}: baseline {start[label]:{spec}}")
        for which in strongest[:max_display]:
            head = f"    {effects[which]:{spec}}  if "
            lines += hanging(head, broken(questions[which], WIDTH - len(head)))
        lines += more_line(len(strongest), max_display, " " * 12)
    return "\n".join(lines)


class Entry(NamedTuple):
    """A column, or a rule that is about more than one: its name and what it adds where."""

    name: str
    span: Floats
    """(K,) by how much it can move each score."""
    places: list[list[tuple[str, float]]]
    """For each label, the values in words and what they add."""
    tree: list[Branch] | None = None
    """The nested conditions of a tree."""


def describe_columns(
    ensemble: Ensemble,
    schema: Schema,
    label_names: Sequence[str],
    max_display: int | None,
    by_label: bool = False,
) -> str:
    """What the scores start from and what each column adds, all its rules as one; strongest first.

    A word that is absent adds nothing: what the rules say then is part of the start. Trees are
    nested conditions, as in `describe`.
    """
    start, entries = merge(ensemble, schema)
    added = [value for entry in entries for label in entry.places for _, value in label]
    spec = score_format([*start, *added])
    if by_label:
        names = ["score"] if len(start) == 1 else label_names
        blocks = [
            _about_label(k, name, start, entries, max_display, spec) for k, name in enumerate(names)
        ]
        return "\n".join(line for block in blocks for line in block)
    ranked = sorted(entries, key=lambda entry: -entry.span.max())
    shown = ranked[:max_display]
    columns = [entry.name for entry in shown if entry.tree is None]
    width = min(max(map(len, columns), default=0), INDENT - HEAD - 2)
    if len(start) == 1:
        lines = [f"baseline {start[0]:{spec}}"]
    else:
        told = {k: f"{start[k]:{spec}}" for k in strongest_labels(np.abs(start))}
        lines = ["baseline", *label_lines(told, label_names)]
    for number, entry in enumerate(shown, start=1):
        head = f"{number:4d}. {entry.name:<{width}}  "
        if entry.tree is not None:
            of_labels = None if len(start) == 1 else label_names
            lines += hanging(f"{number:4d}. ", nested_lines(entry.tree, of_labels, spec))
        elif len(start) == 1:
            lines += flowing(head, _pieces(entry, 0, spec))
        else:
            lines += [head.rstrip(), *_about_entry(entry, label_names, spec)]
    lines += more_line(len(ranked), max_display, " " * HEAD)
    return "\n".join(lines + pair_lines(ensemble, schema))


def _about_entry(entry: Entry, label_names: Sequence[str], spec: str) -> list[str]:
    """What a column adds to each score that it moves."""
    moved = [k for k in strongest_labels(entry.span) if entry.span[k]]
    names = {k: f"{shortened(label_names[k])}:" for k in moved}
    width = max(map(len, names.values()))
    lines = []
    for k, name in names.items():
        lines += flowing(f"          {name:<{width}} ", _pieces(entry, k, spec))
    return lines


def merge(ensemble: Ensemble, schema: Schema) -> tuple[Floats, list[Entry]]:
    """(K,) what the scores start from, and an entry for everything that can move them."""
    start, shapes = shapes_of(ensemble.compiled, schema)
    labels = range(len(start))
    entries = [Entry(s.title, s.span, [s.pieces(k) for k in labels]) for s in shapes]
    for member in ensemble.members:
        if not is_simple(member.hypothesis):
            pairs = [("yes", member.steps[-1]), ("no", member.steps[0])]
            if _has_leaves(member):
                pairs = _leaves(member, schema)
            places = [[(word, float(step[k])) for word, step in pairs] for k in labels]
            span = np.ptp(member.steps, axis=0)
            tree = branches(member, schema)
            entries.append(Entry(member.hypothesis.words(schema), span, places, tree))
    for entry in entries:
        for k in labels:
            if not entry.span[k]:  # the same for all rows
                start[k] += entry.places[k][0][1]
    return start, [entry for entry in entries if entry.span.any()]


def _about_label(
    k: int, name: str, start: Floats, entries: list[Entry], max_display: int | None, spec: str
) -> list[str]:
    ranked = sorted((e for e in entries if e.span[k]), key=lambda entry: -entry.span[k])
    if not ranked and not start[k]:
        return []
    shown = ranked[:max_display]
    width = min(max((len(entry.name) for entry in shown), default=0), INDENT - 6)
    lines = [f"{name}: baseline {start[k]:{spec}}"]
    for entry in shown:
        lines += flowing(f"    {entry.name:<{width}}  ", _pieces(entry, k, spec))
    return lines + more_line(len(ranked), max_display, " " * 4)


def _pieces(entry: Entry, label: int, spec: str) -> list[str]:
    """Values in words, and what each adds to the score of a label."""
    return [f"{words} {value:{spec}}" for words, value in entry.places[label]]

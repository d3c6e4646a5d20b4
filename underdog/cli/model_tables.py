"""The rules and columns of a model as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from underdog.cli.screen import Paragraph
from underdog.cli.tables import GAP, WIDEST, table
from underdog.core import Member
from underdog.data import Schema
from underdog.estimators.support.blended import Blended
from underdog.estimators.support.editing import edit_notes
from underdog.frames.errors import counted
from underdog.inspection.columns import Shapes
from underdog.inspection.members import Rules
from underdog.inspection.pairs import Interactions
from underdog.inspection.rows import Contributions
from underdog.inspection.unwrap import UnwrappedModel
from underdog.inspection.words import by_label
from underdog.model import answers, used
from underdog.model.alternating import AlternatingTree
from underdog.model.linear_part import describe_linear
from underdog.model.median import MedianEnsemble
from underdog.model.nested import Branch, branches
from underdog.model.shapes import Shape
from underdog.model.writing import shortened
from underdog.types import Floats

MAX_CLASSES = 8
"""Classes that are shown of a rule or column; of more, those whose scores it moves most."""
LONGEST_NAME = 28
"""Characters of the name of a class beside its numbers."""
NARROWEST = 16
"""Characters of a text in a line; if there is no room for them, each class has its own line."""
MOST_DECIMALS = 6
"""Of numbers that are all small, such as the coefficients of linear programmes."""
DIGITS = 6
"""Of large numbers, such as predicted prices."""
BASELINE, TOTAL = "baseline", "total"


def introduction(explained: UnwrappedModel, decision: str = "") -> list[Any]:
    """The algorithm, its number of rules, and how the model predicts."""
    count = len(Rules(explained))
    rules = counted(count, "rule")
    name, labels = type(explained.booster).__name__, explained.labels
    meaning = f"Each rule {_what_rules_do(explained)}."
    meaning += f" The model {decision}." if decision else ""
    if len(labels) > MAX_CLASSES:
        those = f"{MAX_CLASSES} of {len(labels)} {explained.booster._labels.noun}"
        plural = "es" if those.endswith("s") else "s"
        meaning += f" Only the {those}{plural} that change most are shown."
    return [
        Paragraph(f"{name} with {rules} ({explained.booster.stop_reason_})"),
        Paragraph(meaning),
        *map(Paragraph, edit_notes(explained.booster.edits_)),
        "",
    ]


def _what_rules_do(explained: UnwrappedModel) -> str:
    labels, start = explained.labels, explained.booster.model_.start
    if not explained.is_regressor:
        noun = explained.booster._labels.noun
        score = f"the score of {labels[0]!r}" if len(labels) == 1 else f"the score of each {noun}"
        return f"adds to {score}"
    write = signed_like([start])
    *first, last = (write(value).removeprefix("+") for value in start.tolist())
    if not first:
        if isinstance(explained.booster.model_, MedianEnsemble):
            return f"predicts {last} and what it adds; the weighted median is the prediction"
        return f"adds to the {labels[0]}, which starts from {last}"
    return f"adds to the quantiles, which start from {', '.join(first)} and {last}"


def has_trees(explained: UnwrappedModel) -> bool:
    """Whether rules are added that ask about several columns."""
    added = not isinstance(explained.booster.model_, MedianEnsemble)
    return added and explained.has_columns and not explained.has_shapes


def summary_tables(explained: UnwrappedModel, max_display: int) -> list[Any]:
    """What matters in a model of trees: its columns by importance, and the linear model of a blend.

    Each table is followed by an empty line.
    """
    booster, schema = explained.booster, explained.schema
    parts: list[Any] = []
    ranked = list(importances(explained).items())
    if ranked:
        rows = [[shortened(name, 2 * LONGEST_NAME), f"{share:.3f}"] for name, share in ranked]
        parts.append(table(["column", "importance"], rows[:max_display], texts=(0,)))
        if len(ranked) > max_display:
            parts.append(f"... and {counted(len(ranked) - max_display, 'more column')}")
        parts.append("")
    if isinstance(booster, Blended) and (linear := booster.linear_members):
        names = explained.labels if len(explained.labels) > 1 else None
        weight = booster.blend_["weight"]
        parts.append(f"Linear model, with a weight of {weight:g}; strongest columns first")
        parts += [*describe_linear(linear, schema, names, max_display), ""]
    return parts


def importances(explained: UnwrappedModel) -> dict[str, float]:
    """The columns that matter, the most important first."""
    shares = explained.booster.feature_importances_
    order = np.argsort(-shares, kind="stable")[: np.count_nonzero(shares)].tolist()
    return {explained.schema.name(j): float(shares[j]) for j in order}


def rules_tables(found: Rules, max_display: int, remedy: str = "--max-display") -> list[Any]:
    """The rules in the order in which they were found: what they add to the score of each class."""
    rules = used(found.explained.booster._shown.members)
    labels, schema = found.explained.labels, found.explained.schema
    several = len(labels) > 1
    start = found.explained.booster.model_.start
    alternating = AlternatingTree.from_members(rules, start, max_display)
    trees = all(branches(member, schema) is not None for member in rules[:max_display])
    shown_rules = list(enumerate((list(_answers(each, schema)) for each in rules[:max_display]), 1))
    if alternating is not None and alternating.is_deep:
        trees = True
        shown_rules = [
            (number, [(_indented(side), side.step, None) for side in sides])
            for number, sides in alternating.groups(schema)
        ]
    signed = signed_like(step for _, rule in shown_rules for _, *steps in rule for step in steps)
    rows: list[list[str]] = []
    root = alternating.nodes[0].value if trees and alternating is not None else start
    if not found.explained.is_regressor and root.any():
        shown_rules.insert(0, (0, [(BASELINE, root, None)]))
    for number, rule in shown_rules:
        for place, (question, *steps) in enumerate(rule):
            yes, no = (_by_label(labels, step) for step in steps)
            shown = _strongest(labels, yes, no)
            added = [
                "\n".join(signed(each[label]) for label in shown) if each else ""
                for each in (yes, no)
            ]
            names = [_names(shown) if yes else ""] if several else []
            first = f"{number}." if place == 0 and number else ""
            rows.append([first, question, *names, *(added[:1] if trees else added)])
    adds = ["adds"] if trees else ["if true", "if false"]
    noun = found.explained.booster._labels.noun
    head = ["", "rule", *([noun] if several else []), *adds]
    made = table(head, rows, texts=(1,), names=(2,) if several else ())
    return [made, *_more(rules, max_display, remedy)]


def _answers(member: Member, schema: Schema) -> Iterator[tuple[str, Floats | None, Floats | None]]:
    """A question and what is added for either answer; of a tree, its nested conditions."""
    tree = branches(member, schema)
    if tree is None:
        yield from ((told.question, told.yes, told.no) for told in answers([member], schema))
    else:
        yield from ((_indented(branch), branch.step, None) for branch in tree)


def _indented(branch: Branch) -> str:
    return "  " * branch.depth + branch.head + branch.words


def _by_label(labels: Sequence[str], step: Floats | None) -> dict[str, float]:
    return {} if step is None else by_label(labels, step)


def _names(labels: Iterable[str]) -> str:
    """One in each line, so that numbers stand beside them: they must not be broken."""
    return "\n".join(shortened(label, LONGEST_NAME) for label in labels)


def signed_like(values: Iterable[Floats | None]) -> Callable[[float], str]:
    """A function that writes numbers like these: three decimals, or more if all of them are small.

    Large ones have fewer. A number that would be rounded to nothing is written with three
    significant digits.
    """
    sizes = (float(np.abs(each).max(initial=0.0)) for each in values if each is not None)
    largest = max(sizes, default=0.0)
    power = math.floor(math.log10(largest)) if largest else 0
    decimals = 3 if -1 <= power <= 2 else min(2 - power, MOST_DECIMALS)
    if power > 2:
        decimals = max(DIGITS - 1 - power, 0)

    def write(value: float) -> str:
        rounded_away = 0.0 < abs(value) < 10.0**-decimals
        return f"{value:+.3g}" if rounded_away else f"{value:+z,.{decimals}f}"

    return write


def _strongest(labels: Sequence[str], *added: dict[str, float]) -> list[str]:
    """The classes to show, in their own order: of those that are moved, the ones moved most."""
    size = {label: max(abs(each.get(label, 0.0)) for each in added) for label in labels}
    chosen = sorted(labels, key=lambda label: -size[label])[:MAX_CLASSES]
    moved = [label for label in labels if label in chosen and size[label]]
    return moved or [label for label in labels if label in chosen]


def columns_tables(found: Shapes, max_display: int, width: int) -> list[Any]:
    """What each column adds to the scores, one interval or set of levels per line."""
    labels, shown = found.explained.labels, found.each[:max_display]
    more = _more(found.each, max_display)
    signed = signed_like([found.start, *(shape.table for shape in shown)])
    rows = [["", BASELINE, "", *map(signed, found.start.tolist())]]
    for number, shape in enumerate(shown, start=1):
        first = [f"{number}.", shape.title]
        for words, added in steps_of(shape):
            rows.append([*first, words, *map(signed, added.tolist())])
            first = ["", ""]
    if len(labels) == 1:
        return [table(["", "column", "value", "adds"], rows, (1, 2)), *more]
    numbers = [str(number) for number in range(1, len(labels) + 1)]
    if len(labels) > MAX_CLASSES or not _fits(rows, numbers, width, NARROWEST):
        head = ["", "column", "value", found.explained.booster._labels.noun, "adds"]
        return [table(head, _by_class(found, shown, signed), (1, 2), names=(3,)), *more]
    if _fits(rows, labels, width, WIDEST):
        return [table(["", "column", "value", *labels], rows, (1, 2)), *more]
    noun = found.explained.booster._labels.noun
    legend = [f"{noun} {number}: {label}" for number, label in zip(numbers, labels, strict=True)]
    return [*legend, table(["", "column", "value", *numbers], rows, (1, 2)), *more]


def _fits(rows: Sequence[Sequence[str]], labels: Sequence[str], width: int, text: int) -> bool:
    """Whether there is room for so many characters of each text, and the numbers below labels."""
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = [max(len(label), size) for label, size in zip(labels, sizes[3:], strict=True)]
    texts = [min(size, text) for size in sizes[:3]]
    return sum(texts) + sum(numbers) + GAP * (2 + len(numbers)) <= width


def _by_class(
    found: Shapes, shown: Sequence[Shape], signed: Callable[[float], str]
) -> list[list[str]]:
    """The same with one line per class."""
    labels = found.explained.labels
    entries: list[tuple[str, str, list[tuple[str, Floats]]]] = [
        ("", BASELINE, [("", found.start)]),
        *((f"{n}.", shape.title, steps_of(shape)) for n, shape in enumerate(shown, start=1)),
    ]
    rows = []
    for number, name, steps in entries:
        first = [number, name]
        for words, values in steps:
            added = dict(zip(labels, values.tolist(), strict=True))
            names = _strongest(labels, added)
            numbers = "\n".join(signed(added[name]) for name in names)
            rows.append([*first, words, _names(names), numbers])
            first = ["", ""]
    return rows


def steps_of(shape: Shape) -> list[tuple[str, Floats]]:
    """Values in words, and what they add to each score; neighbours that add the same are one."""
    distinct, numbers = np.unique(shape.table, axis=0, return_inverse=True)
    places = numbers.astype(np.float64).reshape(-1, 1)
    numbered = replace(shape, values=places[:-1], missing=places[-1])
    return [(words, distinct[int(number)]) for words, number in numbered.pieces(0)]


def pairs_tables(found: Interactions, max_display: int) -> list[Any]:
    """The columns that matter together; nothing if no rule asks about two."""
    if not found.each:
        return []
    head, rows = found.cells(max_display)
    made = table(head, rows, texts=tuple(range(len(head) - 2)))
    return ["", Paragraph(f"{found.headline}:"), made, *_more(found.each, max_display)]


def contribution_tables(why: Contributions, labels: list[int], max_display: int) -> list[Any]:
    """What the columns or rules add to the scores of the only row, and the totals.

    `labels` are the positions of one class, of the predicted class and the next, or of quantiles.
    """
    own, base = why.values[0][:, labels], why.base[labels]
    numeric = why.explained.is_regressor
    size = (
        np.abs(own[:, 0] - own[:, 1] if len(labels) == 2 and not numeric else own)
        .reshape(len(own), -1)
        .max(axis=1, initial=0.0)
    )
    order = np.argsort(-size, kind="stable")
    order = order[np.any(own[order] != 0.0, axis=1)]
    signed = signed_like([base, own, why.scores[0, labels]])
    rows = [[*map(signed, base.tolist()), BASELINE]] if base.any() else []
    rows += [[*map(signed, own[u].tolist()), why.words(0, u)] for u in order[:max_display]]
    rest = own[order[max_display:]]
    if len(rest):
        rows.append([*map(signed, rest.sum(axis=0).tolist()), f"{len(rest):,} more"])
    rows.append([*map(signed, why.scores[0, labels].tolist()), TOTAL])
    if len(labels) == 1:
        name = why.labels[labels[0]]
        title = f"{name}:" if numeric else f"score of {name!r}:"
        return [title, table(["", ""], rows, texts=(1,))]
    if numeric:
        names = [why.labels[label] for label in labels]
        return [table([*names, ""], rows, texts=(len(labels),))]
    one, other = (why.labels[label] for label in labels)
    title = f"scores of {one!r} (predicted) and {other!r} (next), largest differences first:"
    return [Paragraph(title), table(["predicted", "next", ""], rows, texts=(2,))]


def _more(found: Sequence[Any], max_display: int, remedy: str = "--max-display") -> list[str]:
    more = len(found) - max_display
    return [f"... and {more:,} more ({remedy} shows them)"] if more > 0 else []

"""Rules as an HTML table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from underdog.data import Schema
from underdog.model import markup
from underdog.model.alternating import AlternatingTree
from underdog.model.describe import answers, used
from underdog.model.ensemble import Ensemble
from underdog.model.lines import strongest_labels
from underdog.model.nested import branches
from underdog.model.writing import score_format
from underdog.types import Floats

INDENT = "\N{NO-BREAK SPACE}" * 4
"""Before a condition, for each split above it."""


class Line(NamedTuple):
    """The texts of a table row, and what is added; nothing where other splits are below."""

    head: str
    words: str
    yes: Floats | None
    """(K,)."""
    no: Floats | None = None
    """(K,); None where another row says what is added otherwise."""


def rules_table(
    ensemble: Ensemble,
    schema: Schema,
    label_names: Sequence[str],
    max_display: int,
    noun: str = "class",
) -> str:
    """The baseline and the first rules; trees are nested, as in `describe`.

    With several scores there is a table row for each of them, and a column with this noun.
    """
    lines = list(_lines(ensemble, schema, max_display))
    told = [step for each in lines for step in (each.yes, each.no) if step is not None]
    spec = score_format([value for step in told for value in step.tolist()])
    several = len(ensemble.start) > 1
    has_else = any(line.no is not None for line in lines)
    head = ["", "rule", *[noun] * several, "adds", *["else"] * has_else]
    rows = []
    for line in lines:
        texts = [line.head, line.words]
        if line.yes is None:
            rows.append(texts + [""] * (len(head) - 2))
            continue
        steps = [line.yes] if line.no is None else [line.yes, line.no]
        for k in strongest_labels(np.abs(steps).max(axis=0)):
            numbers = [f"{step[k]:{spec}}" for step in steps]
            row = [*texts, *[label_names[k]] * several, *numbers]
            rows.append(row + [""] * (len(head) - len(row)))
            texts = ["", ""]
    return markup.table(head, rows, 3 if several else 2)


def _lines(ensemble: Ensemble, schema: Schema, max_display: int) -> Iterator[Line]:
    members = used(ensemble.members)
    tree = AlternatingTree.from_members(members, ensemble.start, max_display)
    nested = tree is not None and tree.is_deep
    start = tree.nodes[0].value if tree is not None and nested else ensemble.start
    if start.any():
        yield Line("", "baseline", start)
    if tree is not None and nested:
        for number, sides in tree.groups(schema):
            for place, side in enumerate(sides):
                words = INDENT * side.depth + side.head + side.words
                yield Line("" if place else f"{number}.", words, side.step)
        return
    for number, member in enumerate(members[:max_display], start=1):
        head = f"{number}."
        own = branches(member, schema)
        for branch in own or ():
            yield Line(head, INDENT * branch.depth + branch.words, branch.step)
            head = ""
        for answer in answers([member], schema, speaking=True) if own is None else ():
            yield Line(head, answer.question, answer.yes, answer.no)
            head = ""

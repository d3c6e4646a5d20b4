"""Lines of text about rules: nested conditions, and a line for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.data import Schema
from underdog.model.alternating import MISSING_LEFT_OUT, AlternatingTree
from underdog.model.nested import Branch
from underdog.model.writing import WIDTH, broken, score_format, shortened
from underdog.types import Floats

MAX_LABELS = 8
"""Classes or labels of which a rule or a column tells; of more, those that it moves most."""
HEAD, LABELS = 6, 10
"""Width of the number of a rule, and of the margin of labels."""


def baseline_lines(start: Floats, label_names: Sequence[str] | None, spec: str) -> list[str]:
    """What the scores start from; nothing if it is 0."""
    if not start.any():
        return []
    if label_names is None:
        return [f"baseline {start[0]:{spec}}"]
    starts = {k: f"{start[k]:{spec}}" for k in strongest_labels(np.abs(start))}
    return ["baseline", *label_lines(starts, label_names)]


def alternating_lines(
    tree: AlternatingTree, schema: Schema, label_names: Sequence[str]
) -> list[str]:
    """The lines of an alternating tree: tests below the sides of other tests."""
    root, names = tree.nodes[0].value, None if len(tree.nodes[0].value) == 1 else label_names
    spec = score_format([value for node in tree.nodes for value in node.value.tolist()])
    groups = tree.groups(schema)
    width = max(_room(own, spec) for _, own in groups)
    lines = baseline_lines(root, names, spec)
    for number, own in groups:
        lines += hanging(f"{number:4d}. ", nested_lines(own, names, spec, width))
    return [*lines, MISSING_LEFT_OUT] if tree.leaves_out_missing else lines


def nested_lines(
    tree: Sequence[Branch],
    label_names: Sequence[str] | None,
    spec: str,
    width: int | None = None,
) -> list[str]:
    """The conditions of a tree, each below the one that must also be so."""
    width = _room(tree, spec) if width is None else width
    lines = []
    for branch in tree:
        head, step = _margin(branch), branch.step
        margin = " " * len(head)
        if step is None or label_names is not None:
            lines += hanging(head, broken(branch.words, WIDTH - HEAD - len(margin)))
        else:
            *first, last = hanging(head, broken(branch.words, width - len(margin)))
            lines += [*first, f"{last:<{width}}  {step[0]:{spec}}"]
        if step is not None and label_names is not None:
            told = {k: f"{step[k]:{spec}}" for k in strongest_labels(np.abs(step))}
            lines += label_lines(told, label_names, f"{margin}    ")
    return lines


def _room(tree: Sequence[Branch], spec: str) -> int:
    """The width of the conditions of a tree with numbers beside them."""
    ends = [branch for branch in tree if branch.step is not None]
    widest = max(len(_margin(branch)) + len(branch.words) for branch in ends)
    numbers = [f"{branch.step[0]:{spec}}" for branch in ends if branch.step is not None]
    return min(widest, WIDTH - HEAD - 2 - max(map(len, numbers)))


def _margin(branch: Branch) -> str:
    """What stands before a condition: below others it is indented, after their numbers."""
    return " " * (2 * branch.depth + len(branch.head) * max(branch.depth - 1, 0)) + branch.head


def hanging(head: str, texts: Sequence[str]) -> list[str]:
    """Lines after a head, the later ones below the first."""
    return [(head if not number else " " * len(head)) + text for number, text in enumerate(texts)]


def strongest_labels(size: Floats) -> list[int]:
    """The labels to tell of, in their own order: those with the largest numbers, but no zeros."""
    largest = np.argsort(-size, kind="stable")[:MAX_LABELS].tolist()
    return sorted([label for label in largest if size[label]] or largest)


def label_lines(
    told: dict[int, str], label_names: Sequence[str], margin: str = " " * LABELS
) -> list[str]:
    """A line for each label, names and texts in columns."""
    names = {k: shortened(label_names[k]) for k in told}
    width = max(map(len, names.values()), default=0)
    lines = [f"{margin}{names[k]:<{width}}  {text}" for k, text in told.items()]
    more = len(label_names) - len(told)
    return [*lines, f"{margin}... and {more} more"] if len(told) == MAX_LABELS and more else lines


def more_line(count: int, max_display: int | None, indent: str) -> list[str]:
    """How many are not shown, if any."""
    shown = count if max_display is None else min(max_display, count)
    return [f"{indent}... and {count - shown} more"] if shown < count else []

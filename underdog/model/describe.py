"""A model as readable text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Constant
from underdog.types import Floats

MOST_LABELS = 4


def used(members: Sequence[Member]) -> Sequence[Member]:
    """Those that add something to the score; all if none does."""
    return [member for member in members if member.size > 0.0] or members


def describe(
    members: Sequence[Member], schema: Schema, label_names: Sequence[str], most: int | None
) -> str:
    """One line per rule: the question, and what is added to the score for either answer."""
    members = used(members)
    shown = members if most is None else members[:most]
    questions = [member.hypothesis.words(schema) for member in shown]
    width = max((len(question) for question in questions), default=0)
    lines = []
    for number, (member, question) in enumerate(zip(shown, questions, strict=True), start=1):
        false, true = member.steps
        text = f"{number:4d}. {question:<{width}}  {_values(true, label_names)}"
        if not isinstance(member.hypothesis, Constant):
            text += f"   else {_values(false, label_names)}"
        lines.append(text)
    if len(shown) < len(members):
        lines.append(f"      ... and {len(members) - len(shown)} more")
    return "\n".join(lines)


def describe_labels(
    members: Sequence[Member], schema: Schema, label_names: Sequence[str], most: int | None
) -> str:
    """For each label what its score starts from, and what each question adds; strongest first.

    Rules that ask the same question are one. Labels and questions without effect are not shown.
    """
    start = np.zeros(members[0].steps.shape[1])
    if len(start) == 1:
        label_names = ["score"]
    gains: dict[str, Floats] = {}
    for member in used(members):
        false, true = member.steps
        if isinstance(member.hypothesis, Constant):
            start += true
            continue
        question = member.hypothesis.words(schema)
        start += false
        gains[question] = gains.get(question, 0.0) + (true - false)
    lines = []
    for label, name in enumerate(label_names):
        effects = {question: gain[label] for question, gain in gains.items() if gain[label]}
        strongest = sorted(effects, key=lambda question: -abs(effects[question]))
        shown = strongest if most is None else strongest[:most]
        if shown or start[label]:
            lines.append(f"{name}: starts at {start[label]:+.3f}")
        lines += [f"    {effects[question]:+.3f}  if {question}" for question in shown]
        if len(shown) < len(strongest):
            lines.append(f"            ... and {len(strongest) - len(shown)} more")
    return "\n".join(lines)


def _values(values: Floats, label_names: Sequence[str]) -> str:
    """One number, or the strongest labels with theirs."""
    if len(values) == 1:
        return f"{values[0]:+.3f}"
    strongest = np.argsort(-np.abs(values), kind="stable")[:MOST_LABELS]
    text = ", ".join(f"{label_names[k]} {values[k]:+.3f}" for k in strongest)
    return text if len(values) <= MOST_LABELS else text + ", ..."

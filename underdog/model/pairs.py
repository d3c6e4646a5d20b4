"""Pairs of columns of a model with trees as text."""

from __future__ import annotations

from underdog.data import Schema
from underdog.model.attributions import can_attribute
from underdog.model.compiled import compiles
from underdog.model.ensemble import Ensemble
from underdog.model.writing import number_format, shortened, text_table

MAX_PAIRS = 5
"""Pairs that are told."""
MARGIN = " " * 6


def pair_lines(ensemble: Ensemble, schema: Schema) -> list[str]:
    """The columns that matter most together, if there are any: see `Pair`."""
    if compiles(ensemble.members) or not can_attribute(ensemble.members):
        return []
    pairs = ensemble.attributions.pairs()
    if not pairs:
        return []
    shown = pairs[:MAX_PAIRS]
    spec = number_format([float(pair.strength.max()) for pair in shown], 3)
    rows = []
    for pair in shown:
        names = " and ".join(shortened(schema.name(column), 30) for column in pair.columns)
        rows.append([names, f"{pair.strength.max():{spec}}"])
    several = ensemble.n_labels > 1
    score = "a score" if several else "the score"
    lines = [f"pairs of columns that may interact, with the mean change of {score} (a hint):"]
    lines += [f"{MARGIN}{line}" for line in text_table(rows, texts=1)]
    more = len(pairs) - len(shown)
    return [*lines, f"{MARGIN}... and {more} more"] if more else lines

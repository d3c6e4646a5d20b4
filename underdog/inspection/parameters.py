"""The texts of parameters that several functions and displays have, each written once."""

from __future__ import annotations

import re
from textwrap import indent
from typing import TypeVar

T = TypeVar("T")

SHARED = """
**kwargs : see `plot`
ax : matplotlib axes, optional
    By default those of a new figure.
ax_ : axes in which it was drawn last
bars_ : the bars
estimator : fitted booster, or a pipeline, search or meta-estimator that contains one
figure_ : figure in which it was drawn last
feature_names : sequence of str, optional
    Names of the booster's columns, if neither the data nor a transformer has names.
label_names : sequence of str, optional
    Names of the labels, if y was an indicator matrix.
model : fitted booster, or a pipeline, search or meta-estimator that contains one
name : str, optional
    For the legend; by default the name of the estimator's class, if there is one.
pos_label : label, optional
    The positive class; by default that of the estimator, or else the last in sorted order.
scores : (n,) higher for the positive class
threshold : float, optional
    The threshold in use, which is marked. Scores above it are predicted positive.
y : (n,) labels of two classes
"""
TEXTS = {text.partition(" :")[0]: text for text in re.split(r"\n(?=\S)", SHARED.strip())}


def documented(member: T) -> T:
    """Write the texts of shared parameters where a line of a docstring has only their names."""

    def texts(line: re.Match[str]) -> str:
        margin, names = line.group(1), line.group(2).split(", ")
        if not TEXTS.keys() >= set(names):
            return line.group()
        return indent("\n".join(TEXTS[name] for name in names), margin)

    if member.__doc__:  # there are none under python -OO
        member.__doc__ = re.sub("^( +)(.+)$", texts, member.__doc__, flags=re.MULTILINE)
    return member

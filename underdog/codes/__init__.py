"""Codes: how labels become columns of -1 and +1, and how scores become labels again."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.codes.base import Code, Labels
from underdog.codes.binary import Binary
from underdog.codes.multi_label import MultiLabel
from underdog.codes.one_of_k import OneOfK
from underdog.codes.softmax import Softmax

__all__ = ["Binary", "Code", "Labels", "MultiLabel", "OneOfK", "Softmax", "choose_code"]


def choose_code(y: Any, pos_label: Any = None) -> Code:
    """The code that the target asks for: two classes, several, or several labels at once."""
    if y.ndim == 2:
        if pos_label is not None:
            raise ValueError(
                f"pos_label={pos_label!r} is for two classes, but y has a column for every label"
            )
        return MultiLabel()
    if len(np.unique(y)) <= 2:
        return Binary(pos_label)
    if pos_label is not None:
        raise ValueError(f"pos_label={pos_label!r} is for two classes, but y has more of them")
    return OneOfK()

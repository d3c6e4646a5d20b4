"""Codes, which turn labels into columns of -1 and +1, and scores into labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.codes.base import Code, Labels, Outputs
from underdog.codes.binary import Binary
from underdog.codes.grades import Grades
from underdog.codes.multi_label import MultiLabel
from underdog.codes.one_of_k import OneOfK
from underdog.codes.output_code import OutputCode
from underdog.codes.ranked import Ranked
from underdog.codes.real_values import RealValues
from underdog.codes.softmax import Softmax
from underdog.codes.thresholds import ThresholdColumns

__all__ = [
    "Binary",
    "Code",
    "Grades",
    "Labels",
    "MultiLabel",
    "OneOfK",
    "OutputCode",
    "Outputs",
    "Ranked",
    "RealValues",
    "Softmax",
    "ThresholdColumns",
    "choose_code",
]


def choose_code(y: Any, pos_label: Any = None) -> Code:
    """The code for this target: binary, multiclass or multilabel."""
    if y.ndim == 2:
        if pos_label is not None:
            raise ValueError(
                f"pos_label={pos_label!r} is for two classes, but y is an indicator matrix: leave "
                "it out"
            )
        return MultiLabel()
    if len(np.unique(y)) <= 2:
        return Binary(pos_label)
    if pos_label is not None:
        raise ValueError(
            f"pos_label={pos_label!r} is for two classes, but y has more than two: leave it out"
        )
    return OneOfK()

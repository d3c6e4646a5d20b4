"""The rows of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Data:
    """Rows of a file, and how they were read.

    Attributes
    ----------
    frame : polars DataFrame or None
        The columns; None for svmlight.
    matrix : scipy CSR matrix or None
        The features of an svmlight file; None for others.
    target : array or None
        The labels of an svmlight file, or the sub-folder of each text; None for other files, whose
        labels are one of the columns.
    source : str
        The path, or "standard input".
    format : str
        "csv", "tsv", "jsonl", "json", "xlsx", "parquet", "svmlight" or "folder".
    notes : tuple of str
        What the user should know about the file, in sentences.
    read_options : dict
        How values are written, as plain values: give it to `read` to read another file in the same
        way. "commas" maps each column whose numbers have commas to "decimal" or "thousands";
        "zero_based" says whether the indices of an svmlight file begin with 0.
    """

    frame: Any
    matrix: Any
    target: Any
    source: str
    format: str
    notes: tuple[str, ...] = ()
    read_options: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return int((self.matrix if self.frame is None else self.frame).shape[0])

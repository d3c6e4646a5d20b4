"""svmlight files: a label and the features that are not zero, a row a line."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

import numpy as np

from underdog.frames.errors import BadData
from underdog.frames.values import number_of, shown

MAX_FEATURES = 2**27


def read_svmlight(file: BinaryIO, path: str, zero_based: bool | None) -> tuple[Any, Any, bool]:
    """The CSR matrix, the labels, and whether indices begin with 0.

    If `zero_based` is None, they begin with 0 if there is a 0, else with 1.
    """
    from sklearn.datasets import load_svmlight_file  # slow to import, and few need it

    content = file.read()
    try:
        matrix, labels = load_svmlight_file(io.BytesIO(content), zero_based=True)
    except (OverflowError, ValueError) as error:
        _find_fault(content, path)
        raise BadData(f"this is not svmlight ({error})", path=path) from None
    if not len(labels):
        raise BadData("there are no rows", path=path)
    if zero_based is None:
        zero_based = not len(matrix.indices) or bool(matrix.indices.min() == 0)
    if not zero_based:
        matrix = _from_one(matrix, path)
    if matrix.shape[1] > MAX_FEATURES:
        raise BadData(
            f"the largest index is above the limit of {MAX_FEATURES:,}: number the features from 1",
            path=path,
        )
    if bool((labels == np.floor(labels)).all()) and bool((np.abs(labels) < 2**53).all()):
        labels = labels.astype(np.int64)
    return matrix, labels, zero_based


def _from_one(matrix: Any, path: str) -> Any:
    """Without the column of index 0."""
    from scipy.sparse import csr_matrix  # slow to import, and few need it

    if (matrix.indices == 0).any():
        row = int(np.searchsorted(matrix.indptr, (matrix.indices == 0).argmax(), side="right"))
        raise BadData("there is an index 0, but indices begin with 1", path=path, row=row)
    rows, columns = matrix.shape
    return csr_matrix((matrix.data, matrix.indices - 1, matrix.indptr), (rows, columns - 1))


def _find_fault(content: bytes, path: str) -> None:
    row = 0
    for number, line in enumerate(io.BytesIO(content), 1):
        label, *pairs = line.split(b"#")[0].decode(errors="replace").split() or [""]
        if not label:
            continue
        row += 1
        if number_of(label) is None:
            raise BadData(
                f"the label {shown(label)} is not a number", path=path, row=row, line=number
            )
        last = -1
        for pair in pairs:
            index, colon, value = pair.partition(":")
            if index == "qid":
                continue
            if not colon or not index.isdigit() or number_of(value) is None:
                raise BadData(
                    f"{shown(pair)} is not a feature such as 7:0.5", path=path, row=row, line=number
                )
            if int(index) <= last:
                raise BadData(
                    f"index {index} comes after {last}: indices must increase within a line",
                    path=path,
                    row=row,
                    line=number,
                )
            last = int(index)

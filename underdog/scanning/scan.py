"""`scan`: rows that are larger than memory, for fits with the same bits as in memory."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from underdog.data.columns import CategoryColumns, Coded, Columns, NumberColumns
from underdog.data.conversion import as_objects, from_sparse
from underdog.data.disk import DiskTable
from underdog.memory import available, bytes_of
from underdog.memory import memory_limit as limit_memory
from underdog.scanning import folder as folders
from underdog.scanning.blocks import Arrays, Pieces, Roles, RowSource, named
from underdog.scanning.files import SvmlightFile, file_source
from underdog.scanning.pieces import read_levels

READ_SHARE = 2
"""A block takes at most this part of the limit while it is read."""


class Scanned(NamedTuple):
    """The arguments of fit: `model.fit(*scanned)`."""

    X: DiskTable
    y: Any = None
    sample_weight: Any = None


def scan(
    source: Any,
    folder: str | PathLike[str] | None = None,
    *,
    target: Any = None,
    weight: Any = None,
    categorical: Any = "from_dtype",
    memory_limit: int | str | None = None,
    format: str | None = None,
) -> Scanned:
    """Read rows that are larger than memory, once, into a folder from which models are fitted.

    The model is the same to the last bit as from the same rows in memory. What a fit needs for
    each row is on disk, too, as far as it does not fit `memory_limit`.

    The folder has every column as it was given, so that bins are found as in memory, whatever
    weights, parameters and held-out rows a fit has. If the scan is interrupted, the same call goes
    on with it. If the scan is complete, the same call only opens it; a source that has changed is
    refused, and so is a folder that is damaged.

    Parameters
    ----------
    source : path, iterable or array
        A file: Parquet, Arrow, CSV, TSV, svmlight or an .npy of NumPy; for Parquet and Arrow, also
        a folder of files, or a path with `*`. Or an iterable of frames, or of tuples of X, y and
        perhaps weights. Or an array, such as a memory map. Or the folder of a scan.
    folder : path, optional
        Where the columns are kept: 8 bytes for a number, 4 for a category, twice that while they
        are read. By default the name of the file with ".scan" after it.
    target : str, list of str, array or path, optional
        The column of the target, or several columns of 0 and 1. For arrays, an array, or the path
        of an .npy file. In svmlight, it is the first number of each row.
    weight : str, array or path, optional
        The column of the sample weights, or, for arrays, an array or a path.
    categorical : "from_dtype", mask, positions or names, default="from_dtype"
        The category columns; by default the columns of text.
    memory_limit : int or str, optional
        Bytes of memory in addition to what the process has already, or a text such as "4GB". By
        default a half of what is available.
    format : {"parquet", "arrow", "csv", "tsv", "svmlight", "npy"}, optional
        The format of a file, if its name does not say so.

    Returns
    -------
    Scanned
        X, y and sample_weight, the arguments of fit. X is a `Table`.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from underdog import AdaBoostClassifier, scan
    >>> def blocks():
    ...     for seed in range(3):
    ...         X = np.random.default_rng(seed).normal(size=(1000, 4))
    ...         yield X, X[:, 0] + X[:, 1] > 0.5
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = scan(blocks(), folder, memory_limit="1GB")
    ...     model = AdaBoostClassifier(n_estimators=20).fit(*rows)
    >>> rows.X.shape
    (3000, 4)
    """
    limit = available() // 2 if memory_limit is None else bytes_of(memory_limit)
    is_path = isinstance(source, str | PathLike)
    if is_path and folders.is_scan(Path(source)):
        if folder is not None or target is not None or weight is not None:
            raise ValueError(f"{source} is a scan already: give nothing but memory_limit with it")
        return _opened(Path(source), limit)
    if folder is None and not is_path:
        raise ValueError("folder is missing: give a folder in which the columns can be kept")
    given = file_source(Path(source), format, target, weight) if is_path else None
    given = given or _source(source, target, weight)
    options = {"target": _plain(target), "weight": _plain(weight), "format": format}
    options["categorical"] = _plain(categorical)
    return _read(given, Path(f"{source}.scan" if folder is None else folder), options, limit)


def _read(source: RowSource, place: Path, options: dict[str, Any], limit: int) -> Scanned:
    """The rows of a source, read into a folder unless they are there already."""
    if folders.is_scan(place):
        _refuse_other(place, source, options)
        return _opened(place, limit)
    from_one = isinstance(source, SvmlightFile)
    place.mkdir(parents=True, exist_ok=True)
    with limit_memory(limit, place):
        folders.make(place, source, options, limit // READ_SHARE, from_one)
    return _opened(place, limit, is_new=True)


def _source(source: Any, target: Any, weight: Any) -> RowSource:
    """Arrays and iterables as a source."""
    if isinstance(source, np.ndarray):
        if target is not None and named(target):
            raise ValueError(f"an array has no column {target!r}: give the target as an array")
        return Arrays(source, target, weight)
    if target is not None and not named(target):
        raise ValueError("give y in tuples of X and y, or the name of its column as target")
    return Pieces([source] if hasattr(source, "columns") else source, Roles(target, weight))


def _plain(value: Any) -> Any:
    """A parameter as it is compared with that of an earlier scan."""
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size < 1 << 16 and value.ndim == 1 else list(value.shape)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, PathLike) else value


def _refuse_other(place: Path, source: RowSource, options: dict[str, Any]) -> None:
    """Refuse a folder with the scan of something else."""
    made_from = folders.made_from(place)
    if source.fingerprint is None:
        raise ValueError(
            f"{place} has a scan already, and whether it is the same cannot be told: open it with "
            f"scan({str(place)!r}), or delete it"
        )
    if made_from["source"] != source.fingerprint:
        raise ValueError(
            f"{place} has the scan of another source, or the source has changed since: delete it, "
            "or give another folder"
        )
    if made_from["options"] != options:
        raise ValueError(
            f"{place} has a scan with other options, {made_from['options']}: delete it, or give "
            "another folder"
        )


def _opened(place: Path, limit: int, is_new: bool = False) -> Scanned:
    """The contents of a folder; what is not in its files is within the limit."""
    contents, arrays = folders.read(place, is_new)
    groups: list[Columns] = []
    if contents["numbers"]:
        positions = np.array(contents["numbers"], dtype=np.int32)
        groups.append(NumberColumns(positions, arrays["numbers"].T))
    if contents["levels"]:
        at = [int(column) for column in contents["levels"]]
        coded = tuple(
            Coded(as_objects([*read_levels(levels), None]), arrays[f"codes {column}"])
            for column, levels in contents["levels"].items()
        )
        groups.append(CategoryColumns(np.array(at, dtype=np.int32), coded))
    with limit_memory(limit, place):
        if "data" in arrays:
            entries = arrays["data"], arrays["indices"], arrays["indptr"]
            width = contents["columns"] - len(contents["numbers"]) - len(contents["levels"])
            shape = contents["rows"], width
            sparse = from_sparse(csr_array(entries, shape=shape), None).groups
            groups.extend(group.moved(contents["first sparse"]) for group in sparse)
        y = arrays.get("y")
        if contents["classes"] is not None:
            y = np.array(read_levels(contents["classes"]))[y]
    names = contents["names"]
    table = DiskTable(groups, contents["rows"], names, place, limit)
    return Scanned(table, y, arrays.get("weight"))

"""Save, load and inspect models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from underdog.checks import notify
from underdog.files.container import damaged, pack, read, read_head, unpack, write
from underdog.files.errors import BadFile, CannotStore
from underdog.files.plain import Decoder, Encoder
from underdog.files.registry import kind_of, refusal
from underdog.files.versions import NEEDS, SCHEMA

HEADER = {"format", "schema", "library", "needs", "notes", "model"}
"""Its keys."""

WRONG = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the parts of a model raise if their state makes no sense."""

StrPath = str | os.PathLike[str]


class Savable:
    """Gives an estimator `save`."""

    def save(self, path: StrPath, notes: Any = None) -> None:
        """Write the fitted model to a file, which `underdog.load` reads; see `underdog.save`."""
        save(self, path, notes)


def save(model: Any, path: StrPath, notes: Any = None) -> None:
    """Write a fitted model to a file.

    The file holds a JSON header and plain arrays, and no code: see docs/files.md. It is written
    completely or not at all. The same model gives the same bytes.

    Parameters
    ----------
    model : booster, meta-estimator, TermVectorizer or Pipeline of them
        Fitted. Rules of another library cannot be stored; parameters that are no plain values, such
        as a function, are left out with a warning and have their default after loading.
    path : str or Path
    notes : plain values, optional
        Kept in the header for `underdog.files.inspect`: where the model comes from, say.

    Examples
    --------
    >>> import tempfile, underdog
    >>> from underdog import load, save
    >>> model = underdog.AdaBoostClassifier(n_estimators=3).fit([[0], [1], [2]], [0, 1, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/small.udg", notes={"data": "three rows"})
    ...     load(f"{folder}/small.udg").predict([[0], [5]]).tolist()
    [0, 1]
    """
    data, left_out = to_bytes(model, notes)
    write(Path(path), data)
    if left_out:
        notify(
            f"{', '.join(left_out)} cannot be stored in a file, and will have the default value "
            "after loading: set it again with set_params"
        )


def to_bytes(model: Any, notes: Any = None) -> tuple[bytes, list[str]]:
    """The file of a model, and the parameters that are not in it."""
    import underdog

    kind = kind_of(model)
    if kind is None:
        raise refusal(model, "the model")
    _check_fitted(model)
    encoder, noted = Encoder(), Encoder()
    header = {
        "format": "underdog",
        "schema": SCHEMA,
        "library": underdog.__version__,
        "needs": NEEDS,
        "notes": noted.encode(notes, "notes"),
        "model": encoder.encode(model, ""),
    }
    if noted.arrays:
        raise CannotStore("notes hold an array: give lists of numbers")
    try:
        _decode(header["model"], encoder.arrays, SCHEMA)
    except WRONG as error:
        raise CannotStore(
            f"this {kind} could not be loaded again: {error}. Were its parameters changed after "
            "it was fitted, or is one of its parts of a class that no file can hold?"
        ) from error
    return pack(header, encoder.arrays), encoder.left_out


def load(path: StrPath) -> Any:
    """Read a model that `save` has written.

    It answers bit for bit as the one that was saved. Nothing in a file is executed; a file that is
    damaged, hostile, of a newer version or something else is a `BadFile`, which says what to do.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    model : of the class that was saved
    """
    place = Path(path)
    return from_bytes(read(place), place)


def from_bytes(data: bytes, path: Path) -> Any:
    """The model in the bytes of a file; the path is for messages."""
    header, arrays = _unpack(path, data)
    try:
        return _decode(header["model"], arrays, header["schema"])
    except WRONG as error:
        raise damaged(path, f"{error} (written by underdog {header['library']!s:.40})") from error


def _decode(node: Any, arrays: dict[str, Any], version: int) -> Any:
    """The model that a header and arrays tell of; whatever is `WRONG` if they make no sense."""
    decoder = Decoder(arrays, version)
    with np.errstate(all="ignore"):  # what overflows in a check is refused by it
        model = decoder.decode(node)
    decoder.finish()
    if kind_of(model) is None:
        raise BadFile("it holds no model")
    _check_fitted(model)
    return model


def inspect(path: StrPath) -> dict[str, Any]:
    """What a file says of itself, without making a model of it.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    contents : dict
        path, bytes, format, schema, library (the version that wrote it), needs (the oldest that can
        read it), notes, model (a tree of values, in which an array is a name) and arrays (name,
        dtype, shape and bytes of each).
    """
    place = Path(path)
    data = read(place)
    header, arrays = _unpack(place, data)
    try:
        notes = Decoder({}).decode(header.pop("notes"))
    except WRONG as error:
        raise damaged(place, str(error)) from error
    listed = [
        {"name": name, "dtype": str(a.dtype), "shape": list(a.shape), "bytes": a.nbytes}
        for name, a in sorted(arrays.items())
    ]
    about = {"path": str(place), "bytes": len(data)}
    return {**about, **header, "notes": notes, "arrays": listed}


def _unpack(path: Path, data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and arrays, if this version of the library can read them."""
    # The version comes first: a newer file may well look damaged.
    _check_version(path, read_head(path, data)[0])
    header, arrays = unpack(path, data)
    if set(header) != HEADER:
        raise damaged(path, f"its header has not the keys {', '.join(sorted(HEADER))}")
    return header, arrays


def _check_fitted(model: Any) -> None:
    if hasattr(model, "fit"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(
            model, msg="this %(name)s is not fitted: there is nothing to save yet; call fit first"
        )
    for _, step in getattr(model, "steps", ()):  # of a pipeline only the last was looked at
        if step not in (None, "passthrough"):
            _check_fitted(step)


def _check_version(path: Path, header: dict[str, Any]) -> None:
    import underdog

    schema, needs = header.get("schema"), header.get("needs")
    if type(schema) is not int or schema < 1 or not isinstance(needs, str):
        raise damaged(path, "its header does not say which version it is")
    if schema > SCHEMA or _numbers(needs) > _numbers(underdog.__version__):
        raise BadFile(
            f"{path} needs underdog >= {needs[:40]}; this is {underdog.__version__}. Update "
            "underdog to load it"
        )


def _numbers(version: str) -> list[int]:
    """1.10.2 as [1, 10, 2]; what is no number counts as 0."""
    return [int(part) if part.isdecimal() and len(part) < 9 else 0 for part in version.split(".")]

"""Bytes: a safetensors file with a JSON header, written atomically, read with suspicion."""

from __future__ import annotations

import hashlib
import json
import math
import operator
import os
import re
import secrets
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from underdog.files.errors import BadFile, CannotStore

Arrays = dict[str, np.ndarray[Any, Any]]

KEY = "underdog"
"""Of the header among the file's metadata; the only one, for safetensors keeps no order of them."""
NO_DIGEST = "0" * 64
MAX_HEADER = 100_000_000
"""Bytes, as safetensors has it."""
MAX_VALUES = 1_000_000
"""In a header; a category has a value for each of its levels."""
MAX_PLACES = 100_000
"""Lists, objects and keys in a header: what costs far more in memory than in the file."""
MAX_NESTED = 200
"""Brackets inside brackets: values are at most 60 deep, with two brackets for each."""
STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
NEXT_MARK = re.compile(rf'(?:[^"\[\]{{}}:]++|{STRING})*+([\[\]{{}}:]|\Z)', re.DOTALL)
"""All up to the next bracket or colon outside of strings; it matches everywhere, in one go."""
DTYPES = tuple(map(np.dtype, "?bhilqBHILQefd"))
"""Flags, whole numbers and floats."""
BEGINNINGS = {
    b"\x80": "a pickle",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"\x89HDF": "an HDF5 file",
    b"{": "JSON text",
}


def pack(header: Mapping[str, Any], arrays: Arrays) -> bytes:
    """A file: the digest in its header is of all bytes, itself being taken as 64 zeros."""
    from safetensors.numpy import save

    text = json.dumps({"sha256": NO_DIGEST, **header}, allow_nan=False, separators=(",", ":"))
    if len(text) > MAX_HEADER // 2:
        raise CannotStore(f"the header would have {len(text)} characters: parameters are too large")
    blank = save(arrays, metadata={KEY: text})
    try:
        check_size(text)
        check_size(blank[8 : 8 + int.from_bytes(blank[:8], "little")].decode("utf-8"))
    except ValueError as error:
        raise CannotStore(
            f"the header cannot be written: {error}. Levels of categories, classes or parameters "
            "are too many"
        ) from error
    digest = hashlib.sha256(blank).hexdigest()
    return blank.replace(NO_DIGEST.encode(), digest.encode(), 1)


def unpack(path: Path, data: bytes) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays of a file whose bytes are intact."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    header, size = read_head(path, data)
    if len(data) != size:
        raise damaged(path, f"it has {len(data)} bytes in place of {size}")
    digest = str(header.pop("sha256", "")).encode("ascii", "replace")
    if len(digest) != len(NO_DIGEST) or digest not in data:
        raise damaged(path, "its digest is missing")
    blank = data.replace(digest, NO_DIGEST.encode(), 1)
    if hashlib.sha256(blank).hexdigest().encode() != digest:
        raise damaged(path, "its bytes do not have the digest that was written with them")
    try:
        arrays: Arrays = load(data)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise damaged(path, f"its arrays cannot be read ({error})") from error
    for name, array in arrays.items():
        if array.dtype not in DTYPES:
            raise damaged(path, f"the array {name!r} holds {array.dtype}")
        if array.dtype == bool and array.view(np.uint8).max(initial=0) > 1:
            raise damaged(path, f"the array {name!r} has flags that are neither 0 nor 1")
    # Kernels want arrays that can be written to.
    return header, {n: a if a.flags.writeable else a.copy() for n, a in arrays.items()}


def read_head(path: Path, data: bytes) -> tuple[dict[str, Any], int]:
    """The header of a file, of which the first bytes may be given, and how many it must have."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise foreign(path, data)
    try:
        outer = parse(data[8 : 8 + size].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        if b'"__metadata__"' in data[:64]:
            raise damaged(path, f"its header cannot be read ({error})") from error
        raise foreign(path, data) from error
    metadata = outer.get("__metadata__") if isinstance(outer, dict) else None
    text = metadata.get(KEY) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise foreign(path, data)
    try:
        header = parse(text)
    except (ValueError, RecursionError) as error:
        raise damaged(path, f"its header cannot be read ({error})") from error
    if not isinstance(header, dict) or header.get("format") != KEY:
        raise foreign(path, data)
    return header, 8 + size + _size_of_arrays(path, outer)


def _size_of_arrays(path: Path, outer: dict[str, Any]) -> int:
    arrays = [about for name, about in outer.items() if name != "__metadata__"]
    try:
        ends = [about["data_offsets"][1] for about in arrays]
        return max(map(operator.index, ends), default=0)
    except (LookupError, TypeError) as error:
        raise damaged(path, "its header does not say where the arrays are") from error


def check_size(text: str) -> None:
    """Refuse JSON that would become many or deeply nested objects, before it does."""
    values, places, depth = text.count(","), 0, 0
    for found in NEXT_MARK.finditer(text):
        mark = found[1]
        if mark in ("[", "{", ":"):
            places += 1
        if values + places > MAX_VALUES or places > MAX_PLACES:
            raise ValueError(
                f"it has more than {MAX_VALUES} values, or more than {MAX_PLACES} lists, objects "
                "and keys"
            )
        if mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
        if not 0 <= depth <= MAX_NESTED:
            raise ValueError(f"brackets do not match, or are more than {MAX_NESTED} deep")


def parse(text: str) -> Any:
    """JSON as the standard has it: no NaN, no key twice, no number beyond 64 bits.

    No more of it than a model needs: see `check_size`.
    """
    check_size(text)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key is there twice")
        return found

    def whole(digits: str) -> int:
        if len(digits) > 21:
            raise ValueError("a number is too large")
        return int(digits)

    def real(digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            raise ValueError("a number is too large")
        return number

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    return json.loads(
        text, object_pairs_hook=once, parse_int=whole, parse_float=real, parse_constant=refuse
    )


def read(path: Path) -> bytes:
    """The bytes of a file that begins like a model; no more than its header if it does not."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):  # opening a pipe would wait for somebody to write to it
        what = "a folder" if stat.S_ISDIR(about.st_mode) else "not a file"
        raise BadFile(f"{path} is {what}: give the path of a saved model")
    try:
        with path.open("rb") as file:
            first = file.read(8)
            size = int.from_bytes(first, "little")
            if len(first) < 8 or size > min(MAX_HEADER, about.st_size - 8):
                raise foreign(path, first)
            head = first + file.read(size)
            _, size = read_head(path, head)
            if about.st_size != size:
                raise damaged(path, f"it has {about.st_size} bytes in place of {size}")
            return head + file.read()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}") from error


def write(path: Path, data: bytes) -> None:
    """All of the file or nothing: whoever reads it meanwhile sees the old one."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {target.parent}")
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the path of a file")
    if path.exists() and not path.is_file():  # a pipe or a device, which must stay one
        path.write_bytes(data)
        return
    new = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, new)
        os.replace(new, target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def damaged(path: Path, what: str) -> BadFile:
    """The error for a file that was a model."""
    return BadFile(
        f"{path} is damaged: {what}. Nothing was loaded; take another copy, or save the model again"
    )


def foreign(path: Path, data: bytes) -> BadFile:
    """The error for a file that is something else."""
    what = "empty" if not data else next(
        (name for start, name in BEGINNINGS.items() if data.startswith(start)), "something else"
    )  # fmt: skip
    return BadFile(
        f"{path} is not an underdog model: it is {what}, or cut off. Files that model.save(path) "
        "wrote can be loaded"
    )

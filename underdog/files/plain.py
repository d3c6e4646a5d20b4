"""Values to JSON and arrays, and back.

None, True, False, whole numbers, finite floats, strings and lists are themselves, and so is a
dictionary with strings for keys. Everything else is an object whose "is" says what it is: see
docs/files.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from underdog.files.errors import BadFile, CannotStore
from underdog.files.fields import Fields
from underdog.files.registry import KINDS, kind_of, refusal, storer
from underdog.files.versions import SCHEMA, in_present_names

MAX_DEPTH = 60
"""Of values inside values."""
MAX_WHOLE = 2**64
"""Whole numbers are smaller than this in size."""
PADDING = 2**20
"""Bytes up to which strings may be stored wider than the longest of them."""
ENDLESS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Texts(tuple[str, ...]):
    """Strings, perhaps a million of them: stored as arrays and not in the header."""


class Parameters(dict[str, Any]):
    """Parameters of an estimator: what cannot be stored is left out, and a warning says so."""

    @classmethod
    def from_estimator(cls, estimator: Any) -> Parameters:
        """Of a scikit-learn estimator; those that are estimators leave behind what they learned."""
        from sklearn.base import clone

        parameters = cls(estimator.get_params(deep=False))
        for name, value in parameters.items():
            if hasattr(value, "get_params") and not isinstance(value, type):
                parameters[name] = clone(value)
        return parameters


class Encoder:
    """Turns values into JSON; collects the arrays, and the parameters that are left out."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.left_out: list[str] = []

    def encode(self, value: Any, place: str, depth: int = 0) -> Any:
        """`place` is where the value stands in the model: the name of its array."""
        if depth > MAX_DEPTH:
            raise CannotStore(f"{place} is nested too deeply")
        if isinstance(value, np.generic) and value.dtype.kind in "biufU":
            value = value.item()
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            if abs(value) >= MAX_WHOLE:
                raise CannotStore(f"{place}={value!r} has more than 64 bits")
            return int(value)
        if isinstance(value, float):
            return _float(float(value))
        if isinstance(value, np.ndarray):
            return self._array(value, place, depth)
        kind = kind_of(value)
        if kind is not None:
            state = storer(kind)._to_file(value)
            return {"is": kind, "state": self._mapping(state, place, depth)}
        return self._collection(value, place, depth)

    def _collection(self, value: Any, place: str, depth: int) -> Any:
        def items(values: Any) -> list[Any]:
            return [
                self.encode(item, f"{place}.{number}", depth + 1)
                for number, item in enumerate(values)
            ]

        if isinstance(value, Texts):
            return self._texts(value, place)
        if isinstance(value, Parameters):
            return self._parameters(value, place, depth)
        if type(value) is list:
            return items(value)
        if type(value) is tuple:
            return {"is": "tuple", "items": items(value)}
        if type(value) in (set, frozenset):
            ordered = sorted(value, key=lambda item: (type(item).__name__, repr(item)))
            return {"is": type(value).__name__, "items": items(ordered)}
        if type(value) is dict:
            if all(type(key) is str for key in value) and "is" not in value:
                return self._mapping(value, place, depth)
            return {"is": "dict", "keys": items(value), "values": items(value.values())}
        if type(value) is bytes:
            return {"is": "bytes", "hex": value.hex()}
        raise refusal(value, place)

    def _mapping(self, value: Mapping[str, Any], place: str, depth: int) -> dict[str, Any]:
        return {
            name: self.encode(item, f"{place}.{name}".lstrip("."), depth + 1)
            for name, item in value.items()
        }

    def _parameters(self, given: Parameters, place: str, depth: int) -> dict[str, Any]:
        kept = {}
        for name, value in given.items():
            trial = Encoder()
            where = f"{place}.{name}"
            try:
                kept[name] = trial.encode(value, where, depth + 1)
            except CannotStore:
                self.left_out.append(f"{name}={value!r}")
                continue
            self.arrays |= trial.arrays
            self.left_out += trial.left_out
        return kept

    def _array(self, value: np.ndarray[Any, Any], place: str, depth: int) -> dict[str, Any]:
        if value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
            self.arrays[place] = np.array(value, dtype=value.dtype.newbyteorder("="), order="C")
            return {"is": "array", "name": place}
        if value.ndim == 1 and value.dtype.kind == "U":
            items = value.tolist()
            width = value.dtype.itemsize // 4
            if 4 * width * len(items) > PADDING:
                width = max(map(len, items))
            return {"is": "strings", "width": width, "items": items}
        if value.ndim == 1 and value.dtype.kind == "O":
            named = self._collection(value.tolist(), place, depth)
            return {"is": "objects", "items": named}
        raise CannotStore(f"{place} is an array of {value.dtype}, which a file cannot hold")

    def _texts(self, texts: Sequence[str], place: str) -> dict[str, Any]:
        pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
        utf8, ends = f"{place}.utf8", f"{place}.ends"
        self.arrays[utf8] = np.frombuffer(b"".join(pieces), dtype=np.uint8)
        self.arrays[ends] = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
        return {"is": "texts", "utf8": utf8, "ends": ends}


class Decoder:
    """Turns JSON and arrays into values again; every array is used once."""

    def __init__(self, arrays: Mapping[str, np.ndarray[Any, Any]], version: int = SCHEMA) -> None:
        self._arrays, self._version = dict(arrays), version

    def decode(self, node: Any, depth: int = 0) -> Any:
        """The value of a node."""
        if depth > MAX_DEPTH:
            raise BadFile("values are nested too deeply")
        if isinstance(node, list):
            return [self.decode(item, depth + 1) for item in node]
        if not isinstance(node, dict):
            return node
        if "is" not in node:
            return {name: self.decode(item, depth + 1) for name, item in node.items()}
        what = node["is"]
        if isinstance(what, str) and what in KINDS:
            return self._object(what, Fields(what, node), depth)
        fields = Fields(what if isinstance(what, str) else "something", node)
        fields.text("is")
        value = self._value(fields, depth)
        fields.done()
        return value

    def finish(self) -> None:
        """Refuse arrays that no value has asked for."""
        if self._arrays:
            raise BadFile(f"the array {next(iter(self._arrays))!r} belongs to nothing")

    def _object(self, kind: str, node: Fields, depth: int) -> Any:
        node.text("is")
        state = Fields(kind, self._state(node, depth), self._version)
        node.done()
        made = storer(kind)._from_file(state)
        state.done()
        return made

    def _state(self, node: Fields, depth: int) -> dict[str, Any]:
        """What an object is made of, under the names of today."""
        values = self.decode(node.mapping("state"), depth + 1)
        if not isinstance(values, dict):
            raise node.wrong("state", "must have values by name")
        return in_present_names(values, self._version)

    def _value(self, fields: Fields, depth: int) -> Any:
        def items(name: str = "items") -> list[Any]:
            return [self.decode(item, depth + 1) for item in fields.items(name)]

        match fields.kind:
            case "float":
                return ENDLESS[fields.text("value")]
            case "tuple":
                return tuple(items())
            case "set":
                return set(items())
            case "frozenset":
                return frozenset(items())
            case "dict":
                return dict(zip(items("keys"), items("values"), strict=True))
            case "bytes":
                return bytes.fromhex(fields.text("hex"))
            case "array":
                return self._take(fields.text("name"))
            case "texts":
                return self._texts(fields)
            case "strings":
                return _strings(fields)
            case "objects":
                values = items()
                array = np.empty(len(values), dtype=object)
                array[:] = values
                return array
        raise BadFile(f"there is a {fields.kind!r}, which this version does not know")

    def _take(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._arrays:
            raise BadFile(f"the array {name!r} is missing, or asked for twice")
        return self._arrays.pop(name)

    def _texts(self, fields: Fields) -> Texts:
        utf8, ends = (self._take(fields.text(name)) for name in ("utf8", "ends"))
        if utf8.dtype != np.uint8 or ends.dtype != np.int64 or utf8.ndim != 1 or ends.ndim != 1:
            raise BadFile("texts are not stored as bytes and their ends")
        bounds = [0, *ends.tolist()]
        if bounds != sorted(bounds) or bounds[-1] != len(utf8):
            raise BadFile("the ends of texts are out of order")
        data = utf8.tobytes()
        pieces = (data[start:end] for start, end in pairwise(bounds))
        return Texts(piece.decode("utf-8", "surrogatepass") for piece in pieces)


def _float(value: float) -> Any:
    if math.isfinite(value):
        return value
    return {"is": "float", "value": str(value)}


def _strings(fields: Fields) -> np.ndarray[Any, Any]:
    items = fields.items("items")
    if not all(isinstance(item, str) for item in items):
        raise BadFile("an array of strings holds something else")
    longest = max(map(len, items), default=0)
    width = fields.integer("width", longest)
    if width > longest and 4 * width * len(items) > PADDING:
        raise BadFile(f"strings are to be {width} wide, but the longest has {longest}")
    return np.array(items, dtype=f"<U{max(width, 1)}")

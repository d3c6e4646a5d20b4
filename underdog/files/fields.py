"""The stored state of one object: taken out by name, each value checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from underdog.checks import is_number
from underdog.files.errors import BadFile
from underdog.files.versions import SCHEMA


class Fields:
    """Values by name, for the `_from_file` of a class; a wrong one is a BadFile.

    `version` is the number of the format that the file has.
    """

    def __init__(self, kind: str, values: dict[str, Any], version: int = SCHEMA) -> None:
        self.kind, self.version = kind, version
        self._values = dict(values)

    def __contains__(self, name: str) -> bool:
        """Whether a value is there that has not been taken yet."""
        return name in self._values

    def get(self, name: str) -> Any:
        """A value of any type; the others below check theirs."""
        if name not in self._values:
            raise BadFile(f"{self.kind} has no {name!r}")
        return self._values.pop(name)

    def names(self) -> list[str]:
        """Of all values that have not been taken."""
        return list(self._values)

    def done(self) -> None:
        """Refuse what nobody asked for."""
        if self._values:
            raise BadFile(f"{self.kind} has a {next(iter(self._values))!r}, which is not known")

    def array(self, name: str, dtype: DTypeLike, *shape: int | None) -> NDArray[Any]:
        """An array of this type and shape, None being any length."""
        value = self.get(name)
        wanted = np.dtype(dtype)
        if not isinstance(value, np.ndarray) or value.dtype != wanted:
            raise self.wrong(name, f"must be an array of {wanted}")
        lengths = zip(value.shape, shape, strict=False)
        if value.ndim != len(shape) or any(w is not None and n != w for n, w in lengths):
            raise self.wrong(name, f"has the shape {value.shape}, not {shape}")
        return value

    def floats(self, name: str, *shape: int | None) -> NDArray[np.float64]:
        """An array of finite numbers."""
        value = self.array(name, np.float64, *shape)
        if not bool(np.isfinite(value).all()):
            raise self.wrong(name, "holds a number that is not finite")
        return value

    def integer(self, name: str, minimum: int, maximum: int | None = None) -> int:
        """A whole number in a range."""
        value = self.get(name)
        if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
            until = "" if maximum is None else f" and at most {maximum}"
            raise self.wrong(name, f"must be a whole number, at least {minimum}{until}")
        return value

    def number(self, name: str) -> float:
        """A float, which may be infinite but is not NaN."""
        value = self.get(name)
        if not isinstance(value, float) or not is_number(value):
            raise self.wrong(name, "must be a number")
        return value

    def flag(self, name: str) -> bool:
        value = self.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "must be true or false")
        return value

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "must be a text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.get(name)
        if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, "must be texts")
        return tuple(value)

    def items(self, name: str) -> list[Any]:
        value = self.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "must be a list")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.get(name)
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise self.wrong(name, "must have values by name")
        return value

    def one_of(self, name: str, *kinds: type) -> Any:
        """An object of one of these classes."""
        value = self.get(name)
        if not isinstance(value, kinds):
            raise self.wrong(name, f"must be a {' or a '.join(k.__name__ for k in kinds)}")
        return value

    def parameters(self, owner: Any) -> dict[str, Any]:
        """Parameters of an estimator, each of which it has."""
        given = self.mapping("parameters")
        unknown = sorted(set(given) - set(owner._get_param_names()))
        if unknown:
            raise self.wrong("parameters", f"have {unknown[0]!r}, which this version has not")
        return given

    def wrong(self, name: str, what: str) -> BadFile:
        """The error to raise if a value is not what it should be."""
        return BadFile(f"{name} of {self.kind} {what}")

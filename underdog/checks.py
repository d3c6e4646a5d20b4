"""Checks of parameters; each message says what was given, what is wrong and what to do."""

from __future__ import annotations

import importlib
import numbers
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).parent)


class UnderdogWarning(UserWarning):
    """The data or the parameters may not be what the user intended."""


def notify(message: str, kind: type[UnderdogWarning] = UnderdogWarning) -> None:
    """Warn, with the stack level of the first caller outside the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)


def check_integer(name: str, value: Any, minimum: int, maximum: int | None = None) -> None:
    """Refuse anything but an integer in this range."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < minimum or (maximum is not None and value > maximum):
        until = "" if maximum is None else f" and at most {maximum}"
        raise ValueError(f"{name}={value!r} must be a whole number, at least {minimum}{until}")


def check_positive(name: str, value: Any, zero: bool = False) -> None:
    """Refuse anything but a finite number above 0 (with `zero`: at least 0)."""
    if not is_number(value) or not (value > 0 or (zero and value == 0)) or value == float("inf"):
        raise ValueError(
            f"{name}={value!r} must be a finite number {'of at least 0' if zero else 'above 0'}"
        )


def check_choice(name: str, value: Any, *choices: Any) -> None:
    """Refuse anything but one of these values."""
    if not any(value is choice or (type(value) is str and value == choice) for choice in choices):
        raise ValueError(f"{name}={value!r} must be {' or '.join(map(repr, choices))}")


def check_flag(name: str, value: Any) -> None:
    """Raise if a parameter is neither True nor False."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise ValueError(f"{name}={value!r} must be True or False")


def check_max_display(maximum: Any) -> None:
    """Refuse anything but a number of items to show, or None for all."""
    if maximum is not None:
        check_integer("max_display", maximum, 0)


def check_names(name: str, values: Any, count: int) -> list[str]:
    """`count` different names as a list of strings."""
    names = [str(value) for value in values]
    if isinstance(values, str) or len(names) != count:
        given = "a string" if isinstance(values, str) else f"{len(names)} names"
        raise ValueError(f"{name} must be a sequence of {count} names, but {given} was given")
    if len(set(names)) < count:
        twice = Counter(names).most_common(1)[0][0]
        raise ValueError(f"{name} has {twice!r} more than once: give different names")
    return names


def is_number(value: Any) -> bool:
    """Whether it is a real number, neither NaN nor a bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and value == value


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, NaT or NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA refuses to be a truth value
        return True


def to_python(value: Any) -> Any:
    """A NumPy scalar as a Python object; anything else unchanged."""
    return value.item() if hasattr(value, "item") else value


def as_float(value: Any) -> Any:
    """A real number of any type as a Python float or int; anything else unchanged."""
    return float(value) if is_number(value) and not isinstance(value, float | int) else value


def import_extra(module: str, extra: str | None, purpose: str, package: str | None = None) -> Any:
    """Import a module of a package that not every user needs.

    Parameters
    ----------
    module : str
    extra : str or None
        The extra of underdog that installs it; None if the user installs it by its own name.
    purpose : str
        What needs it: the beginning of the error message.
    package : str, default=None
        The name of the package; by default that of the module.

    Examples
    --------
    >>> from underdog.checks import import_extra
    >>> import_extra("no_such_module", "plot", "Drawing")
    Traceback (most recent call last):
    ...
    ImportError: Drawing needs no_such_module: pip install "underdog[plot]"
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        needed = package or module
        wanted = needed if extra is None else f'"underdog[{extra}]"'
        raise ImportError(f"{purpose} needs {needed}: pip install {wanted}") from error

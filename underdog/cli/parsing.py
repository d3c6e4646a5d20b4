"""Options with a syntax of their own."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import Any

import typer

COST_FORM = (
    "give fn=20,fp=1 (a false negative, a false positive) or, for any classes, "
    "true:predicted=cost, separated by commas; other mistakes cost 1"
)
KINDS = ("fn", "fp", "tn", "tp")
RULES = ("fbeta", "precision", "recall", "alarms")
CHOICES = "f1, fbeta=B, precision=P, recall=R or alarms=N (a number, or a share below 1)"
FLAGS = {"true": "True", "false": "False"}
"""As many people write them."""


def whole_number(least: int | None = None) -> Callable[[Any], int]:
    """A reader of whole numbers, for options; typer's own does not name the value it refuses."""

    def read(text: Any) -> int:
        try:
            number = int(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not a whole number") from None
        if least is not None and number < least:
            raise typer.BadParameter(f"{number} is too small: give {least} or more")
        return number

    return read


def one_of(*known: str) -> Callable[[Any], str]:
    """A reader of one of these words, for options."""

    def read(text: Any) -> str:
        if text not in known:
            raise typer.BadParameter(f"{text!r} is not known: give {', '.join(known)}")
        return str(text)

    return read


def read_quantiles(text: str | None, loss: str | None) -> tuple[float, ...] | None:
    """The quantiles in "0.1,0.5,0.9", in rising order; by default the median.

    Examples
    --------
    >>> from underdog.cli.parsing import read_quantiles
    >>> read_quantiles("0.9,.1", None)
    (0.1, 0.9)
    """
    if text is None:
        return (0.5,) if loss == "quantile" else None
    if loss not in (None, "quantile"):
        raise typer.BadParameter(f"--quantiles needs --loss quantile, not {loss}")
    shares = sorted({_number("--quantiles", part) for part in text.replace(",", " ").split()})
    if not shares or not all(0 < share < 1 for share in shares):
        raise typer.BadParameter(
            f"--quantiles {text}: give numbers between 0 and 1, as in --quantiles 0.1,0.5,0.9"
        )
    return tuple(shares)


def read_costs(text: str | None) -> dict[str, float] | None:
    """The costs in "fn=20,fp=1", or in "flu:cold=5,cold:flu=1".

    Examples
    --------
    >>> from underdog.cli.parsing import read_costs
    >>> read_costs("fn=20,fp=1")
    {'fn': 20.0, 'fp': 1.0}
    """
    if text is None:
        return None
    parts: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        if not equals:
            raise typer.BadParameter(f"--cost {text}: {COST_FORM}")
        parts[name.strip()] = _number(f"--cost {name.strip()}", number)
    if not (all(":" in name for name in parts) or all(name in KINDS for name in parts)):
        raise typer.BadParameter(f"--cost {text}: {COST_FORM}")
    return parts


def read_prevalence(text: str | None) -> dict[str, float] | None:
    """The shares in "0.01", which is that of the positive class, or in "flu=0.2,cold=0.5".

    Examples
    --------
    >>> from underdog.cli.parsing import read_prevalence
    >>> read_prevalence("0.01"), read_prevalence("flu=0.2")
    ({'': 0.01}, {'flu': 0.2})
    """
    if text is None:
        return None
    found: dict[str, float] = {}
    for part in text.split(",") if "=" in text else [text]:
        name, _, number = part.rpartition("=")
        share = _number(f"--prevalence {name}".strip(), number)
        if not 0.0 < share < 1.0:
            raise typer.BadParameter(
                f"--prevalence {text}: give a share above 0 and below 1, as in 0.01 or flu=0.2"
            )
        found[name.strip()] = share
    return found


def read_threshold(text: str | None) -> Any:
    """`choose` of `ThresholdClassifier` from "f1", "recall=0.9" or "alarms=100".

    Examples
    --------
    >>> from underdog.cli.parsing import read_threshold
    >>> read_threshold("recall=0.9")
    ('recall', 0.9)
    """
    if text is None or text == "f1":
        return text
    name, equals, value = text.partition("=")
    if not equals or name not in RULES:
        raise typer.BadParameter(f"--threshold {text}: give {CHOICES}")
    number = _number(f"--threshold {name}", value)
    if name == "fbeta" and number <= 0:
        raise typer.BadParameter(f"--threshold {text}: give a number above 0, as in fbeta=2")
    if name == "alarms" and number >= 1 and number == int(number):
        return name, int(number)
    if name == "alarms" and not 0 < number < 1:
        raise typer.BadParameter(
            f"--threshold {text}: give a whole number of alarms, as in alarms=100, or a share "
            "above 0 and below 1, as in alarms=0.1"
        )
    if name in ("precision", "recall") and not 0 < number <= 1:
        raise typer.BadParameter(
            f"--threshold {text}: give a share above 0 and at most 1, as in {name}=0.9"
        )
    return name, number


def read_settings(given: Sequence[str]) -> dict[str, Any]:
    """Parameters from "name=value": numbers, True, False and None as such, others as text.

    Examples
    --------
    >>> from underdog.cli.parsing import read_settings
    >>> read_settings(["learner=discrete", "nu=0.1", "shared=false"])
    {'learner': 'discrete', 'nu': 0.1, 'shared': False}
    """
    settings: dict[str, Any] = {}
    for part in given:
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"--set {part}: give name=value, as in --set learner=discrete")
        try:
            settings[name] = ast.literal_eval(FLAGS.get(value, value))
        except (ValueError, SyntaxError):
            settings[name] = value
    return settings


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise typer.BadParameter(f"{name}: {text!r} is not a number") from None
    if not math.isfinite(number):
        raise typer.BadParameter(f"{name}: {text!r} is not a finite number")
    return number

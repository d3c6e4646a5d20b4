"""A bound with what it bounds, and all bounds of a booster."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = 80


@dataclass(frozen=True)
class Certificate:
    """A bound and what it bounds, or the reason why there is none.

    Attributes
    ----------
    of : str
        What is bounded.
    bound : float
        NaN if there is none.
    measured : float
        The same of the training rows; NaN if it can be measured on new rows only.
    note : str
        At which margin or radius the bound is least, or why there is none.
    known : float
        What is known without the model: a share is at most 1, and a coin is wrong half of the time.
    """

    of: str
    bound: float
    measured: float = math.nan
    note: str = ""
    known: float = 1.0

    @property
    def says_something(self) -> bool:
        """Whether the bound is below what is known without the model."""
        return self.bound < self.known

    def __str__(self) -> str:
        if math.isnan(self.bound):
            return f"{self.of}: no certificate: {self.note}"
        seen = "" if math.isnan(self.measured) else f" (measured {self.measured:.4g})"
        note = f", {self.note}" if self.note else ""
        return f"{self.of}: at most {self.bound:.4g}{seen}{note}"


class Certificates(dict[str, Any]):
    """The numbers of `certificate_` by name; NaN where there is no certificate.

    Parameters
    ----------
    own : dict
        What the algorithm itself proves, such as "bound", on "training_error".
    bounds : mapping of str to Certificate
        What theory says about a vote for two classes, with names, conditions and reasons.
    why : str
        Why there are no bounds at all.

    Examples
    --------
    >>> from underdog import AdaBoostClassifier
    >>> X, y = [[0], [1], [2], [3]] * 9, [0, 1, 0, 1] * 9
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=6).fit(X, y)
    >>> print(model.certificate_.bounds["exponent_of_edges"])
    training error, by how much rules are better than chance: at most 0.3317 (measured 0)
    >>> print(model.certificate_.bounds["new_examples_by_norm"].note)
    the loss is not the log loss of the scores
    """

    def __init__(
        self, own: Mapping[str, Any], bounds: Mapping[str, Certificate], why: str = ""
    ) -> None:
        known = {**own, **{name: each.bound for name, each in bounds.items()}}
        # The same object for every NaN, so that equal certificates are equal.
        super().__init__({name: math.nan if each != each else each for name, each in known.items()})
        self.bounds = dict(bounds)
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.own, self.bounds, self.why)

    @property
    def own(self) -> dict[str, Any]:
        """What the algorithm itself proves."""
        return {name: value for name, value in self.items() if name not in self.bounds}

    def lines(self, every: bool = False) -> list[str]:
        """One line for each certificate; without `every` only those that say something."""
        found = [*self._of_algorithm(), *self.bounds.values()]
        shown = [str(each) for each in found if every or each.says_something]
        return [*self._optima(), *shown]

    def text(self, every: bool = False) -> str:
        """What is certified, a line each; with `every` also what says nothing, and why."""
        shown = self.lines(every)
        if self.why and every:
            shown.append(f"error on new examples: no certificate: {self.why}")
        loose = sum(not each.says_something for each in self.bounds.values())
        if loose and not every:
            shown.append(f"{loose} more say nothing here: text(every=True) lists them")
        return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="    ") for line in shown)

    def _of_algorithm(self) -> list[Certificate]:
        """The bound on the training error."""
        if "training_error" not in self or "bound" not in self:
            return []
        bound, seen = float(self["bound"]), float(self["training_error"])
        note = "the loss is no bound on it" if math.isnan(bound) else ""
        return [Certificate("training error", bound, seen, note)]

    def _optima(self) -> list[str]:
        """How far a margin or a loss is from the best one."""
        found = []
        if math.isfinite(self.get("upper_bound", math.nan)):
            name = "soft_margin" if "soft_margin" in self else "minimum_margin"
            found.append(
                f"{name.replace('_', ' ')}: {self[name]:.4g}, and no vote of such rules has more "
                f"than {self['upper_bound']:.4g}"
            )
        if "training_loss" in self and math.isfinite(self.get("lower_bound", math.nan)):
            found.append(
                f"training loss: {self['training_loss']:.4g}, and no function in the hull has less "
                f"than {self['lower_bound']:.4g}"
            )
        return found

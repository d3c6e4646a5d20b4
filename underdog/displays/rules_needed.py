"""How many rules are needed for which score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from underdog.displays.axes import HINT, verbatim
from underdog.displays.base import CurveDisplay, name_of, with_name
from underdog.inspection import RulesNeeded, rules_needed
from underdog.inspection.parameters import documented


@documented
@dataclass(eq=False, repr=False)
class RulesNeededDisplay(CurveDisplay):
    """The score of a model by number of rules, with the smallest sufficient number.

    Create it with `from_estimator`; pass `ax` to draw training and test data in one figure. The
    point is the smallest number of rules within one standard error of the best score or, if that
    is not known, within the first value of `within`.

    Parameters
    ----------
    sizes : RulesNeeded
    name

    Attributes
    ----------
    ax_, figure_
    line_, point_ : the curve and the point

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, RulesNeededDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=50).fit(X[::2], y[::2])
    >>> display = RulesNeededDisplay.from_estimator(model, X[1::2], y[1::2], name="test")
    >>> display
    RulesNeededDisplay(17 of 50 rules)
    >>> display.chosen
    17
    """

    sizes: RulesNeeded
    name: str | None = None

    point_: Any = field(init=False)
    _legend = "lower right"

    @property
    def chosen(self) -> int:
        """The number of rules at the point."""
        sizes = self.sizes
        if sizes.standard_error is not None:
            return sizes.needed(sizes.standard_error)
        return sizes.needed(sizes.within[0] if sizes.within else 0.0)

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        scoring: Any = "auto",
        within: float | Sequence[float] | None = None,
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the scores of a model after each round.

        Parameters
        ----------
        estimator
        X, y : data
        scoring, within, sample_weight
            See `underdog.inspection.rules_needed`.
        name, ax, **kwargs
        """
        sizes = rules_needed(
            estimator, X, y, scoring=scoring, within=within, sample_weight=sample_weight
        )
        return cls(sizes, name_of(estimator, name)).plot(ax, **kwargs)

    def _summary(self) -> str:
        return f"{self.chosen} of {self.sizes.rules[-1]} rules"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        sizes, chosen = self.sizes, self.chosen
        score = sizes.score_with(chosen)
        form = ".3f" if abs(score) <= 1.0 else ".4g"
        label = with_name(name, f"{chosen} rules: {score:{form}}")
        style = {"drawstyle": "steps-post", "linewidth": 1.5, "label": label, **style}
        (self.line_,) = ax.plot(sizes.rules, sizes.scores, **style)
        color = self.line_.get_color()
        (self.point_,) = ax.plot(chosen, score, "o", color=color, zorder=3.0)
        ax.axvline(chosen, linestyle=":", zorder=1.0, **HINT)
        ax.set(xlabel="rules", ylabel=verbatim(sizes.scoring))

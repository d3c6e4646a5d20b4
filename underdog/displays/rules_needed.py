"""How many rules are needed for how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from underdog.displays.axes import HINT, open_axes, verbatim
from underdog.inspection import RulesNeeded, rules_needed


@dataclass(eq=False)
class RulesNeededDisplay:
    """The score of a model against its number of rules, with the smallest size that will do.

    Make it with `from_estimator`; give `ax` to draw training and test data into one picture. The
    point is the smallest number of rules within one standard error of the best score, or, where
    that is not known, within the first of `within`.

    Parameters
    ----------
    sizes : RulesNeeded
    name : str, optional
        For the legend.

    Attributes
    ----------
    ax_, figure_ : where it was drawn last
    line_, point_ : the curve and the point

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=50).fit(X[::2], y[::2])
    >>> display = RulesNeededDisplay.from_estimator(model, X[1::2], y[1::2], name="test")
    >>> display.chosen
    17
    """

    sizes: RulesNeeded
    name: str | None = None
    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    line_: Any = field(init=False, repr=False)
    point_: Any = field(init=False, repr=False)

    @property
    def chosen(self) -> int:
        """The number of rules at the point."""
        sizes = self.sizes
        if sizes.standard_error is not None:
            return sizes.needed(sizes.standard_error)
        return sizes.needed(sizes.within[0] if sizes.within else 0.0)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        scoring: Any = "accuracy",
        within: float | Sequence[float] = (0.01,),
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the scores of a model after each round.

        Parameters
        ----------
        estimator : fitted booster, or a pipeline, search or decider with one inside
        X, y : data
        scoring, within, sample_weight
            See `underdog.inspection.rules_needed`.
        name, ax, **kwargs
            See `plot`; the name is by default that of the estimator's class.
        """
        sizes = rules_needed(
            estimator, X, y, scoring=scoring, within=within, sample_weight=sample_weight
        )
        name = type(estimator).__name__ if name is None else name
        return cls(sizes, name).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        name : str, optional
            For the legend.
        **kwargs
            For matplotlib's `plot` of the curve.
        """
        self.ax_ = ax = open_axes(self, ax)
        self.figure_ = ax.figure
        sizes, chosen = self.sizes, self.chosen
        name = self.name if name is None else name
        score = sizes.score_with(chosen)
        legend = f"{chosen} rules: {score:.3f}"
        label = legend if name is None else verbatim(f"{name} ({legend})")
        style = {"drawstyle": "steps-post", "linewidth": 1.5, "label": label}
        (self.line_,) = ax.plot(sizes.rules, sizes.scores, **{**style, **kwargs})
        color = self.line_.get_color()
        (self.point_,) = ax.plot(chosen, score, "o", color=color, zorder=3.0)
        ax.axvline(chosen, linestyle=":", zorder=1.0, **HINT)
        ax.set(xlabel="rules", ylabel=verbatim(sizes.scoring))
        ax.legend(loc="lower right", fontsize="small")
        return self

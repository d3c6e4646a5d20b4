"""How surely a booster is right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from underdog.checks import check_positive
from underdog.displays.axes import HINT, open_axes, verbatim
from underdog.displays.ranking import classes_of, of_predictions
from underdog.estimators.support.predictions import Predictions
from underdog.games import voting_margins
from underdog.types import Floats


@dataclass(eq=False)
class MarginDisplay:
    """The cumulative distribution of the margins, with the smallest one marked.

    The margin of an example is y F(x) / (sum of the largest steps of the members): between -1 and
    1, above 0 where the vote is right, and 1 where it is unanimous. Make it with `from_estimator`
    or `from_predictions`; give `ax` to draw several boosters into one picture.

    Parameters
    ----------
    margins : (n,)
    name : str, optional
        For the legend.

    Attributes
    ----------
    ax_, figure_ : where it was drawn last
    line_ : the curve

    References
    ----------
    Schapire, Freund, Bartlett and Lee, "Boosting the margin", Annals of Statistics 26, 1998,
    figures 1 and 3 to 6.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> few = AdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> many = AdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> display = MarginDisplay.from_estimator(few, X, y, name="5 rounds")
    >>> longer = MarginDisplay.from_estimator(many, X, y, name="50 rounds", ax=display.ax_)
    >>> longer.minimum > display.minimum
    True
    """

    margins: Floats
    name: str | None = None
    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    line_: Any = field(init=False, repr=False)

    @property
    def minimum(self) -> float:
        """The smallest margin."""
        return float(self.margins.min())

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the margins of a fitted booster.

        Parameters
        ----------
        estimator : fitted booster of this library, of two classes
        X, y : data
            Training data as in the paper, or others.
        name, ax, **kwargs
            See `plot`; the name is by default that of the estimator's class.

        See Also
        --------
        underdog.games.margins : the numbers, and the best minimum margin that there could be.
        """
        if isinstance(estimator, Predictions):  # of others, voting_margins says what is wrong
            classes_of(estimator)
        name = type(estimator).__name__ if name is None else name
        return cls(voting_margins(estimator, X, y), name).plot(ax, **kwargs)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        scores: Any,
        *,
        scale: float = 1.0,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the margins of given scores.

        Parameters
        ----------
        y : (n,) labels of two classes
        scores : (n,) above 0 for the positive class
        scale : float, default=1
            The largest absolute score that there can be: the sum of the coefficients of a vote.
        pos_label : label, optional
            By default the last in sorted order.
        name, ax, **kwargs
            See `plot`.
        """
        check_positive("scale", scale)
        ranking = of_predictions(y, scores, pos_label)
        largest = float(np.abs(ranking.scores).max())
        if largest > scale * (1.0 + 1e-9):  # sums of coefficients are rounded
            raise ValueError(
                f"a score has the size {largest:.6g}, above scale={scale:.6g}: give the sum of the "
                "absolute coefficients as scale"
            )
        return cls(np.where(ranking.positive, 1.0, -1.0) * ranking.scores / scale, name).plot(
            ax, **kwargs
        )

    def plot(self, ax: Any = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        name : str, optional
            For the legend.
        **kwargs
            For matplotlib's `ecdf`.
        """
        self.ax_ = ax = open_axes(self, ax)
        self.figure_ = ax.figure
        name = self.name if name is None else name
        smallest = f"minimum {self.minimum:.3f}"
        label = smallest if name is None else verbatim(f"{name} ({smallest})")
        if not ax.lines:
            ax.axvline(0.0, linestyle=":", zorder=1.0, **HINT)
        self.line_ = ax.ecdf(self.margins, **{"label": label, **kwargs})
        color = self.line_.get_color()
        ax.plot(self.minimum, 0.0, "^", color=color, clip_on=False, zorder=3.0)
        ax.set(xlabel="margin", ylabel="share of examples", xlim=(-1.0, 1.0), ylim=(0.0, 1.0))
        ax.legend(loc="upper left", fontsize="small")
        return self

"""The margins of a booster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.checks import check_positive
from underdog.displays.axes import HINT
from underdog.displays.base import CurveDisplay, name_of, with_name
from underdog.displays.ranking import classes_of, of_predictions
from underdog.estimators.support.predictions import Predictions
from underdog.games import voting_margins
from underdog.inspection.parameters import documented
from underdog.types import Floats


@documented
@dataclass(eq=False, repr=False)
class MarginDisplay(CurveDisplay):
    """The cumulative distribution of the margins, with the smallest one marked.

    The margin of an example is y F(x) / (sum of the largest steps of the members): between -1 and
    1, above 0 if the prediction is correct, and 1 if all rules agree on it. Create it with
    `from_estimator` or `from_predictions`; pass `ax` to draw several boosters in one figure.

    Parameters
    ----------
    margins : (n,)
    name

    Attributes
    ----------
    ax_, figure_
    line_ : the curve

    References
    ----------
    Schapire, Freund, Bartlett and Lee, "Boosting the margin", Annals of Statistics 26, 1998,
    figures 1 and 3 to 6.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, MarginDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> few = AdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> many = AdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> display = MarginDisplay.from_estimator(few, X, y, name="5 rounds")
    >>> longer = MarginDisplay.from_estimator(many, X, y, name="50 rounds", ax=display.ax_)
    >>> display
    MarginDisplay(569 margins, minimum -0.330)
    >>> longer.minimum > display.minimum
    True
    """

    margins: Floats
    name: str | None = None

    @property
    def minimum(self) -> float:
        """The smallest margin."""
        return float(self.margins.min())

    @classmethod
    @documented
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

        See Also
        --------
        underdog.games.margins : the numbers, and the best minimum margin that there could be.
        """
        if isinstance(estimator, Predictions):  # of others, voting_margins says what is wrong
            classes_of(estimator)
        return cls(voting_margins(estimator, X, y), name_of(estimator, name)).plot(ax, **kwargs)

    @classmethod
    @documented
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
        y
        scores : (n,) above 0 for the positive class
        scale : float, default=1
            The largest absolute score that there can be: the sum of the coefficients of a vote.
        pos_label, name, ax, **kwargs
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

    def _summary(self) -> str:
        return f"{len(self.margins):,} margins, minimum {self.minimum:.3f}"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        first = not ax.lines
        if first:
            ax.axvline(0.0, linestyle=":", zorder=1.0, **HINT)
        label = with_name(name, f"minimum {self.minimum:.3f}")
        self.line_ = ax.ecdf(self.margins, **{"label": label, **style})
        color = self.line_.get_color()
        ax.plot(self.minimum, 0.0, "^", color=color, clip_on=False, zorder=3.0)
        low, high = self._limits()
        if not first:  # those of all displays in these axes
            low, high = min(low, ax.get_xlim()[0]), max(high, ax.get_xlim()[1])
        ax.set(xlabel="margin", ylabel="share of examples", xlim=(low, high), ylim=(0.0, 1.0))

    def _limits(self) -> tuple[float, float]:
        """From the smallest margin to the largest; with 0 if it is not far off."""
        low, high = self.minimum, float(self.margins.max())
        if 0.0 < low < high - low:
            low = 0.0
        if high < 0.0 and -high < high - low:
            high = 0.0
        room = 0.03 * (high - low) or 0.1
        return low - room, high + room

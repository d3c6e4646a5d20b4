"""The columns with the largest importances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.checks import check_integer
from underdog.displays.axes import BLUE, GREY
from underdog.displays.base import Bars, BarsDisplay, largest
from underdog.inspection.parameters import documented
from underdog.inspection.unwrap import unwrap
from underdog.types import Floats


@documented
@dataclass(eq=False, repr=False)
class ImportanceDisplay(BarsDisplay):
    """The columns with the largest `feature_importances_`, as bars.

    The importance of a column is the share of its rules in the decrease of the loss or, if a margin
    is maximised, in the coefficients. It does not show in which direction a column changes the
    score; a `ShapeDisplay` does.

    Parameters
    ----------
    importances : (d,)
    names : (d,) of the columns
    max_display : int, default=10
        Number of columns to draw, the most important first; the others are one bar.

    Attributes
    ----------
    ax_, figure_, bars_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, ImportanceDisplay
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20).fit(data.data, data.target)
    >>> display = ImportanceDisplay.from_estimator(model, max_display=3)
    >>> display
    ImportanceDisplay(3 of 12 columns)
    >>> [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ['worst perimeter', 'worst concave points', 'worst texture', '9 more']
    """

    importances: Floats
    names: Sequence[str]
    max_display: int = 10

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        *,
        max_display: int = 10,
        feature_names: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the most important columns of a model.

        Parameters
        ----------
        estimator
        max_display : int, default=10
        feature_names, ax
        """
        explained = unwrap(estimator, feature_names)
        importances = explained.booster.feature_importances_
        names = [explained.schema.name(column) for column in range(len(importances))]
        return cls(importances, names, max_display).plot(ax)

    @property
    def _order(self) -> list[int]:
        """Columns with an importance above 0, the largest first."""
        order = np.argsort(-self.importances, kind="stable")
        used: list[int] = order[self.importances[order] > 0.0].tolist()
        return used

    def _summary(self) -> str:
        count = len(self._order)
        return f"{min(self.max_display, count)} of {count} columns"

    def _bars(self) -> Bars:
        check_integer("max_display", self.max_display, 1)
        order = self._order
        if not order:
            raise ValueError("the model uses no column: there is nothing to draw")
        names, widths = largest(self.importances, order, self.names.__getitem__, self.max_display)
        colors = [BLUE] * len(widths)
        if len(order) > self.max_display:
            colors[-1] = GREY
        return Bars(names, widths, colors, form=".3f")

    def _compare(self, ax: Any) -> Sequence[float]:
        ax.set_xlabel("importance")
        return ()

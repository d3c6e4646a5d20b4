"""The hardest examples of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from underdog.displays.axes import BLUE, HINT, ORANGE
from underdog.displays.base import Bars, BarsDisplay
from underdog.inspection import Hardest, hardest
from underdog.inspection.parameters import documented
from underdog.model.writing import shortened

NAME_LENGTH = 16
"""Letters of a class or of the name of a row."""


@documented
@dataclass(eq=False, repr=False)
class HardestDisplay(BarsDisplay):
    """The examples with the largest weights, as multiples of an even share.

    Examples whose prediction differs from the given label have another colour: check their labels
    first. The dashed line is an even share.

    Parameters
    ----------
    hardest : Hardest
    index : sequence, optional
        Names of the rows. By default those of the data frame's index, if it is not 0, 1, 2 and so
        on, or else their numbers from 0.

    Attributes
    ----------
    ax_, figure_, bars_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, HardestDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> display = HardestDisplay.from_estimator(model, X, y, n=2)
    >>> display
    HardestDisplay(2 of 569 examples)
    >>> [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ['row 135: labelled 0, predicted 1', 'row 263: labelled 0, predicted 1']
    """

    hardest: Hardest
    index: Sequence[Any] | None = None

    @classmethod
    @documented
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, n: int = 10, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Find and draw them.

        Parameters
        ----------
        estimator
        X, y : the training data
        n : int, default=10
            How many.
        ax
        **kwargs : for `underdog.inspection.hardest`: sample_weight, label_names
        """
        return cls(hardest(estimator, X, y, n, **kwargs)).plot(ax)

    def _summary(self) -> str:
        return f"{len(self.hardest)} of {self._count}"

    @property
    def _count(self) -> str:
        found = self.hardest
        several = any(example.label is not None for example in found.each)
        return f"{found.n_examples:,} {'labels of examples' if several else 'examples'}"

    def _bars(self) -> Bars:
        found = self.hardest
        times = [example.share * found.n_examples for example in found.each]
        colors = [BLUE if each.given == each.predicted else ORANGE for each in found.each]
        return Bars([self._name(each) for each in found.each], times, colors, name_length=99)

    def _name(self, example: Any) -> str:
        index = self.hardest.numbering.index if self.index is None else self.index
        row = f"row {example.row}"
        if index is not None:
            row = f"index {shortened(index[example.row], NAME_LENGTH)}"
        label = "" if example.label is None else f"{shortened(example.label, NAME_LENGTH)} "
        pair = (example.given, example.predicted)
        given, predicted = (shortened(each, NAME_LENGTH) for each in pair)
        return f"{row}: {label}labelled {given}, predicted {predicted}"

    def _compare(self, ax: Any) -> Sequence[float]:
        ax.axvline(1.0, linestyle="--", zorder=1.0, **HINT)
        ax.set_xlabel(f"times an even share of the {self.hardest.measure}")
        ax.set_title(f"the hardest of {self._count}", fontsize="medium")
        return (1.0,)

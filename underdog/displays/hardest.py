"""The hardest examples of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

from underdog.displays.axes import BLUE, HINT, ORANGE
from underdog.displays.base import Bars, BarsDisplay
from underdog.inspection import Hardest, hardest
from underdog.inspection.parameters import documented
from underdog.model.writing import number_format, score_format, shortened

NAME_LENGTH = 16
"""Letters of a class or of the name of a row."""


@documented
@dataclass(eq=False, repr=False)
class HardestDisplay(BarsDisplay):
    """The examples with the largest weights, as multiples of an even share.

    Examples whose prediction differs from the given label have another colour: check their labels
    first. The dashed line is an even share.

    Of a regressor, the bars are the residuals of the examples with the largest losses, in the unit
    of the target: blue where the target is higher than predicted.

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
        several = any(getattr(example, "label", None) is not None for example in found.each)
        return f"{found.n_examples:,} {'labels of examples' if several else 'examples'}"

    def _bars(self) -> Bars:
        found, each = self.hardest, cast(Sequence[Any], self.hardest.each)
        names = [self._name(example) for example in each]
        if found.explained.is_regressor:
            widths = [example.residual for example in each]
            colors = [BLUE if width > 0.0 else ORANGE for width in widths]
            form = score_format(widths)
        else:
            widths = [example.share * found.n_examples for example in each]
            colors = [BLUE if one.given == one.predicted else ORANGE for one in each]
            form = ".3g"
        return Bars(names, widths, colors, form=form, name_length=99)

    def _name(self, example: Any) -> str:
        index = self.hardest.numbering.index if self.index is None else self.index
        row = f"row {example.row}"
        if index is not None:
            row = f"index {shortened(index[example.row], NAME_LENGTH)}"
        if self.hardest.explained.is_regressor:
            values = example.observed, example.predicted
            observed, predicted = (f"{value:{number_format(values)}}" for value in values)
            return f"{row}: observed {observed}, predicted {predicted}"
        label = "" if example.label is None else f"{shortened(example.label, NAME_LENGTH)} "
        pair = (example.given, example.predicted)
        given, predicted = (shortened(each, NAME_LENGTH) for each in pair)
        return f"{row}: {label}labelled {given}, predicted {predicted}"

    def _compare(self, ax: Any) -> Sequence[float]:
        if self.hardest.explained.is_regressor:
            ax.set_xlabel("residual: observed - predicted")
            ax.set_title(f"the largest losses of {self._count}", fontsize="medium")
            return ()
        ax.axvline(1.0, linestyle="--", zorder=1.0, **HINT)
        ax.set_xlabel(f"times an even share of the {self.hardest.measure}")
        ax.set_title(f"the hardest of {self._count}", fontsize="medium")
        return (1.0,)

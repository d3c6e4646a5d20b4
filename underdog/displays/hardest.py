"""Which examples a model finds hardest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from underdog.displays.axes import HINT, open_axes, shortened, verbatim
from underdog.inspection import Hardest, hardest

WRONG, RIGHT = "#D55E00", "#0072B2"
"""Colours that everybody can tell apart (Okabe and Ito)."""


@dataclass(eq=False)
class HardestDisplay:
    """The examples with the largest weights: how many times an even share each of them has.

    Those on which the model contradicts the label that was given have another colour: look at
    their labels first.

    Parameters
    ----------
    hardest : Hardest

    Attributes
    ----------
    ax_, figure_ : where it was drawn last
    bars_ : the bars

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> display = HardestDisplay.from_estimator(model, X, y, n=2)
    >>> [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ['row 135: 0, not 1', 'row 263: 0, not 1']
    """

    hardest: Hardest
    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    bars_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, n: int = 10, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Find and draw them.

        Parameters
        ----------
        estimator : fitted booster, or a pipeline, search or decider with one inside
        X, y : the training data
        n : int, default=10
            How many.
        ax
            See `plot`.
        **kwargs
            For `underdog.inspection.hardest`: sample_weight, label_names.
        """
        return cls(hardest(estimator, X, y, n, **kwargs)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        """
        found = self.hardest
        self.ax_ = ax = open_axes(self, ax)
        self.figure_ = ax.figure
        times = [example.share * found.n_examples for example in found.each]
        colors = [WRONG if each.truth != each.decided else RIGHT for each in found.each]
        places = np.arange(len(times))
        self.bars_ = ax.barh(places, times, 0.7, color=colors)
        ax.bar_label(self.bars_, [f"{each:.3g}" for each in times], padding=3, fontsize="small")
        names = [verbatim(shortened(_name(example), 40)) for example in found.each]
        ax.set_yticks(places, names, fontsize="small")
        ax.invert_yaxis()
        ax.axvline(1.0, linestyle="--", zorder=1.0, **HINT)
        ax.set_xlim(0.0, 1.15 * max(times, default=1.0))
        ax.set_xlabel(f"times an even share of the {found.measure.split()[0]}")
        ax.set_title(f"the hardest of {found.n_examples:,}", fontsize="medium")
        return self


def _name(example: Any) -> str:
    about = f"row {example.row}: "
    if example.label is not None:
        about += f"{example.label} "
    if example.truth == example.decided:
        return f"{about}{example.truth}"
    return f"{about}{example.truth}, not {example.decided}"

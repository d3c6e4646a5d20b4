"""Why one row has its score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from underdog.checks import check_max_display
from underdog.displays.axes import HINT, open_axes, shortened, verbatim
from underdog.inspection import Contributions, contributions

AGAINST, FOR, WHOLE = "#D55E00", "#0072B2", "0.45"
"""Colours that everybody can tell apart (Okabe and Ito), and grey."""


@dataclass(eq=False)
class ContributionDisplay:
    """What the columns, or the rules, add to the score of one row, as bars.

    Each bar begins where the one above it ends, so that the last one ends at the score.

    Parameters
    ----------
    contributions : Contributions
    row : int, default=0
    max_display : int, optional
        How many contributions to draw, by default 10; the others are one bar.
    label : str, optional
        Whose score; by default that of the label with the highest.

    Attributes
    ----------
    ax_, figure_ : where it was drawn last
    bars_ : the bars

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20).fit(data.data, data.target)
    >>> display = ContributionDisplay.from_estimator(model, data.data[:1], max_display=1)
    >>> [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ['worst concave points > 0.1766', '11 more', 'score']
    """

    contributions: Contributions
    row: int = 0
    max_display: int | None = 10
    label: str | None = None
    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    bars_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        row: int = 0,
        by: str = "column",
        max_display: int | None = 10,
        label: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Explain one row of X.

        Parameters
        ----------
        estimator : fitted booster, or a pipeline, search or decider with one inside
        X : rows
        row : int, default=0
            Which of them.
        by : "column" or "rule", default="column"
        most, label
            See the class.
        ax
            See `plot`.
        **kwargs
            For `underdog.inspection.contributions`: feature_names, label_names.
        """
        return cls(contributions(estimator, X, by=by, **kwargs), row, max_display, label).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default those of a new figure.
        """
        found, row = self.contributions, self.row
        found.check_row(row)
        check_max_display(self.max_display)
        k = found.label_number(row, self.label)
        own, order = found.values[row, :, k], found.strongest(row, k)
        shown = order if self.max_display is None else order[: self.max_display]
        names = [found.words(row, u) for u in shown.tolist()]
        steps = own[shown].tolist()
        if found.base[k]:
            names, steps = ["to start with", *names], [float(found.base[k]), *steps]
        if len(shown) < len(order):
            names.append(f"{len(order) - len(shown)} more")
            steps.append(float(own[order[len(shown) :]].sum()))
        ends = np.cumsum(steps)
        score = float(found.scores[row, k])
        self.ax_ = ax = open_axes(self, ax)
        self.figure_ = ax.figure
        starts = np.append(ends - steps, 0.0)
        widths = np.append(steps, score)
        colors = [FOR if step > 0 else AGAINST for step in steps] + [WHOLE]
        places = np.arange(len(widths))
        self.bars_ = ax.barh(places, widths, 0.7, left=starts, color=colors)
        ax.bar_label(self.bars_, [f"{width:+.2f}" for width in widths], padding=3, fontsize="small")
        labels = [verbatim(shortened(name, 40)) for name in [*names, "score"]]
        ax.set_yticks(places, labels, fontsize="small")
        ax.invert_yaxis()
        ax.axvline(0.0, zorder=1.0, **HINT)
        reach = [0.0, *ends.tolist(), score]
        room = 0.22 * (max(reach) - min(reach)) or 1.0
        ax.set_xlim(min(reach) - room, max(reach) + room)
        ax.set_xlabel(verbatim(f"score for {found.labels[k]!r}"))
        ax.set_title(verbatim(found.verdict(row, k).replace("; ", "\n")), fontsize="medium")
        return self

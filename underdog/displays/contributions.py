"""Why one row has its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from underdog.checks import check_max_display
from underdog.displays.axes import BLUE, GREY, HINT, ORANGE, label_of, verbatim
from underdog.displays.base import Bars, BarsDisplay, largest
from underdog.displays.threshold import score_threshold
from underdog.inspection import Contributions, contributions
from underdog.inspection.parameters import documented
from underdog.model.writing import number_format, score_format


@documented
@dataclass(eq=False, repr=False)
class ContributionDisplay(BarsDisplay):
    """The contributions of columns, or of rules, to the score of one row, as bars.

    Each bar begins where the one above it ends, and the last one ends at the score. If the decision
    threshold is not 0, because of a threshold, costs or a calibration around the booster, it is a
    dashed line.

    Of a regressor, bars begin at the baseline, which is often much larger than all of them, and the
    last bar is their sum: it ends at the score.

    Parameters
    ----------
    contributions : Contributions
    row : int, default=0
    max_display : int, optional
        Number of contributions to draw; the others are one bar. None for all.
    label : str, optional
        The label whose score is explained; by default the one with the highest score, or the
        quantile closest to the median.

    Attributes
    ----------
    ax_, figure_, bars_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, ContributionDisplay
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20).fit(data.data, data.target)
    >>> display = ContributionDisplay.from_estimator(model, data.data[:1], max_display=1)
    >>> display
    ContributionDisplay(row 0: 1 of 12 contributions)
    >>> [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ['worst concave points > 0.1766', '11 more', 'score']
    """

    contributions: Contributions
    row: int = 0
    max_display: int | None = 10
    label: str | None = None

    @classmethod
    @documented
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
        estimator
        X : rows
        row : int, default=0
            The row to explain.
        by : "column" or "rule", default="column"
        max_display, label
            See the class.
        ax
        **kwargs : for `underdog.inspection.contributions`: feature_names, label_names
        """
        return cls(contributions(estimator, X, by=by, **kwargs), row, max_display, label).plot(ax)

    def _summary(self) -> str:
        count = len(self.contributions.strongest(self.row, self._number))
        shown = count if self.max_display is None else min(self.max_display, count)
        return f"row {self.row}: {shown} of {count} contributions"

    @property
    def _number(self) -> int:
        """Of the label whose score is drawn."""
        self.contributions.check_row(self.row)
        return self.contributions.label_number(self.row, self.label)

    def _bars(self) -> Bars:
        check_max_display(self.max_display)
        found, row, k = self.contributions, self.row, self._number
        order = found.strongest(row, k).tolist()
        names, steps = largest(
            found.values[row, :, k], order, partial(found.words, row), self.max_display
        )
        base, score = float(found.base[k]), float(found.scores[row, k])
        if found.explained.is_regressor:
            colors = [BLUE if step > 0 else ORANGE for step in steps]
            starts = base + np.append(np.cumsum(steps) - steps, 0.0)
            steps.append(score - base)
            form = score_format(steps)
            return Bars([*names, "sum"], steps, [*colors, GREY], starts, form, zero=base)
        if base:
            names, steps = ["baseline", *names], [base, *steps]
        colors = [BLUE if step > 0 else ORANGE for step in steps]
        starts = np.append(np.cumsum(steps) - steps, 0.0)
        return Bars([*names, "score"], [*steps, score], [*colors, GREY], starts, "+.2f")

    def _compare(self, ax: Any) -> Sequence[float]:
        found, k = self.contributions, self._number
        ax.set_xlabel(verbatim(found.explained.score_name(k, 36)))
        verdict = found.verdict(self.row, k).split("; ")
        ax.set_title("\n".join(label_of(line, 48) for line in verdict), fontsize="medium")
        if found.explained.is_regressor:
            base = float(found.base[k])
            self._mark_above(ax, base, f"baseline {base:{number_format([base])}}")
            return ()
        threshold = score_threshold(found.explained)
        if threshold is None or abs(threshold) < 1e-9:  # 0 has its line
            return ()
        ax.axvline(threshold, linestyle="--", zorder=1.0, **HINT)
        self._mark_above(ax, threshold, f"threshold {threshold:.3g}")
        return (threshold,)

    def _mark_above(self, ax: Any, place: float, text: str) -> None:
        """A tick at the top, as the title makes room for it."""
        above = ax.secondary_xaxis("top")
        above.set_xticks([place], [text], fontsize="small")

"""The mean cost of predictions at each threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.costs import Costs
from underdog.decisions.rules import best_threshold, trace
from underdog.displays.axes import hint, of_class, verbatim
from underdog.displays.base import CurveDisplay, name_of
from underdog.displays.ranking import Ranking, of_estimator, of_predictions
from underdog.inspection.parameters import documented
from underdog.types import Floats

SCALES = {"decision_function": "score", "predict_proba": "probability", None: "score"}


@documented
@dataclass(eq=False, repr=False)
class CostCurveDisplay(CurveDisplay):
    """Mean cost of an example by threshold, with the cheapest threshold and the one in use marked.

    Create it with `from_estimator` or `from_predictions`. Horizontal lines are the costs of never
    and of always predicting the positive class. The cheapest threshold is chosen on the examples
    that are drawn; on new examples it will cost more. To choose a threshold, use
    `ThresholdClassifier`.

    Parameters
    ----------
    thresholds, mean_costs : arrays
        From the highest threshold, the largest score, where no example is predicted positive, to
        the lowest, just below the smallest score. The others are midway between adjacent scores.
    best : (threshold, mean cost)
        The cheapest threshold; of several, the highest.
    used : (threshold, mean cost), optional
        The threshold in use.
    pos_label : label, optional
        The positive class.
    scale : str, default="score"
        What the thresholds are on.
    name

    Attributes
    ----------
    ax_, figure_
    line_ : the curve

    Examples
    --------
    >>> from underdog import CostCurveDisplay, Costs
    >>> display = CostCurveDisplay.from_predictions(
    ...     [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], Costs(fn=10, fp=1), threshold=0.5
    ... )
    >>> display
    CostCurveDisplay(cheapest 0.25 at 0.2; 2.5 at 0.5 in use)
    >>> display.mean_costs.tolist()
    [5.0, 2.5, 2.75, 0.25, 0.5]
    >>> display.best, display.used
    ((0.2, 0.25), (0.5, 2.5))
    """

    thresholds: Floats
    mean_costs: Floats
    best: tuple[float, float]
    used: tuple[float, float] | None = None
    pos_label: Any = None
    scale: str = "score"
    name: str | None = None

    @property
    def never(self) -> float:
        """The mean cost if no example is predicted positive."""
        return float(self.mean_costs[0])

    @property
    def always(self) -> float:
        """The mean cost if all examples are predicted positive."""
        return float(self.mean_costs[-1])

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        costs: Costs,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the costs of the predictions of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier of two classes
            Thresholds are on its probabilities, or on its scores if it has none. For a
            `ThresholdClassifier` they are on the scores that it uses.
        X, y : data
        costs : Costs
            May have costs for each of these examples.
        pos_label, name, ax, **kwargs
        """
        methods = ("predict_proba", "decision_function")
        ranking = of_estimator(estimator, X, y, pos_label, methods)
        return cls._of_ranking(ranking, costs, name_of(estimator, name)).plot(ax, **kwargs)

    @classmethod
    @documented
    def from_predictions(
        cls,
        y: Any,
        scores: Any,
        costs: Costs,
        *,
        threshold: float | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the costs of predictions by given scores or probabilities.

        Parameters
        ----------
        y, scores
        costs : Costs
            May have costs for each of these examples.
        threshold, pos_label, name, ax, **kwargs
        """
        ranking = of_predictions(y, scores, pos_label, threshold)
        return cls._of_ranking(ranking, costs, name).plot(ax, **kwargs)

    @classmethod
    def _of_ranking(cls, ranking: Ranking, costs: Costs, name: str | None) -> Self:
        if not isinstance(costs, Costs):
            raise TypeError(f"costs={costs!r:.60} must be Costs, such as Costs(fn=10, fp=1)")
        count, place, scores = len(ranking.scores), ranking.place, ranking.scores
        true = np.where(ranking.positive, place, 1 - place)
        quiet, alarm = (
            costs.each(true, np.full(count, decided), ranking.classes, place)
            for decided in (1 - place, place)
        )
        curve = trace(scores, ranking.positive, np.ones(count), (quiet, alarm))
        thresholds, mean_costs = curve["threshold"], curve["cost"] / count
        thresholds[[0, -1]] = scores.max(), np.nextafter(scores.min(), -np.inf)
        cheapest = best_threshold(costs, curve)
        used = None
        if ranking.threshold is not None:
            cost = float(np.where(scores > ranking.threshold, alarm, quiet).mean())
            used = float(ranking.threshold), cost
        return cls(
            thresholds,
            mean_costs,
            (float(thresholds[cheapest]), float(mean_costs[cheapest])),
            used,
            ranking.pos_label,
            SCALES[ranking.method],
            name,
        )

    def _summary(self) -> str:
        threshold, cost = self.best
        used = "" if self.used is None else f"; {self.used[1]:.3g} at {self.used[0]:.3g} in use"
        return f"cheapest {cost:.3g} at {threshold:.3g}{used}"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        label = verbatim(name or "mean cost")
        (self.line_,) = ax.plot(
            self.thresholds,
            self.mean_costs,
            **{"drawstyle": "steps-mid", "label": label, **style},
        )
        self._mark(self.best, "o", "cheapest")
        if self.used is not None:
            self._mark(self.used, "D", "in use")
        hint(ax, self.never, f"never: {self.never:.3g}", "--")
        hint(ax, self.always, f"always: {self.always:.3g}", ":")
        scale = f"threshold on the {self.scale}{of_class(self.pos_label)}"
        ax.set(xlabel=scale, ylabel="mean cost of an example")

    def _mark(self, point: tuple[float, float], marker: str, what: str) -> None:
        threshold, cost = point
        self.ax_.plot(
            # An infinite threshold is at the end of the curve.
            np.clip(threshold, self.thresholds[-1], self.thresholds[0]), cost, marker,
            color=self.line_.get_color(), markerfacecolor="white" if marker == "D" else None,
            zorder=3.0, label=f"{what}: {cost:.3g} at {threshold:.3g}",
        )  # fmt: skip

"""Precision against recall, and the operating point of a classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from underdog.decisions.rules import Curve, trace
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.displays.axes import hint
from underdog.displays.base import CurveDisplay, name_of, with_name
from underdog.displays.ranking import Ranking, of_estimator, of_predictions
from underdog.inspection.parameters import documented
from underdog.types import Floats


@documented
@dataclass(eq=False, repr=False)
class PrecisionRecallPointDisplay(CurveDisplay):
    """Precision against recall over all thresholds, with the threshold in use marked.

    Create it with `from_estimator` or `from_predictions`. The dashed line is chance level: the
    precision of random predictions is the share of the positives.

    Parameters
    ----------
    precision, recall : arrays
        For each threshold, from the highest with a positive prediction to the lowest.
    average_precision : float
        Precision at each threshold, weighted by how much recall it adds.
    chance : float
        Share of the positives.
    threshold
    point : (recall, precision), optional
        At the threshold. None if it is not known, or if no example is predicted positive.
    name

    Attributes
    ----------
    ax_, figure_
    line_ : the curve

    Examples
    --------
    >>> from underdog import PrecisionRecallPointDisplay
    >>> y, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> display = PrecisionRecallPointDisplay.from_predictions(y, scores, threshold=0.3)
    >>> display
    PrecisionRecallPointDisplay(AP = 0.83, threshold 0.3)
    >>> display.recall.tolist(), round(display.average_precision, 3)
    ([0.5, 0.5, 1.0, 1.0], 0.833)
    >>> recall, precision = display.point
    >>> recall, round(precision, 3)
    (1.0, 0.667)
    """

    precision: Floats
    recall: Floats
    average_precision: float
    chance: float
    threshold: float | None = None
    point: tuple[float, float] | None = None
    name: str | None = None

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier of two classes
        X, y : data, optional
            The threshold of the estimator is marked. Without data, the out-of-fold curve of a
            `ThresholdClassifier` is drawn, with the threshold that it chose.
        pos_label, name, ax, **kwargs
        """
        name = name_of(estimator, name)
        if X is not None and y is not None:
            methods = ("decision_function", "predict_proba")
            ranking = of_estimator(estimator, X, y, pos_label, methods)
            return cls._of_ranking(ranking, name).plot(ax, **kwargs)
        if X is not None or y is not None:
            raise ValueError("give both X and y, or neither for the out-of-fold curve")
        if not isinstance(estimator, ThresholdClassifier):
            raise ValueError(
                f"{type(estimator).__name__} has no out-of-fold curve; only a ThresholdClassifier "
                "has one: give X and y"
            )
        check_is_fitted(estimator, "curve_")
        if pos_label is not None and pos_label != estimator.classes_[estimator._positive]:
            raise ValueError(
                f"pos_label={pos_label!r} is not the positive class of the out-of-fold curve: fit "
                "with it, or give X and y"
            )
        curve, threshold = estimator.curve_, estimator.threshold_
        chosen = int(np.flatnonzero(curve["threshold"] == threshold)[0])
        point = float(curve["recall"][chosen]), float(curve["precision"][chosen])
        return cls._of_curve(curve, threshold, point, f"{name}, out of fold").plot(ax, **kwargs)

    @classmethod
    @documented
    def from_predictions(
        cls,
        y: Any,
        scores: Any,
        *,
        threshold: float | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of given scores.

        Parameters
        ----------
        y, scores
        threshold, pos_label, name, ax, **kwargs
        """
        ranking = of_predictions(y, scores, pos_label, threshold)
        return cls._of_ranking(ranking, name).plot(ax, **kwargs)

    @classmethod
    def _of_ranking(cls, ranking: Ranking, name: str | None) -> Self:
        curve = trace(ranking.scores, ranking.positive, np.ones(len(ranking.scores)))
        point = None
        if ranking.threshold is not None:
            alarm = ranking.scores > ranking.threshold
            hits = int((alarm & ranking.positive).sum())
            precision = hits / int(alarm.sum()) if alarm.any() else np.nan
            point = hits / int(ranking.positive.sum()), precision
        return cls._of_curve(curve, ranking.threshold, point, name)

    @classmethod
    def _of_curve(
        cls,
        curve: Curve,
        threshold: float | None,
        point: tuple[float, float] | None,
        name: str | None,
    ) -> Self:
        precision, recall = curve["precision"][1:], curve["recall"]  # the first has no alarms
        average = float((np.diff(recall) * precision).sum())
        if point is not None and np.isnan(point[1]):
            point = None
        return cls(precision, recall[1:], average, float(precision[-1]), threshold, point, name)

    def _summary(self) -> str:
        used = "" if self.threshold is None else f", threshold {self.threshold:.3g}"
        return f"AP = {self.average_precision:.2f}{used}"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        label = with_name(name, f"AP = {self.average_precision:.2f}")
        (self.line_,) = ax.plot(
            np.append(0.0, self.recall),
            np.append(self.precision[0], self.precision),
            # The curve of which the average precision is the area.
            **{"drawstyle": "steps-pre", "label": label, **style},
        )
        if self.point is not None:
            recall, precision = self.point
            where = f"{precision:.2f} at recall {recall:.2f}, threshold {self.threshold:.3g}"
            color = self.line_.get_color()
            ax.plot(recall, precision, "o", color=color, clip_on=False, zorder=3.0, label=where)
        hint(ax, self.chance, f"chance ({self.chance:.2f})", "--")
        ax.set(xlabel="recall", ylabel="precision", xlim=(0.0, 1.0), ylim=(0.0, 1.05))

"""What a comparison found."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from underdog.comparison.measures import MEASURES
from underdog.comparison.paired import LEVEL, Difference, corrected_t, holm, interval, two_digits
from underdog.comparison.trial import Row
from underdog.inspection.result import Result
from underdog.model import markup
from underdog.model.writing import counted, number_format, shortened, text_table
from underdog.types import Floats

HELD_OUT = "On the held-out rows, after training on all others:"


class Comparison(Result):
    """Measures of every model on every fold; `compare` makes it.

    Measures:

    - F1, average precision and ROC AUC of the positive class; with several classes, their means
      over one class against the rest (from probabilities if the model has them). They are not
      defined in a fold without all classes; such folds are left out of their means.
    - Brier score and log loss, for models with probabilities.
    - RMSE, MAE and R2 of regressors (of the median, if it is one of several quantiles), and what
      suits their loss: the Poisson deviance, or the pinball loss (mean over the quantiles) and the
      coverage (share of examples between the lowest and the highest quantile).
    - Size: the number of rules, trees or non-zero coefficients.
    - Mean cost per example, if `costs` are given. For models that decide by cost (with `costs` or a
      chosen threshold) and for models without probabilities, it is the cost of their predictions.
      For all others, among them AdaUBoost, it is the cost of the predictions of least expected cost
      by their probabilities.

    Attributes
    ----------
    results : dict of arrays
        One entry per model and fold: model, fold, the measures, error (the first line, empty if
        there was none) and warnings.
    models : list of str
        From the best to the worst; those that failed everywhere are last.
    main_measure : str
        By which they are sorted: cost, average_precision for two classes, or f1.
    about : str
        What was compared.
    how : str
        How the folds were made; empty if they were drawn row by row.
    held_out : dict
        The measures of each model on the held-out rows, by model; empty if there are none.
    failed_last : list of str
        What went wrong on the held-out rows, if anything did.
    """

    _see: ClassVar[str] = "table(), statement(), differences(), to_frame()"

    def __init__(
        self,
        rows: list[Row],
        main_measure: str,
        ratio: float,
        about: str,
        how: str = "",
        held_out: Sequence[Row] = (),
    ) -> None:
        self.main_measure = main_measure
        self.about, self.how = about, how
        self._ratio = ratio
        names = list(rows[0])
        self.results = {name: _column([row[name] for row in rows]) for name in names}
        found = list(dict.fromkeys(row["model"] for row in rows))
        self.models = sorted(found, key=self._rank)
        last = {row["model"]: row for row in held_out}
        self.held_out = {
            model: {name: last[model][name] for name in self._measured()}
            for model in self.models
            if model in last
        }
        self.failed_last = [
            f"{name} failed: {row['error']}" for name, row in last.items() if row["error"]
        ]

    def _rank(self, model: str) -> tuple[bool, float]:
        mean = interval(self._values(model, self.main_measure))[0]
        better = MEASURES[self.main_measure].larger_is_better
        return bool(np.isnan(mean)), -mean if better else mean

    def _values(self, model: str, measure: str) -> Floats:
        """(k,) in the order of the folds."""
        mine = np.flatnonzero(self.results["model"] == model)
        order = mine[np.argsort(self.results["fold"][mine])]
        values: Floats = self.results[measure][order]
        return values

    def summary(self) -> dict[str, dict[str, tuple[float, float]]]:
        """Mean over folds and half the width of its 95% interval, by model and measure.

        Folds in which a measure does not exist are left out.
        """
        return {
            model: {measure: interval(self._values(model, measure)) for measure in self._measured()}
            for model in self.models
        }

    def _measured(self) -> list[str]:
        """Measures that some model has."""
        known = [name for name in MEASURES if name in self.results]
        return [name for name in known if not np.isnan(self.results[name]).all()]

    def table(self) -> str:
        """Mean and 95% interval of each measure as text, best model first, and what to know."""
        lines = [*text_table(self.cells(), texts=1), "", *self.notes()]
        if self.held_out:
            lines += ["", HELD_OUT, *text_table(self.held_out_cells(), texts=1), *self.failed_last]
        return "\n".join(lines)

    def cells(self) -> list[list[str]]:
        """The table as texts, head first."""
        return self._cells(self.summary())

    def held_out_cells(self) -> list[list[str]]:
        """The same for the held-out rows."""
        return self._cells(
            {
                model: {name: (value, np.nan) for name, value in measures.items()}
                for model, measures in self.held_out.items()
            }
        )

    def _cells(self, summary: dict[str, dict[str, tuple[float, float]]]) -> list[list[str]]:
        columns = [["model", *self.models]]
        for name in self._measured():
            values = [summary[model][name] for model in self.models]
            digits = number_format([mean for mean, _ in values], 3)  # the same in all lines
            columns.append([MEASURES[name].title, *(_shown(*each, digits) for each in values)])
        return [list(row) for row in zip(*columns, strict=True)]

    def notes(self) -> list[str]:
        """What to know about the table, in sentences."""
        folds = len(np.unique(self.results["fold"]))
        interval = "half-width of the 95% interval (Student t)"
        notes = [f"{self.about}; mean over {folds} folds ± {interval}"]
        notes += [self.how] if self.how else []
        for model in self.models:
            mine = self.results["model"] == model
            failed = [error for error in self.results["error"][mine] if error]
            if failed:
                notes.append(f"{model} failed in {len(failed)} of {folds} folds: {failed[0]}")
            for measure in self._measured():
                lost = int(np.isnan(self.results[measure][mine]).sum()) - len(failed)
                if 0 < lost < folds - len(failed):
                    title = MEASURES[measure].title
                    notes.append(
                        f"{model}: {title} is not defined in {lost} folds, which are left out"
                    )
            warned = [each for each in self.results["warnings"][mine] if each]
            if warned:
                notes.append(f"{model} warned in {len(warned)} of {folds} folds: {warned[0][0]}")
        return notes

    def differences(self, measure: str | None = None) -> list[Difference]:
        """For each pair of models whether they differ by more than noise.

        Parameters
        ----------
        measure : str, optional
            By default `main_measure`.

        References
        ----------
        Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003 (the
        corrected resampled t-test). Holm, Scandinavian Journal of Statistics 6, 1979 (many pairs).
        """
        measure = self._known(measure)
        sign = 1.0 if MEASURES[measure].larger_is_better else -1.0
        found = []
        for one, two in combinations(self.models, 2):
            by_fold = sign * (self._values(one, measure) - self._values(two, measure))
            found.append((one, two, corrected_t(by_fold[~np.isnan(by_fold)], self._ratio)))
        adjusted = holm([p_value for *_, (*_, p_value) in found])
        result = []
        for (one, two, (amount, low, high, _)), p_value in zip(found, adjusted, strict=True):
            if amount < 0.0:
                one, two, amount, low, high = two, one, -amount, -high, -low
            noise = not p_value < LEVEL
            result.append(Difference(one, two, measure, amount, low, high, p_value, not noise))
        return result

    def statement(self, measure: str | None = None) -> str:
        """What `differences` found, as a sentence."""
        measure = self._known(measure)
        title = MEASURES[measure].title
        pairs = self.differences(measure)
        parts = [
            f"{pair.better} is better than {pair.other} in {title} by "
            f"{two_digits(pair.amount)} ({two_digits(pair.low)} to {two_digits(pair.high)})"
            for pair in pairs
            if pair.larger_than_noise
        ]
        unknown = [pair for pair in pairs if np.isnan(pair.p_value)]
        same = [pair for pair in pairs if pair not in unknown and not pair.larger_than_noise]
        if len(same) == len(pairs) > 1:
            return f"no difference in {title} is larger than noise."
        if same:
            parts.append(f"there is no difference larger than noise between {_listed(same)}")
        if unknown:
            parts.append(f"there are too few folds to find a difference between {_listed(unknown)}")
        return f"{'; '.join(parts)}." if parts else "There is only one model."

    def _known(self, measure: str | None) -> str:
        measure = self.main_measure if measure is None else measure
        known = [name for name in MEASURES if name in self.results]
        if measure not in known:
            raise ValueError(f"there is no measure {measure!r}; there are {', '.join(known)}")
        return measure

    def _about(self) -> str:
        models = counted(len(self.models), "model")
        folds = counted(len(np.unique(self.results["fold"])), "fold")
        title = MEASURES[self.main_measure].title
        return f"{models}, {folds}; the best in {title} is {shortened(self.models[0])!r}"

    def _frame_columns(self) -> dict[str, Any]:
        """`results`: a line for each model and fold."""
        return self.results

    def _html_parts(self) -> list[str]:
        head, *body = self.cells()
        parts = [markup.table(head, body, 1), *map(markup.line, self.notes())]
        if self.held_out:
            head, *body = self.held_out_cells()
            parts += [markup.line(HELD_OUT), markup.table(head, body, 1)]
            parts += map(markup.line, self.failed_last)
        return parts


def _listed(pairs: list[Difference]) -> str:
    """Pairs in words, those with the same better model together."""
    others: dict[str, list[str]] = {}
    for pair in pairs:
        others.setdefault(pair.better, []).append(pair.other)
    return ", between ".join(f"{one} and {' or '.join(rest)}" for one, rest in others.items())


def _column(values: list[Any]) -> np.ndarray[Any, Any]:
    """An array; of lists and texts an array of objects."""
    if isinstance(values[0], int | float):
        return np.array(values)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _shown(mean: float, half: float, digits: str) -> str:
    if np.isnan(mean):
        return "-"
    return f"{mean:,{digits}}" + ("" if np.isnan(half) else f" ± {half:,{digits}}")

"""From cells to numbers that can be compared: by model, cost and set."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from experiments.costs.data import REPEATED, load
from experiments.costs.models import FITTED, places
from experiments.costs.runs import ANY, costs_of
from experiments.costs.runs import names as cell_names

Floats = NDArray[np.float64]
PLACES = {title: (model, way) for title, model, way in places()}


class Results:
    """What was measured, as arrays.

    Parameters
    ----------
    cells : mapping
        Finished cells by name.
    sets, costs : names of all sets and costs
    repetitions : int
    """

    def __init__(
        self, cells: Mapping[str, Any], sets: Sequence[str], costs: Sequence[str], repetitions: int
    ) -> None:
        self.cells, self.costs, self.repetitions = cells, list(costs), repetitions
        self.sets = sorted(sets, key=lambda name: (load(name).ratio, name))
        self._costs: dict[tuple[str, str], Floats] = {}

    @cached_property
    def distinct(self) -> NDArray[np.bool_]:
        """Which of the sets count where sets are counted: each once."""
        return np.array([REPEATED.get(name) not in self.sets for name in self.sets])

    @cached_property
    def ratios(self) -> Floats:
        """Imbalance ratio of each set."""
        return np.array([load(name).ratio for name in self.sets])

    @cached_property
    def positives(self) -> Floats:
        """Examples of the rare class in each set."""
        return np.array([load(name).positives for name in self.sets], dtype=np.float64)

    @cached_property
    def origins(self) -> NDArray[np.str_]:
        """Of each set."""
        return np.array([load(name).origin for name in self.sets])

    def counts(self, title: str, cost: str) -> Floats:
        """(sets, repetitions, halves, 4) true alarms, false alarms, missed, rightly quiet."""
        model, way = PLACES[title]
        found = [
            [cell[way]["counts"][cost] for cell in self._cells(name, model, cost)]
            for name in self.sets
        ]
        return np.array(found, dtype=np.float64)

    def cost(self, title: str, cost: str) -> Floats:
        """(sets, splits) mean cost of an example, by that of the better constant decision.

        1 is what "never" or "always" costs, whichever is less, on the whole set.
        """
        if (title, cost) not in self._costs:
            counts = self.counts(title, cost).reshape(len(self.sets), -1, 4)
            price = np.array([[costs_of(cost, load(name)).ratio()] for name in self.sets])
            spent = (price * counts[..., 2] + counts[..., 1]) / counts.sum(axis=2)
            self._costs[title, cost] = spent / self.constant(cost)[:, np.newaxis]
        return self._costs[title, cost]

    def constant(self, cost: str) -> Floats:
        """(sets,) mean cost of an example under the better constant decision."""
        found = []
        for name in self.sets:
            data = load(name)
            share = data.positives / len(data.y)
            found.append(min(costs_of(cost, data).ratio() * share, 1.0 - share))
        return np.array(found)

    def f1(self, title: str, cost: str) -> Floats:
        """(sets,) F1 of all decisions of a repetition together, the mean of the repetitions.

        The F1 of a half with three positives says little, and a mean of such less than nothing.
        """
        true, false, missed, _ = np.moveaxis(self.counts(title, cost).sum(axis=2), -1, 0)
        return np.asarray((2 * true / (2 * true + false + missed)).mean(axis=1))

    def measure(self, title: str, cost: str, measure: str) -> Floats | None:
        """(sets,) mean of brier, log_loss or precision; None if the model has no probabilities."""
        model, way = PLACES[title]
        found = []
        for name in self.sets:
            cells = self._cells(name, model, cost)
            if any(measure not in cell[way] for cell in cells):
                return None
            found.append(np.mean([cell[way][measure] for cell in cells]))
        return np.array(found)

    def brier(self, title: str, cost: str) -> Floats | None:
        """(sets,) Brier score, by that of giving every example the share of the positives."""
        found = self.measure(title, cost, "brier")
        if found is None:
            return None
        share = 1.0 / (1.0 + self.ratios)
        return found / (share * (1.0 - share))

    def mean(self, title: str, cost: str, what: str) -> float:
        """Mean over sets and repetitions of seconds or rules."""
        model, _ = PLACES[title]
        return float(
            np.mean([cell[what] for name in self.sets for cell in self._cells(name, model, cost)])
        )

    def seconds(self) -> float:
        """Processor time of all fits, two in each cell."""
        names = cell_names(self.sets, self.costs, self.repetitions)
        return float(sum(2 * self.cells[name]["seconds"] for name in names))

    def ranks(self, titles: Sequence[str], cost: str) -> Floats:
        """(titles,) mean rank by cost over the distinct sets; 1 is the cheapest."""
        return np.asarray(stats.rankdata(self._by_set(titles, cost), axis=1).mean(axis=0))

    def friedman(self, titles: Sequence[str], cost: str) -> float:
        """p-value of all these models costing the same."""
        return float(stats.friedmanchisquare(*self._by_set(titles, cost).T).pvalue)

    def _by_set(self, titles: Sequence[str], cost: str) -> Floats:
        costs = [self.cost(title, cost).mean(axis=1)[self.distinct] for title in titles]
        return np.array(costs).T.round(9)  # sums in another order are no difference

    def _cells(self, name: str, model: str, cost: str) -> list[Any]:
        known = cost if FITTED[model].learns_costs else ANY
        return [self.cells[f"{name}/{model}/{known}/{i}"] for i in range(self.repetitions)]

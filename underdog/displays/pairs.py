"""How two columns move the score together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.checks import check_integer
from underdog.displays.axes import BLUE, ORANGE, label_of, verbatim
from underdog.displays.base import AxesDisplay
from underdog.inspection.dependence import Dependence, dependence
from underdog.inspection.pairs import interactions
from underdog.inspection.parameters import documented
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.model.shapes import Places
from underdog.types import Floats, Integers

SIZE = (5.6, 4.4)
"""Width and height of a new figure in inches."""
TICKS, NAME_LENGTH = 8, 20
"""Cuts that are written beside an axis, and letters of a level."""
MAX_LEVELS = 16
"""Cells of a category."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Places of a column, put together so that there are not too many.

    Attributes
    ----------
    places : Places
    cell : (places,) in which cell each place is; -1 for missing values where there are none
    """

    places: Places
    cell: Integers

    @classmethod
    def of(cls, places: Places, counts: Integers, most: int) -> Cells:
        """At most so many cells of places with about the same number of rows; then the missing.

        Of a category with more levels, the rarest share the last cell.
        """
        known = counts[:-1]
        cell = np.arange(len(known))
        if places.kind == "category":
            most = min(most, MAX_LEVELS)
            if len(known) > most:
                cell = np.argsort(np.argsort(-known, kind="stable")).clip(max=most - 1)
        elif len(known) > most:
            share = (np.cumsum(known) - known / 2) / max(int(known.sum()), 1)
            cell = np.unique((share * most).astype(np.int64), return_inverse=True)[1]
        missing = places.has_missing or counts[-1] > 0
        return cls(places, np.append(cell, cell.max() + 1 if missing else -1))

    @property
    def count(self) -> int:
        """How many cells there are."""
        return int(self.cell.max()) + 1

    @property
    def ticks(self) -> tuple[Floats, list[str]]:
        """Where texts are beside the axis, and which: cuts between cells, or names of cells."""
        own, cell = self.places, self.cell[:-1]
        count = int(cell.max()) + 1
        at: Floats = np.arange(count, dtype=np.float64) + 0.5
        if own.kind == "category":
            names = [[str(own.levels[p]) for p in np.flatnonzero(cell == c)] for c in range(count)]
            texts = [one[0] if len(one) == 1 else f"{len(one)} more" for one in names]
        elif own.kind == "presence":
            texts = ["absent", "present"][:count]
        else:
            last = np.flatnonzero(np.diff(cell))  # of each cell but the last
            at, texts = at[: len(last)] + 0.5, [own.written[place] for place in last.tolist()]
            chosen = np.unique(np.linspace(0, len(at) - 1, min(TICKS, len(at))).round().astype(int))
            at, texts = at[chosen], [texts[number] for number in chosen.tolist()]
        if self.cell[-1] >= 0:
            at, texts = np.append(at, count + 0.5), [*texts, "missing"]
        return at, [label_of(text, NAME_LENGTH) for text in texts]

    def mean(self, values: Floats, counts: Integers, axis: int) -> tuple[Floats, Integers]:
        """Values and numbers of rows by cell, along an axis; the mean of a cell is by its rows."""
        values, counts = np.moveaxis(values, axis, 0), np.moveaxis(counts, axis, 0)
        means, sums = [], []
        weight = counts.reshape(len(counts), -1).sum(axis=1)
        for number in range(self.count):
            inside = np.flatnonzero(self.cell == number)
            own = weight[inside] if weight[inside].any() else np.ones(len(inside))
            means.append(np.average(values[inside], axis=0, weights=own))
            sums.append(counts[inside].sum(axis=0))
        return np.moveaxis(np.array(means), 0, axis), np.moveaxis(np.array(sums), 0, axis)


@documented
@dataclass(eq=False, repr=False)
class PairDisplay(AxesDisplay):
    """The mean score for all values of two columns, as a heat map.

    A cell shows what the mean score of all rows would be if the two columns had its values and all
    others were as they are (partial dependence). White is the mean score as it is. Cells are the
    bins that the model tells apart, all of the same size however wide they are; where there are too
    many, neighbours with about the same number of rows are one, with their mean. Cells without
    rows have a dot: what is shown there may never happen.

    Parameters
    ----------
    explained : the model and the booster inside
    dependence : Dependence
    max_cells : int, default=40
        Along each axis; missing values have one more. A category has 16 at most.
    label : str, optional
        Whose score; by default that of the label that is moved most.

    Attributes
    ----------
    ax_, figure_
    values_ : (cells of the second column, cells of the first column) mean scores

    Examples
    --------
    >>> import pandas as pd, numpy as np
    >>> from underdog import GradientBoostingClassifier, PairDisplay
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"left": rng.normal(size=300), "right": rng.normal(size=300)})
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(X, X["left"] * X["right"] > 0)
    >>> PairDisplay.from_estimator(model, X, columns=("left", "right"))
    PairDisplay('left' and 'right', 12 x 12 cells)
    """

    explained: UnwrappedModel
    dependence: Dependence
    max_cells: int = 40
    label: str | None = None

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        columns: Sequence[str | int] | None = None,
        max_cells: int = 40,
        label: str | None = None,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how two columns move the score of the rows of X.

        Parameters
        ----------
        estimator
        X : rows as the model takes them
        columns : two names or numbers of the booster's columns, optional
            By default the pair that interacts most: see `underdog.inspection.interactions`.
        max_cells : int, default=40
        label : str, optional
            See the class.
        feature_names, label_names, ax
        """
        explained = unwrap(estimator, feature_names, label_names)
        explained.check_columns()
        if columns is None:
            pairs = interactions(estimator, X).each
            if not pairs:
                raise ValueError(
                    "no rule tests two columns, so no pair interacts: name two columns, "
                    "or draw the columns one by one, with ShapeDisplay"
                )
            columns = pairs[0].columns
        chosen = _chosen(explained, columns)
        (found,) = dependence(explained, X, [chosen])
        return cls(explained, found, max_cells, label).plot(ax)

    def _summary(self) -> str:
        names = " and ".join(repr(label_of(own.name, 16)) for own in self.dependence.axes)
        first, second = self._cells
        return f"{names}, {first.count} x {second.count} cells"

    @property
    def _cells(self) -> tuple[Cells, Cells]:
        check_integer("max_cells", self.max_cells, 2)
        axes, counts = self.dependence.axes, self.dependence.counts
        first = Cells.of(axes[0], counts.sum(axis=1), self.max_cells)
        return first, Cells.of(axes[1], counts.sum(axis=0), self.max_cells)

    @property
    def _number(self) -> int:
        """Of the label whose score is drawn."""
        labels = self.explained.labels
        if self.label is None:
            return int(np.argmax(np.ptp(self.dependence.table, axis=(0, 1))))
        if str(self.label) not in labels:
            raise ValueError(f"label={self.label!r} must be one of {labels}")
        return labels.index(str(self.label))

    @documented
    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
        """
        cells, k = self._cells, self._number
        values, counts = self.dependence.table[:, :, k], self.dependence.counts
        for axis, own in enumerate(cells):
            values, counts = own.mean(values, counts, axis)
        self.values_ = values.T
        ax = self._open(ax, SIZE)
        from matplotlib.colors import CenteredNorm, LinearSegmentedColormap

        colors = LinearSegmentedColormap.from_list("underdog", [ORANGE, "white", BLUE])
        norm = CenteredNorm(float(self.dependence.mean[k]))
        edges = [np.arange(own.count + 1) for own in cells]
        drawn = ax.pcolormesh(*edges, values.T, cmap=colors, norm=norm)
        score = "prediction" if self.explained.is_regressor else "score"
        meaning = f"white: the mean {score} of all rows"
        if not counts.all():
            meaning += "; dots: no rows"
            ax.plot(*(np.argwhere(counts == 0).T + 0.5), ".", color="0.6", markersize=2.0)
        name = verbatim(self.explained.score_name(k, 24))
        self.figure_.colorbar(drawn, ax=ax, label=f"mean {name}")
        ax.set_title(meaning, fontsize="small")
        self._label(ax, cells)
        return self

    def _label(self, ax: Any, cells: tuple[Cells, Cells]) -> None:
        """Names, values and levels beside the axes, and a line before what is missing."""
        first, second = cells
        at, texts = first.ticks
        turned = {"rotation": 45, "ha": "right"} if sum(map(len, texts)) > 36 else {}
        ax.set_xticks(at, texts, fontsize="small", **turned)
        ax.set_yticks(*second.ticks, fontsize="small")
        ax.set_xlabel(label_of(first.places.title, 40))
        ax.set_ylabel(label_of(second.places.title, 40))
        if first.cell[-1] >= 0:
            ax.axvline(first.count - 1, color="0.3", linewidth=1.0)
        if second.cell[-1] >= 0:
            ax.axhline(second.count - 1, color="0.3", linewidth=1.0)


def _chosen(explained: UnwrappedModel, columns: Any) -> tuple[int, int]:
    """The numbers of two columns that the model asks about."""
    schema = explained.schema
    used = explained.booster.model_.attributions.columns
    known = [schema.name(column) for column in used]
    if isinstance(columns, str) or len(columns) != 2 or columns[0] == columns[1]:
        raise ValueError(f"columns={columns!r} must be two different columns of the model")
    found = []
    for column in columns:
        if isinstance(column, str) and column in known:
            found.append(used[known.index(column)])
        elif not isinstance(column, str) and int(column) in used:
            found.append(int(column))
        else:
            names = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
            raise ValueError(
                f"columns={columns!r}: the model does not use column {column!r}; it uses {names}"
            )
    return found[0], found[1]

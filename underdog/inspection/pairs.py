"""Columns that matter together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from underdog.checks import check_max_display
from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label, with_notes
from underdog.model import markup
from underdog.model.effects import Effects
from underdog.model.writing import WIDTH, counted, number_format, shortened, text_table
from underdog.types import Floats
from underdog.workers import Workers

SHOWN_PAIRS = 10
"""Pairs on the page in a notebook."""
ON_PATHS = "mean change of the score by splits on one column below splits on the other"
JOINT = "mean difference between the joint effect and the sum of the two single effects"


class PairOfColumns(NamedTuple):
    """Two columns on which trees ask together."""

    columns: tuple[int, int]
    names: tuple[str, str]
    n_trees: int
    """In which both are on one path."""
    strength: Floats
    """(K,) for each label."""


@dataclass(frozen=True, eq=False, repr=False)
class Interactions(Result):
    """Pairs of columns that are on one path of a tree, the strongest first.

    Attributes
    ----------
    each : list of PairOfColumns
    measure : str
        What `strength` is.
    n_rows : int, optional
        Rows over which it is a mean; None for the training examples.
    """

    explained: UnwrappedModel
    each: list[PairOfColumns]
    measure: str
    n_rows: int | None

    def __len__(self) -> int:
        return len(self.each)

    def _about(self) -> str:
        model = type(self.explained.booster).__name__
        strongest = ""
        if self.each:
            names = [repr(shortened(name, 24)) for name in self.each[0].names]
            strongest = f", {' and '.join(names)} the strongest"
        return f"{counted(len(self), 'pair')} of {model}{strongest}"

    @property
    def headline(self) -> str:
        """What the table of pairs shows."""
        if not self.each:
            return "no rule tests two columns, so columns add to the score independently"
        rows = "training examples" if self.n_rows is None else counted(self.n_rows, "row")
        return f"columns that interact; strength: {self.measure} (over {rows})"

    def cells(
        self, max_display: int | None, longest: int = 40
    ) -> tuple[list[str], list[list[str]]]:
        """The head of a table and its rows; of several labels the one that is changed most.

        Names have at most `longest` letters.
        """
        labels, shown = self.explained.labels, self.each[:max_display]
        several = len(labels) > 1
        form = number_format([float(pair.strength.max()) for pair in shown], 3)
        noun = self.explained.booster._labels.noun
        head = ["columns", *([noun] if several else []), "strength", "trees"]
        return head, [
            [
                " and ".join(shortened(name, longest) for name in pair.names),
                *([labels[int(np.argmax(pair.strength))]] if several else []),
                f"{pair.strength.max():{form}}",
                str(pair.n_trees),
            ]
            for pair in shown
        ]

    def text(self, max_display: int | None = 20) -> str:
        """A table.

        Parameters
        ----------
        max_display : int, optional
            How many pairs to show; None for all.
        """
        check_max_display(max_display)
        lines = wrap(f"{self.headline}:" if self.each else self.headline, WIDTH)
        if self.each:
            head, rows = self.cells(max_display)
            lines += [f"  {line}" for line in text_table([head, *rows], len(head) - 2)]
        more = len(self) - len(self.each[:max_display])
        lines += [f"  ... and {more} more"] if more else []
        return with_notes("\n".join(lines), self.explained.notes)

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON."""
        labels = self.explained.labels
        return {
            "model": type(self.explained.booster).__name__,
            "labels": labels,
            "measure": self.measure,
            "n_rows": self.n_rows,
            "pairs": [
                {
                    "columns": list(pair.columns),
                    "names": list(pair.names),
                    "trees": pair.n_trees,
                    "strength": by_label(labels, pair.strength),
                }
                for pair in self.each
            ],
            "notes": list(self.explained.notes),
        }

    def _frame_columns(self) -> dict[str, Any]:
        """A line for each pair and label."""
        labels = self.explained.labels
        lines = [(pair, k) for pair in self.each for k in range(len(labels))]
        return {
            "first": [pair.names[0] for pair, _ in lines],
            "second": [pair.names[1] for pair, _ in lines],
            "label": [labels[k] for _, k in lines],
            "trees": [pair.n_trees for pair, _ in lines],
            "strength": [float(pair.strength[k]) for pair, k in lines],
        }

    def _html_parts(self) -> Sequence[str]:
        head, rows = self.cells(SHOWN_PAIRS, 10**6)
        more = markup.more(len(self), SHOWN_PAIRS, "text(None) prints all, to_frame() has all")
        shown = [markup.table(head, rows, len(head) - 2), more] if rows else []
        return [markup.line(self.headline), *shown, *map(markup.line, self.explained.notes)]


@documented
def interactions(
    model: Any,
    X: Any = None,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Interactions:
    """Pairs of columns that are on one path of a tree, and how much they matter together.

    With rows, the strength of a pair (a, b) is the mean over them of

        | F(a, b) - F(a) - F(b) + F |

    where F(a, b) is the mean score of all rows if their columns a and b had the values of this row,
    F(a) and F(b) are those for one of the columns, and F is the mean score of all rows: the part of
    the joint effect that is not the sum of two single effects. It is computed exactly.

    Without rows it is found from the model alone: by how much splits on one of the columns that are
    below a split on the other change the expected score, in the mean over the training examples.
    This is no more than a hint, because such a split may do the same on either side of the other.

    Parameters
    ----------
    model
    X : rows as the model takes them, optional
    feature_names, label_names

    Returns
    -------
    Interactions

    References
    ----------
    Friedman and Popescu, "Predictive learning via rule ensembles", Annals of Applied Statistics 2,
    2008, section 8.1 (with rows; the square there is an absolute value here, in units of the score,
    and is not divided by the joint effect).

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import GradientBoostingClassifier
    >>> from underdog.inspection import interactions
    >>> X = np.random.default_rng(0).normal(size=(300, 3))
    >>> y = X[:, 0] * X[:, 1] > 0  # the sign of neither says anything
    >>> found = interactions(GradientBoostingClassifier(n_estimators=20).fit(X, y), X)
    >>> found.each[0].names
    ('x0', 'x1')
    """
    explained = unwrap(model, feature_names, label_names)
    explained.check_columns()
    ensemble, schema = explained.booster.model_, explained.schema
    pairs = ensemble.attributions.pairs()
    n_rows = None
    if X is not None:
        table = explained.table(X)
        n_rows = len(table)
        with Workers(explained.booster.n_jobs) as workers:
            effects = Effects(ensemble.attributions, ensemble.start, table, workers)
            pairs = [
                pair._replace(
                    strength=effects.interaction(pair.columns, np.array(sorted(pair.trees)))
                )
                for pair in pairs
            ]
        pairs.sort(key=lambda pair: -float(pair.strength.max()))
    each = [
        PairOfColumns(
            pair.columns,
            (schema.name(pair.columns[0]), schema.name(pair.columns[1])),
            len(pair.trees),
            pair.strength,
        )
        for pair in pairs
    ]
    measure = ON_PATHS if X is None else JOINT
    measure += ", on the log scale" if explained.on_log_scale else ""
    return Interactions(explained, each, measure, n_rows)

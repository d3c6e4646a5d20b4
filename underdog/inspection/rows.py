"""Why a row has its score: what each column, or each rule, adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from underdog.checks import check_choice, check_integer, check_max_display
from underdog.core import Blocks, Hypothesis, LabelBlocks, Partition, Scores
from underdog.data import EncodedRows, Schema, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.hypotheses import Tree
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label, plain_label
from underdog.model import used
from underdog.model.shapes import Shape
from underdog.types import Floats, Integers


class Asked(NamedTuple):
    """A rule, by the question that it asks or the columns that it is about."""

    name: str
    places: list[str]
    """What is so in each of its blocks; a last one where that is not the same for all labels."""

    @classmethod
    def from_hypothesis(cls, rule: Hypothesis, schema: Schema) -> Asked:
        name = rule.words(schema)
        if not isinstance(rule, Tree):
            return cls(name, [f"not: {name}", name, name])
        if rule.is_question:
            return cls(name, [f"not: {name}", name][-len(rule.leaves) :])
        places = rule.leaf_words(schema)
        if rule.rest is not None:
            places[rule.rest] = f"elsewhere in the {name}"
        return cls(name, places)

    def words(self, place: int) -> str:
        """What is so in this place."""
        return self.places[place]


@dataclass(frozen=True, eq=False)
class Contributions:
    """What the parts of a model add to the scores of some rows.

    `base + values.sum(axis=1)` is the score of each row, bit for bit. It is the score of the
    *positive* class (`labels` names it), which is also what `describe` speaks of; where that is
    `classes_[0]`, `decision_function` has the other sign (see `decision`).

    Attributes
    ----------
    base : (K,)
        The same for all rows.
    values : (n, U, K)
        What each of U columns or rules adds to the score of each label.
    names : list of str
        Of the U columns or rules.
    labels : list of str
        What each of the K scores is for.
    decided : (n,) or (n, K)
        What the model says: a decider's own decision, where there is one.
    probabilities : (n, classes), optional
        The model's, if it has any.
    """

    explained: UnwrappedModel
    base: Floats
    values: Floats
    names: list[str]
    decided: Any
    probabilities: Floats | None
    _parts: Sequence[Shape | Asked]
    _places: Integers

    @property
    def labels(self) -> list[str]:
        """What each of the K scores is for."""
        return self.explained.labels

    @cached_property
    def scores(self) -> Floats:
        """(n, K)."""
        result: Floats = self.base + self.values.sum(axis=1)
        return result

    @property
    def decision(self) -> Floats:
        """The booster's `decision_function`: above 0 for `classes_[1]` of two classes."""
        return self.explained.booster._labels.decision(self.scores)

    def __len__(self) -> int:
        return len(self.values)

    def words(self, row: int, part: int) -> str:
        """What is so in this row, of a column or a rule: "30 < age <= 50"."""
        return self._parts[part].words(int(self._places[row, part]))

    def text(self, row: int, max_display: int | None = 10, *, label: str | None = None) -> str:
        """A table of what matters most to one row, and what it adds up to.

        Parameters
        ----------
        row : int
        max_display : int, optional
            How many contributions to show; None for all.
        label : str, optional
            One of `labels`; by default the one with the highest score.
        """
        self.check_row(row)
        check_max_display(max_display)
        k = self.label_number(row, label)
        own = self.values[row, :, k]
        order = self.strongest(row, k)
        shown = order if max_display is None else order[:max_display]
        lines = [f"{self.base[k]:+10.3f}  to start with"] if self.base[k] else []
        lines += [f"{own[u]:+10.3f}  {self.words(row, u)}" for u in shown.tolist()]
        if len(shown) < len(order):
            rest = own[order[len(shown) :]]
            lines.append(f"{rest.sum():+10.3f}  {len(rest)} more")
        lines.append(f"{self.scores[row, k]:+10.3f}  in all: {self.verdict(row, k)}")
        return "\n".join([f"row {row}, score for {self.labels[k]!r}:", *lines, *self._notes])

    def to_dict(self, row: int) -> dict[str, Any]:
        """One row as data for JSON, strongest contributions first; those of 0 are left out."""
        self.check_row(row)
        largest = np.abs(self.values[row]).max(axis=1, initial=0.0)
        order = np.argsort(-largest, kind="stable")
        result: dict[str, Any] = {
            "row": row,
            "labels": self.labels,
            "start": by_label(self.labels, self.base),
            "contributions": [
                {
                    "name": self.names[u],
                    "is": self.words(row, u),
                    "adds": by_label(self.labels, self.values[row, u]),
                }
                for u in order[largest[order] > 0.0].tolist()
            ],
            "score": by_label(self.labels, self.scores[row]),
            "decided": plain_label(self.decided[row]),
        }
        if self.probabilities is not None:
            result["probability"] = by_label(self.explained.classes, self.probabilities[row])
        return {**result, "notes": list(self._notes)}

    def label_number(self, row: int, label: str | None) -> int:
        """Which score to explain: that of a label, or the highest."""
        if label is None:
            return int(np.argmax(self.scores[row]))
        if str(label) not in self.labels:
            raise ValueError(f"label={label!r} must be one of {self.labels}")
        return self.labels.index(str(label))

    def strongest(self, row: int, label_number: int) -> Integers:
        """Columns or rules that add something to a score, the largest first."""
        own = np.abs(self.values[row, :, label_number])
        order = np.argsort(-own, kind="stable")
        return order[own[order] > 0.0]

    @property
    def _notes(self) -> tuple[str, ...]:
        return self.explained.notes

    def check_row(self, row: int) -> None:
        """Refuse a row that is not there."""
        check_integer("row", row, 0, len(self) - 1)

    def verdict(self, row: int, label_number: int) -> str:
        """What the model says of a row, and the probability of this label."""
        decided = self.decided[row]
        if np.ndim(decided):  # several labels at once
            held = [name for name, flag in zip(self.labels, decided, strict=True) if flag]
            said = ", ".join(map(repr, held)) if held else "none of the labels"
        else:
            said = repr(str(decided))
        text = f"the model says {said}"
        if self.probabilities is not None:
            label = self.labels[label_number]
            share = self.probabilities[row, self.explained.classes.index(label)]
            text += f"; probability of {label!r} {share:.3f}"
        return text


def contributions(
    model: Any,
    X: Any,
    *,
    by: str = "column",
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Contributions:
    """What each column, or each rule, adds to the scores of these rows.

    What a column adds is the sum of what its rules add: the value of its step function. Where 0
    means that nothing is there (words that are present or not, and columns of a sparse matrix) it
    is what the value adds *beyond a 0*, and what the 0 adds is part of the start. So the start is
    the score of an empty text, and a text is explained by the words that it has.

    Parameters
    ----------
    model : fitted booster, or a pipeline, search or decider with one inside
    X : the rows to explain, as the model takes them
        The result has n x U x K numbers: give the rows that are to be read.
    by : "column" or "rule", default="column"
        Rules come in the order in which they were found, with 0 to start with. Rules of another
        library can be about all columns at once: these have contributions by rule only.
    feature_names : sequence of str, optional
        Names of the booster's columns, where neither the data nor a transformer has any.
    label_names : sequence of str, optional
        Names of the labels, where y was an indicator matrix.

    Returns
    -------
    Contributions

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from underdog import AdaBoostClassifier, TermVectorizer
    >>> from underdog.inspection import contributions
    >>> texts = ["free prize", "see you", "win a prize", "see the free film"]
    >>> model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=3))
    >>> why = contributions(model.fit(texts, ["spam", "ham", "spam", "ham"]), ["a free prize"])
    >>> print(why.text(0))
    row 0, score for 'spam':
        -0.549  to start with
        +1.099  prize present
        +0.549  in all: the model says 'spam'; probability of 'spam' 0.750
    >>> bool(why.decision[0] == model.decision_function(["a free prize"])[0])
    True
    """
    check_choice("by", by, "column", "rule")
    explained = unwrap(model, feature_names, label_names)
    split = _by_column if by == "column" else _by_rule
    base, values, parts, places = split(explained, explained.table(X))
    probabilities = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    return Contributions(
        explained,
        base,
        values,
        [part.name for part in parts],
        model.predict(X),
        probabilities,
        parts,
        places,
    )


def _by_column(
    explained: UnwrappedModel, table: Table
) -> tuple[Floats, Floats, list[Shape], Integers]:
    base, shapes = explained.shapes()
    places, sparse = _places(table, shapes, explained)
    values = np.zeros((len(table), len(shapes), len(base)))
    for u, shape in enumerate(shapes):
        steps = shape.table
        if sparse[u]:
            zero = steps[shape.places(np.zeros(1))[0]]
            base, steps = base + zero, steps - zero
        values[:, u] = steps[places[:, u]]
    return base, values, shapes, places


def _places(
    table: Table, shapes: list[Shape], explained: UnwrappedModel
) -> tuple[Integers, list[bool]]:
    """(n, U) where each value is in its column's shape, and which columns are sparse."""
    places = np.zeros((len(table), len(shapes)), dtype=np.int64)
    sparse = [False] * len(shapes)
    wanted = {shape.column: u for u, shape in enumerate(shapes)}
    for group in table.groups:
        here = [(c, wanted[p]) for c, p in enumerate(group.positions.tolist()) if p in wanted]
        if here and isinstance(group, SparseColumns):
            some = group.matrix[:, [c for c, _ in here]].tocsc()
        for number, (c, u) in enumerate(here):
            shape = shapes[u]
            if isinstance(group, CategoryColumns):
                places[:, u] = explained.schema.codes_of(shape.column, group.values[c])
            elif isinstance(group, NumberColumns):
                places[:, u] = shape.places(group.column(c))
            else:
                sparse[u] = True
                stored = slice(some.indptr[number], some.indptr[number + 1])
                places[:, u] = shape.places(np.zeros(1))[0]
                values = some.data[stored].astype(np.float64)
                places[some.indices[stored], u] = shape.places(values)
    return places, sparse


def _by_rule(
    explained: UnwrappedModel, table: Table
) -> tuple[Floats, Floats, list[Asked], Integers]:
    ensemble = explained.booster.model_
    part, members = EncodedRows(table, explained.schema), used(ensemble.members)
    values = np.zeros((len(table), len(members), ensemble.n_labels))
    places = np.zeros((len(table), len(members)), dtype=np.int64)
    for t, member in enumerate(members):
        moved = Scores.zero(len(table), ensemble.n_labels)
        partition = member.hypothesis.partition(part)
        partition.move(moved, member.steps)
        values[:, t] = moved.full()
        places[:, t] = _blocks(partition, len(table), len(member.steps))
    asked = [Asked.from_hypothesis(member.hypothesis, explained.schema) for member in members]
    return ensemble.start, values, asked, places


def _blocks(partition: Partition, n_rows: int, n_blocks: int) -> Integers:
    """(n,) the block of each row; `n_blocks` where it is not the same for all labels."""
    if isinstance(partition, Blocks):
        return partition.of_row(n_rows)
    block = cast(LabelBlocks, partition).block
    alike = (block == block[:, :1]).all(axis=1)
    return np.where(alike, block[:, 0], n_blocks).astype(np.int64)

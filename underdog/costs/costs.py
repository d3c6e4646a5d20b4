"""What decisions cost: one vocabulary for training, thresholds and reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, Self

import numpy as np

from underdog.checks import to_python
from underdog.costs.matrices import (
    checked_numbers,
    checked_probabilities,
    for_each_example,
    from_mapping,
    mean_cost,
    to_regret,
)
from underdog.files import Fields
from underdog.types import Floats, Integers

Classes = Sequence[Any] | np.ndarray[Any, Any]
KINDS = {"fn": (1, 0), "fp": (0, 1), "tn": (0, 0), "tp": (1, 1)}
"""True class and decision; 1 is the positive one."""
ROUNDING = 1e-12
"""Numbers that differ by this share of the largest of them are equal."""


class Costs:
    """What each decision costs, by the true class and the class decided for.

    Right decisions may cost something too; below 0 it is a benefit. What matters is how much more a
    wrong decision costs than the right one, and only up to a factor: multiplying all costs, or
    adding a constant to all costs of one true class, changes no decision. A wrong decision cannot
    cost less than the right one.

    Parameters
    ----------
    fn, fp : float or (n,) array
        Of missing a positive, and of a false alarm. An array has a cost for each example.
    tn, tp : float or (n,) array, default=0
        Of deciding rightly for the negative and for the positive class.

    References
    ----------
    Elkan, "The foundations of cost-sensitive learning", IJCAI 2001, equation 1 (`decide`), equation
    2 (`threshold`) and section 1.1 (which costs are reasonable, and which are equivalent).

    Examples
    --------
    >>> from underdog import Costs
    >>> costs = Costs(fn=20, fp=1)
    >>> costs.decide([[0.9, 0.1], [0.99, 0.01]], ["ham", "spam"]).tolist()
    [1, 0]
    >>> round(costs.threshold(), 4)
    0.0476
    >>> Costs.matrix({"flu": {"cold": 5}, "cold": {"flu": 1}}).table(["cold", "flu"]).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    >>> Costs.per_label([Costs(fn=20, fp=1), Costs(fn=3, fp=1)]).label_mistakes([0, 1]).tolist()
    [[1.0, 1.0], [20.0, 3.0]]
    """

    _labels: dict[Any, Costs] | None = None
    """What decisions about each label cost, where labels have costs of their own."""

    def __init__(self, fn: Any, fp: Any, tn: Any = 0.0, tp: Any = 0.0) -> None:
        given = zip(KINDS, (fn, fp, tn, tp), strict=True)
        costs = {kind: checked_numbers(kind, value) for kind, value in given}
        for kind, cost in costs.items():
            if cost.ndim > 1:
                raise ValueError(
                    f"{kind} has the shape {cost.shape}: give a number, or one for each example"
                )
        lengths = {kind: len(cost) for kind, cost in costs.items() if cost.ndim}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the costs of the examples have different lengths: {lengths}")
        values = np.empty((*list(lengths.values())[:1], 2, 2))
        for kind, place in KINDS.items():
            values[..., *place] = costs[kind]
        self._set(values, None)

    @classmethod
    def matrix(cls, costs: Any, classes: Classes | None = None) -> Self:
        """Costs of two or more classes.

        Parameters
        ----------
        costs : mapping of mappings, (K, K) array, or (n, K, K) array of costs for each example
            costs[true][decided]. What a mapping leaves out costs 0 if it is right; a wrong decision
            must be there. A row of an array is a true class.
        classes : sequence, optional
            Of the rows and columns of an array, in this order.
        """
        if isinstance(costs, Mapping):
            if classes is not None:
                raise ValueError("classes are for an array of costs: a mapping names its own")
            values, names = from_mapping(costs)
        else:
            values = checked_numbers("costs", costs)
            names = [] if classes is None else [to_python(name) for name in classes]
        if values.ndim not in (2, 3) or values.shape[-1] != values.shape[-2]:
            raise ValueError(
                "a matrix of costs has a row and a column for each class, but the shape is "
                f"{values.shape}"
            )
        if len(names) != values.shape[-1]:
            raise ValueError(
                f"the costs are of {values.shape[-1]} classes, but classes names {len(names)}"
            )
        if len(set(names)) < max(len(names), 2):
            raise ValueError(f"costs are of two or more different classes, not of {names}")
        made = cls.__new__(cls)
        made._set(values, names)
        return made

    @classmethod
    def per_label(cls, costs: Any) -> Self:
        """Costs of several labels, any number of which may hold for a row.

        Every label must have some: there is no default, because costs mean something only beside
        other costs. Where all labels have the same, Costs(fn, fp) is enough.

        Parameters
        ----------
        costs : sequence or mapping of Costs(fn, fp, tn, tp) that all examples share
            Of the columns of y in their order, or by label: the numbers of these columns.
        """
        if isinstance(costs, Costs) or not isinstance(costs, Mapping | Iterable):
            raise ValueError(
                f"costs={costs!r} must be a sequence or a mapping with a Costs for each label"
            )
        own = dict(costs if isinstance(costs, Mapping) else enumerate(costs))
        if not own:
            raise ValueError("costs are of one or more labels, but there are none")
        for label, cost in own.items():
            if not isinstance(cost, Costs) or not cost.is_pair():
                raise ValueError(
                    f"the costs of label {to_python(label)!r} are {shortened(cost)}: give fn and "
                    "fp that all examples share, such as Costs(fn=20, fp=1)"
                )
        made = cls.__new__(cls)
        made._labels = {to_python(label): cost for label, cost in own.items()}
        made._set(np.stack([cost._values for cost in own.values()]), None)
        return made

    def _to_file(self) -> dict[str, Any]:
        labels = None if self._labels is None else list(self._labels)
        return {"values": self._values, "classes": self._classes, "labels": labels}

    @classmethod
    def _from_file(cls, fields: Fields) -> Self:
        values, classes, labels = map(fields.get, ("values", "classes", "labels"))
        if not isinstance(values, np.ndarray) or values.dtype != np.float64:
            raise fields.wrong("values", "must be an array of numbers")
        if classes is not None:
            return cls.matrix(values, classes)
        if values.ndim not in (2, 3) or values.shape[-2:] != (2, 2):
            raise fields.wrong("values", "must be of two classes")
        if labels is not None:
            own = [cls(fn, fp, tn, tp) for (tn, fp), (fn, tp) in values]
            return cls.per_label(dict(zip(labels, own, strict=True)))
        made = cls.__new__(cls)
        made._set(values, None)
        return made

    def _set(self, values: Floats, classes: list[Any] | None) -> None:
        self._values, self._classes = values, classes
        self._refuse(
            ~np.isfinite(values),
            "costs must be finite; give a large one to a mistake that must not happen",
        )
        self._refuse(
            to_regret(values) < 0, "less than the right decision, but a mistake cannot be better"
        )

    def _refuse(self, bad: Any, why: str) -> None:
        if bad.any():
            *example, true, decided = place = tuple(int(i) for i in np.argwhere(bad)[0])
            if self._classes is None:
                what = next(kind for kind, pair in KINDS.items() if pair == (true, decided))
            else:
                what = f"deciding {self._classes[decided]!r} where {self._classes[true]!r} is true"
            where = f" for example {example[0]}" if example else ""
            raise ValueError(f"{what} costs {self._values[place]:g}{where}: {why}")

    def __repr__(self) -> str:
        if self._labels is not None:
            return f"Costs.per_label({shortened(self._labels)})"
        if self._classes is not None:
            own = self.n_examples is not None
            shown = f"<{self.n_examples} matrices>" if own else str(self._values.tolist())
            return f"Costs.matrix({shown}, {self._classes})"
        parts = []
        for kind, place in KINDS.items():
            costs = self._values[..., *place].ravel()
            if kind in ("fn", "fp") or costs.any():
                own = self.n_examples is not None
                parts.append(f"{kind}=<{len(costs)} costs>" if own else f"{kind}={costs[0]:.12g}")
        return f"Costs({', '.join(parts)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Costs):
            return NotImplemented
        if self._labels is not None or other._labels is not None:
            return self._labels == other._labels
        if self._classes is None or other._classes is None:
            same = self._classes is other._classes
            return same and np.array_equal(self._values, other._values)
        return set(self._classes) == set(other._classes) and np.array_equal(
            self._values, other.table(self._classes)
        )

    @property
    def n_examples(self) -> int | None:
        """How many examples have costs of their own; None if all share them."""
        return len(self._values) if self._values.ndim == 3 and self._labels is None else None

    @property
    def shape(self) -> tuple[int]:
        """(n,) if each example has its own costs; there is none if all share them.

        With it scikit-learn cuts costs that are given to fit to the rows of each fold.
        """
        if self.n_examples is None:
            raise AttributeError("costs that all examples share have no shape")
        return (self.n_examples,)

    def __getitem__(self, rows: Any) -> Costs:
        return self.take(rows)

    __iter__ = None  # without it, iteration would try 0, 1, 2 and so on for ever

    def take(self, rows: Any) -> Costs:
        """The costs of some of the examples; all of them if they are shared.

        Parameters
        ----------
        rows : array of positions, mask or slice
        """
        if self.n_examples is None:
            return self
        made = Costs.__new__(Costs)
        made._set(self._values[rows], self._classes)
        return made

    def table(self, classes: Classes, positive: int = 1) -> Floats:
        """(K, K) or (n, K, K) costs by true class and decision, in the order of these classes.

        Parameters
        ----------
        classes : sequence
            Of the data.
        positive : int, default=1
            Which of two classes fn and fp take for the positive one.
        """
        names = [to_python(name) for name in classes]
        if self._labels is not None:
            raise ValueError(
                f"{self!r} are of several labels, but y is one label per row: give Costs(fn, fp) "
                "or Costs.matrix"
            )
        if self._classes is None:
            if len(names) != 2:
                raise ValueError(
                    f"fn and fp are costs of two classes, but there are {len(names)}: use "
                    "Costs.matrix"
                )
            places = [1 - positive, positive]
        else:
            unknown = [name for name in names if name not in self._classes]
            if unknown:
                raise ValueError(f"classes {unknown} have no costs: {self._classes} have")
            unseen = [name for name in self._classes if name not in names]
            if unseen:
                raise ValueError(f"there are costs for {unseen}, but the data have only {names}")
            places = [self._classes.index(name) for name in names]
        return self._values[..., places, :][..., places]

    def mistakes(self, y: Integers, classes: Classes, positive: int = 1) -> Floats:
        """(n,) how much more a wrong decision costs than the right one, the mean of the wrong ones.

        This is what an example weighs in training.

        Parameters
        ----------
        y : (n,) integers
            Places of the true classes in `classes`; so everywhere here.
        classes, positive : see `table`
        """
        regret = for_each_example(len(y), to_regret(self.table(classes, positive)))
        result: Floats = regret[np.arange(len(y)), y].sum(axis=1) / (len(classes) - 1)
        return result

    def label_mistakes(self, labels: Classes) -> Floats:
        """(2, K) how much more a wrong decision about each label costs than the right one.

        First where the label does not hold, fp - tn; then where it does, fn - tp.

        Parameters
        ----------
        labels : sequence
            Of the data; costs that are not by label are those of each.
        """
        if self._labels is None and not self.is_pair():
            raise ValueError(
                f"{self!r} are not for several labels: give fn and fp that all examples share, or "
                "Costs.per_label (what a row counts is its sample_weight)"
            )
        names = [to_python(label) for label in labels]
        own = dict.fromkeys(names, self) if self._labels is None else self._labels
        unknown = [name for name in names if name not in own]
        if unknown:
            raise ValueError(
                f"labels {shortened(unknown)} have no costs: give every label its own, or "
                "Costs(fn, fp) for all"
            )
        unseen = [name for name in own if name not in names]
        if unseen:
            raise ValueError(
                f"there are costs for labels {shortened(unseen)}, but y has {len(names)} label "
                "columns, numbered from 0"
            )
        regret = to_regret(np.stack([own[name]._values for name in names]))
        return np.stack([regret[:, 0, 1], regret[:, 1, 0]])

    def expected(self, probabilities: Any, classes: Classes, positive: int = 1) -> Floats:
        """(n, K) expected cost of each decision, given (n, K) probabilities of the classes."""
        probabilities = checked_probabilities(probabilities, len(classes))
        return mean_cost(probabilities, self.table(classes, positive))

    def decide(self, probabilities: Any, classes: Classes, positive: int = 1) -> Integers:
        """(n,) places of the decisions with the least expected cost.

        Of decisions that cost the same it is the more probable class; of those, the first.
        """
        probabilities = checked_probabilities(probabilities, len(classes))
        self.check_difference()
        # What an example costs in any case would only blur the differences.
        regret = mean_cost(probabilities, to_regret(self.table(classes, positive)))
        most = regret.max(axis=1, keepdims=True)
        equal = regret <= regret.min(axis=1, keepdims=True) + ROUNDING * most
        result: Integers = np.where(equal, probabilities, -1.0).argmax(axis=1)
        return result

    def each(self, y: Integers, decided: Integers, classes: Classes, positive: int = 1) -> Floats:
        """(n,) what the decision about each example costs."""
        tables = for_each_example(len(y), self.table(classes, positive))
        result: Floats = tables[np.arange(len(y)), y, decided]
        return result

    def total(self, y: Integers, decided: Integers, classes: Classes, positive: int = 1) -> float:
        """Sum over examples of what their decisions cost."""
        return float(self.each(y, decided, classes, positive).sum())

    def threshold(self) -> float:
        """The probability above which deciding for the positive class costs less."""
        alarm, miss = self._two_regrets("threshold")
        self.check_difference()
        return alarm / (alarm + miss)

    def ratio(self) -> float:
        """How many false alarms a missed positive costs: the beta of uneven boosters."""
        alarm, miss = self._two_regrets("ratio")
        if not alarm or not miss:
            raise ValueError(f"{self!r}: both kinds of mistakes must cost something to be compared")
        return miss / alarm

    def is_pair(self) -> bool:
        """Whether it is one fn and one fp, with their tn and tp."""
        return self._values.ndim == 2 and self._classes is None

    def _two_regrets(self, what: str) -> tuple[float, float]:
        if not self.is_pair():
            raise ValueError(
                f"{self!r} has no single {what}: there is one for fn and fp that all examples share"
            )
        regret = to_regret(self._values)
        return float(regret[0, 1]), float(regret[1, 0])

    def check_difference(self) -> None:
        """Refuse costs by which no decision is better than another.

        Single examples may be worth nothing: about them it is the more probable class.
        """
        if self.n_examples is None and not to_regret(self._values).any():
            raise ValueError(f"{self!r}: no decision costs more than another, so none can be made")

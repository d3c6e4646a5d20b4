"""Costs of predictions, for training, thresholds and reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, Self

import numpy as np

from underdog.checks import to_python
from underdog.costs.matrices import (
    KINDS,
    checked_numbers,
    checked_probabilities,
    for_each_example,
    from_kinds,
    from_mapping,
    mean_cost,
    to_regret,
)
from underdog.files import Fields
from underdog.types import Floats, Integers

Classes = Sequence[Any] | np.ndarray[Any, Any]
ROUNDING = 1e-12
"""Relative difference up to which numbers are equal."""


class Costs:
    """The cost of each prediction, by true class and predicted class.

    Correct predictions may have a cost, too; a negative cost is a benefit. Only the difference
    between a wrong and the correct prediction matters, up to a factor: predictions do not change if
    all costs are multiplied by a number, or a constant is added to all costs of one true class. A
    wrong prediction must not cost less than the correct one.

    Parameters
    ----------
    fn, fp : float or (n,) array
        Cost of a false negative and of a false positive. An array has one cost per example.
    tn, tp : float or (n,) array, default=0
        Cost of a true negative and of a true positive.

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
    """The costs of each label, if the labels have costs of their own."""

    def __init__(self, fn: Any, fp: Any, tn: Any = 0.0, tp: Any = 0.0) -> None:
        self._set(from_kinds(fn, fp, tn, tp), None)

    @classmethod
    def matrix(cls, costs: Any, classes: Classes | None = None) -> Self:
        """Costs for two or more classes.

        Parameters
        ----------
        costs : mapping of mappings, (K, K) array, or (n, K, K) array with costs per example
            costs[true][predicted]. In a mapping correct predictions may be left out and then cost
            0; every wrong prediction must be listed. The rows of an array are the true classes.
        classes : sequence, optional
            The classes of the rows and columns of an array, in this order.

        Returns
        -------
        Costs
        """
        if isinstance(costs, Mapping):
            if classes is not None:
                raise ValueError(
                    "classes were given with a mapping of costs, which already names its classes: "
                    "leave them out"
                )
            values, names = from_mapping(costs)
        else:
            values = checked_numbers("costs", costs)
            names = [] if classes is None else [to_python(name) for name in classes]
        if values.ndim not in (2, 3) or values.shape[-1] != values.shape[-2]:
            raise ValueError(
                f"costs have the shape {values.shape}: give a matrix with a row and a column for "
                "each class"
            )
        if len(names) != values.shape[-1]:
            raise ValueError(
                f"costs are for {values.shape[-1]} classes, but classes has {len(names)} names: "
                "give one name per class"
            )
        if len(set(names)) < max(len(names), 2):
            raise ValueError(f"classes={names} must be two or more different classes")
        made = cls.__new__(cls)
        made._set(values, names)
        return made

    @classmethod
    def per_label(cls, costs: Any) -> Self:
        """Costs for multilabel problems, different for each label.

        Every label must have costs. There is no default, because only the ratios between costs
        matter. If all labels have the same costs, use Costs(fn, fp).

        Parameters
        ----------
        costs : sequence or mapping of Costs(fn, fp, tn, tp), each the same for all examples
            In the order of the columns of y, or by their indices.

        Returns
        -------
        Costs
        """
        if isinstance(costs, Costs) or not isinstance(costs, Mapping | Iterable):
            raise ValueError(
                f"costs={costs!r} must be a sequence or a mapping with a Costs for each label"
            )
        own = dict(costs if isinstance(costs, Mapping) else enumerate(costs))
        if not own:
            raise ValueError("costs is empty: give a Costs for each label")
        for label, cost in own.items():
            if not isinstance(cost, Costs) or not cost.is_pair():
                raise ValueError(
                    f"the costs of label {to_python(label)!r} are {shortened(cost)}: give one fn "
                    "and one fp for all examples, such as Costs(fn=20, fp=1)"
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
            "costs must be finite; for a mistake that must not happen use a large number",
        )
        self._refuse(
            to_regret(values) < 0,
            "less than the correct prediction; a mistake must cost at least as much",
        )

    def _refuse(self, bad: Any, why: str) -> None:
        if bad.any():
            *example, true, decided = place = tuple(int(i) for i in np.argwhere(bad)[0])
            if self._classes is None:
                what = next(kind for kind, pair in KINDS.items() if pair == (true, decided))
            else:
                what = f"predicting {self._classes[decided]!r} for class {self._classes[true]!r}"
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
        """Number of examples with costs of their own; None if the costs are shared."""
        return len(self._values) if self._values.ndim == 3 and self._labels is None else None

    @property
    def shape(self) -> tuple[int]:
        """(n,) for costs per example; shared costs have no shape.

        scikit-learn needs it to cut costs that are passed to fit to the rows of each fold.
        """
        if self.n_examples is None:
            raise AttributeError("costs shared by all examples have no shape")
        return (self.n_examples,)

    def __getitem__(self, rows: Any) -> Costs:
        return self.take(rows)

    __iter__ = None  # otherwise iteration would call __getitem__ without end

    def take(self, rows: Any) -> Costs:
        """The costs of some of the examples; shared costs are returned unchanged.

        Parameters
        ----------
        rows : array of indices, mask or slice
        """
        if self.n_examples is None:
            return self
        made = Costs.__new__(Costs)
        made._set(self._values[rows], self._classes)
        return made

    def table(self, classes: Classes, positive: int = 1) -> Floats:
        """(K, K) or (n, K, K) costs by true and predicted class, in the order of `classes`.

        Parameters
        ----------
        classes : sequence
            The classes of the data.
        positive : int, default=1
            Index of the positive class, for Costs(fn, fp).
        """
        names = [to_python(name) for name in classes]
        if self._labels is not None:
            raise ValueError(
                f"{self!r} is for multilabel problems, but y has one label per row: give "
                "Costs(fn, fp) or Costs.matrix"
            )
        if self._classes is None:
            if len(names) != 2:
                raise ValueError(
                    f"Costs(fn, fp) is for two classes, but there are {len(names)}: use "
                    "Costs.matrix"
                )
            places = [1 - positive, positive]
        else:
            unknown = [name for name in names if name not in self._classes]
            if unknown:
                raise ValueError(
                    f"classes {unknown} have no costs: there are costs only for {self._classes}"
                )
            unseen = [name for name in self._classes if name not in names]
            if unseen:
                raise ValueError(
                    f"there are costs for classes {unseen}, but the data only has {names}: remove "
                    "them"
                )
            places = [self._classes.index(name) for name in names]
        return self._values[..., places, :][..., places]

    def mistakes(self, y: Integers, classes: Classes, positive: int = 1) -> Floats:
        """(n,) how much more a wrong prediction costs than the correct one, on average.

        This is the initial weight of an example in training.

        Parameters
        ----------
        y : (n,) integers
            Indices of the true classes in `classes`, as in the methods below.
        classes, positive : see `table`
        """
        regret = for_each_example(len(y), to_regret(self.table(classes, positive)))
        result: Floats = regret[np.arange(len(y)), y].sum(axis=1) / (len(classes) - 1)
        return result

    def label_mistakes(self, labels: Classes) -> Floats:
        """(2, K) how much more a wrong prediction of each label costs than the correct one.

        The first row is fp - tn, the second fn - tp.

        Parameters
        ----------
        labels : sequence
            The labels of the data. Costs(fn, fp) holds for each of them.
        """
        if self._labels is None and not self.is_pair():
            raise ValueError(
                f"{self!r} is not for multilabel problems: give one fn and one fp for all "
                "examples, or Costs.per_label (to weight rows use sample_weight)"
            )
        names = [to_python(label) for label in labels]
        own = dict.fromkeys(names, self) if self._labels is None else self._labels
        unknown = [name for name in names if name not in own]
        if unknown:
            raise ValueError(
                f"labels {shortened(unknown)} have no costs: give costs for every label, or "
                "Costs(fn, fp) for all"
            )
        unseen = [name for name in own if name not in names]
        if unseen:
            raise ValueError(
                f"there are costs for labels {shortened(unseen)}, but y has {len(names)} columns, "
                "numbered from 0"
            )
        regret = to_regret(np.stack([own[name]._values for name in names]))
        return np.stack([regret[:, 0, 1], regret[:, 1, 0]])

    def expected(self, probabilities: Any, classes: Classes, positive: int = 1) -> Floats:
        """(n, K) expected cost of predicting each class, given (n, K) probabilities."""
        probabilities = checked_probabilities(probabilities, len(classes))
        return mean_cost(probabilities, self.table(classes, positive))

    def decide(self, probabilities: Any, classes: Classes, positive: int = 1) -> Integers:
        """(n,) indices of the classes with the least expected cost.

        Of several such classes the most probable one is chosen; of these, the first.
        """
        probabilities = checked_probabilities(probabilities, len(classes))
        self.check_difference()
        # Without the cost of the correct prediction, which would only add rounding errors.
        regret = mean_cost(probabilities, to_regret(self.table(classes, positive)))
        most = regret.max(axis=1, keepdims=True)
        equal = regret <= regret.min(axis=1, keepdims=True) + ROUNDING * most
        result: Integers = np.where(equal, probabilities, -1.0).argmax(axis=1)
        return result

    def each(self, y: Integers, decided: Integers, classes: Classes, positive: int = 1) -> Floats:
        """(n,) cost of the prediction of each example."""
        tables = for_each_example(len(y), self.table(classes, positive))
        result: Floats = tables[np.arange(len(y)), y, decided]
        return result

    def total(self, y: Integers, decided: Integers, classes: Classes, positive: int = 1) -> float:
        """Total cost of the predictions."""
        return float(self.each(y, decided, classes, positive).sum())

    def threshold(self) -> float:
        """The probability above which predicting the positive class costs less."""
        alarm, miss = self._two_regrets("threshold")
        self.check_difference()
        return alarm / (alarm + miss)

    def ratio(self) -> float:
        """Cost of a false negative divided by that of a false positive: beta of uneven boosters."""
        alarm, miss = self._two_regrets("ratio")
        if not alarm or not miss:
            raise ValueError(f"{self!r}: both kinds of mistakes must cost more than 0")
        return miss / alarm

    def is_pair(self) -> bool:
        """Whether these are one fn and one fp (and tn and tp) for all examples."""
        return self._values.ndim == 2 and self._classes is None

    def _two_regrets(self, what: str) -> tuple[float, float]:
        if not self.is_pair():
            raise ValueError(
                f"{self!r} has no single {what}: only Costs(fn, fp) with numbers has one"
            )
        regret = to_regret(self._values)
        return float(regret[0, 1]), float(regret[1, 0])

    def check_difference(self) -> None:
        """Refuse costs under which all predictions are equally good.

        With costs per example this is allowed for single examples, whose most probable class is
        then predicted.
        """
        if self.n_examples is None and not to_regret(self._values).any():
            raise ValueError(
                f"{self!r}: no mistake costs more than the correct prediction, so no prediction is "
                "better than another; give a mistake a cost above 0"
            )

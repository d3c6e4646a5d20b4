"""An alternating decision tree as a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from underdog.checks import check_integer, check_max_display
from underdog.data import EncodedRows, Schema
from underdog.displays.axes import BLUE, GREY, ORANGE, label_of
from underdog.displays.base import LETTER, AxesDisplay
from underdog.inspection.parameters import documented
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.model import strongest_labels, used
from underdog.model.alternating import AlternatingTree, DecisionNode
from underdog.model.writing import score_format
from underdog.types import Flags

LINE, GAP, MARGIN = 0.19, 0.1, 0.2
"""Height of a line of text, and room between nodes and around all of them, in inches."""
LETTERS, MAX_LABELS = 34, 3
"""Of a test, and labels whose values are shown."""
DARK = "0.15"
DIM = 0.3
"""How strongly nodes are drawn that the row does not reach."""


class DrawnNode(NamedTuple):
    """A node: its left end, its middle, its text, its colour, and whether the row reaches it."""

    x: float
    y: float
    width: float
    text: str
    color: str
    reached: bool
    is_test: bool


class Edge(NamedTuple):
    """A line between two nodes."""

    start: tuple[float, float]
    end: tuple[float, float]
    word: str
    reached: bool


@documented
@dataclass(eq=False, repr=False)
class AlternatingTreeDisplay(AxesDisplay):
    """An alternating decision tree: values in ellipses, tests in boxes, from left to right.

    A row starts at the root and goes on to all tests under each value that it reaches, and from
    each test to one value. The sum of the values that it reaches is its score. With a row of data,
    the nodes that it reaches are drawn strongly. Tests are numbered by their rounds.

    Parameters
    ----------
    tree : AlternatingTree
    explained : UnwrappedModel
    reached : flags, optional
        Whether the row reaches each prediction node; None without a row.
    label : str, optional
        The label whose values are shown; by default those of up to three labels.

    Attributes
    ----------
    ax_, figure_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import ADTreeClassifier, AlternatingTreeDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = ADTreeClassifier(n_estimators=6).fit(X, y)
    >>> AlternatingTreeDisplay.from_estimator(model, X, row=17)
    AlternatingTreeDisplay(6 tests, 13 values, of which the row reaches 4)
    """

    tree: AlternatingTree
    explained: UnwrappedModel
    reached: Flags | None = None
    label: str | None = None

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        row: int = 0,
        max_display: int | None = 20,
        label: str | None = None,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the tree of a booster, and how a row goes through it.

        Parameters
        ----------
        estimator
        X : rows, optional
            Without them no row is followed.
        row : int, default=0
            The row of X to follow.
        max_display : int, optional
            Number of tests to draw, those of the first rounds; None for all.
        label
            See the class.
        feature_names, label_names, ax
        """
        check_max_display(max_display)
        explained = unwrap(estimator, feature_names, label_names)
        model = explained.booster.model_
        tree = AlternatingTree.from_members(used(model.members), model.start, max_display)
        if tree is None:
            raise ValueError(
                f"the rules of this {type(explained.booster).__name__} are not tests under values, "
                "as those of ADTreeClassifier are: use describe() or ShapeDisplay"
            )
        reached = None
        if X is not None:
            table = explained.table(X)
            check_integer("row", row, 0, len(table) - 1)
            encoded = EncodedRows(table[np.array([row])], model.schema)
            reached = _reached(tree, encoded)
        return cls(tree, explained, reached, label).plot(ax)

    def _summary(self) -> str:
        values, tests = len(self.tree.nodes), (len(self.tree.nodes) - 1) // 2
        known = f"{tests} tests, {values} values"
        if self.reached is None:
            return known
        return f"{known}, of which the row reaches {int(self.reached.sum())}"

    @documented
    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
        """
        boxes, edges = self._layout()
        width = max(box.x + box.width for box in boxes) + MARGIN
        height = max(box.y for box in boxes) + LINE * (1 + len(self._labels)) + MARGIN
        ax = self._open(ax, (width, height))
        ax.set_xlim(0.0, width)
        ax.set_ylim(height, 0.0)
        ax.axis("off")
        for edge in edges:
            self._draw_edge(ax, edge)
        for box in boxes:
            form = "square,pad=0.25" if box.is_test else "round,pad=0.3,rounding_size=0.7"
            frame = {"boxstyle": form, "facecolor": "white", "edgecolor": box.color}
            text = ax.text(
                box.x, box.y, box.text, va="center", fontsize="small", bbox=frame, color=box.color
            )
            text.set_alpha(1.0 if box.reached else DIM)
            text.get_bbox_patch().set_alpha(1.0 if box.reached else DIM)
        return self

    def _draw_edge(self, ax: Any, edge: Edge) -> None:
        (x, y), (to_x, to_y) = edge.start, edge.end
        alpha = 1.0 if edge.reached else DIM
        style = "-" if edge.word else ":"
        middle = x + 0.12
        line = [x, middle, to_x], [y, to_y, to_y]
        ax.plot(*line, linestyle=style, color=GREY, linewidth=1.0, alpha=alpha, zorder=0.5)
        if edge.word:
            ax.text(
                to_x - 0.04, to_y - 0.02, edge.word, ha="right", va="bottom", fontsize="x-small",
                color=GREY, alpha=alpha,
            )  # fmt: skip

    @property
    def _labels(self) -> list[int]:
        """The labels whose values are shown."""
        names = self.explained.labels
        if self.label is not None:
            if self.label not in names:
                raise ValueError(f"label={self.label!r} is not one of {', '.join(names)}")
            return [names.index(self.label)]
        size = np.max([np.abs(node.value) for node in self.tree.nodes], axis=0)
        strongest = strongest_labels(size)
        order = sorted(strongest, key=lambda k: -size[k])[:MAX_LABELS]
        return sorted(order)

    def _layout(self) -> tuple[list[DrawnNode], list[Edge]]:
        """All nodes and lines, in inches from the top left."""
        return _Layout(self.tree, self.explained, self._labels, self.reached).made()


class _Layout:
    """Places of nodes: one line of the figure for each value that has no test below it."""

    def __init__(
        self,
        tree: AlternatingTree,
        explained: UnwrappedModel,
        labels: Sequence[int],
        reached: Flags | None,
    ) -> None:
        self.tree, self.labels = tree, labels
        self.schema: Schema = explained.schema
        self.names = explained.labels
        everyone = np.ones(len(tree.nodes), dtype=bool)
        self.reached: Flags = everyone if reached is None else reached
        values = [float(node.value[k]) for node in tree.nodes for k in labels]
        self.spec = score_format(values)
        self.boxes: list[DrawnNode] = []
        self.edges: list[Edge] = []
        self.next_y = MARGIN + LINE
        texts = [self._value(number) for number in range(len(tree.nodes))]
        self.value_width = LETTER * 0.95 * max(map(_letters, texts)) + 0.15

    def made(self) -> tuple[list[DrawnNode], list[Edge]]:
        self._place(0, MARGIN)
        return self.boxes, self.edges

    def _value(self, number: int) -> str:
        value = self.tree.nodes[number].value
        if len(self.names) == 1 or len(self.labels) == 1:
            return f"{value[self.labels[0]]:{self.spec}}"
        lines = [f"{label_of(self.names[k], 12)} {value[k]:{self.spec}}" for k in self.labels]
        return "\n".join(lines)

    def _place(self, number: int, x: float) -> float:
        """Place a prediction node and all below it; returns how far down it is."""
        node, reached = self.tree.nodes[number], bool(self.reached[number])
        ends = [self._place_test(test, x + self.value_width + 0.3, reached) for test in node.tests]
        if ends:
            y = float(np.mean([ends[0], ends[-1]]))
        else:
            y = self.next_y
            self.next_y += LINE * max(1, self._value(number).count("\n") + 1) + GAP
        first = float(node.value[self.labels[0]]) if len(self.labels) == 1 else 0.0
        color = BLUE if first > 0 else ORANGE if first < 0 else DARK
        text = self._value(number)
        self.boxes.append(DrawnNode(x, y, self.value_width, text, color, reached, is_test=False))
        start = x + LETTER * _letters(text), y
        for test, end in zip(node.tests, ends, strict=True):
            on = reached and any(self.reached[child] for child in test.children)
            self.edges.append(Edge(start, (x + self.value_width + 0.24, end), "", on))
        return y

    def _place_test(self, test: DecisionNode, x: float, reached: bool) -> float:
        words = label_of(f"{test.rounds[0]}. {test.words(self.schema)}", LETTERS)
        width = LETTER * 0.95 * len(words)
        below = [self._place(child, x + width + 0.55) for child in test.children]
        y = float(np.mean(below))
        on = reached and any(self.reached[child] for child in test.children)
        self.boxes.append(DrawnNode(x, y, width, words, DARK, on, is_test=True))
        for word, child, end in zip(("no", "yes"), test.children, below, strict=True):
            to = x + width + 0.46, end
            self.edges.append(Edge((x + width + 0.06, y), to, word, bool(self.reached[child])))
        return y


def _letters(text: str) -> int:
    return max(map(len, text.split("\n")))


def _reached(tree: AlternatingTree, encoded: EncodedRows) -> Flags:
    """Whether the only row reaches each prediction node."""
    reached = np.zeros(len(tree.nodes), dtype=bool)
    waiting = [0]
    while waiting:
        number = waiting.pop()
        reached[number] = True
        for test in tree.nodes[number].tests:
            place = int(encoded.bins_of_rows(test.test.column)[0])
            if test.takes_missing or place < len(test.test.inside) - 1:
                waiting.append(test.children[int(test.test.inside[place])])
    return reached

"""Growing a tree whose rows are in several processes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from underdog.core import Constraints, Rows
from underdog.kernels import joint_trees
from underdog.kernels.criteria import TIE
from underdog.kernels.draws import wrapping
from underdog.kernels.joint_trees import CELLS, CHILDREN, KIND, REFUSED, ROOT, SIZE
from underdog.kernels.tree_arrays import (
    DEPTH,
    SLOT,
    ColumnTests,
    Growing,
    GrowthRule,
    Nodes,
    Shared,
    Storage,
)
from underdog.learners.grower import Grower
from underdog.learners.growth_arrays import room_for_nodes
from underdog.learners.limits import Limits
from underdog.types import Integers
from underdog.workers.collective import Collective, added

SLOTS = 32
"""Nodes for whose sums there is room at first."""


class JointGrower(Grower):
    """Grows the trees of `Grower` on rows that are in several processes.

    Every process keeps the rows of each node together. For a split it counts the smaller of its two
    children, and has the other by subtraction. The sums of one child of all leaves that may be
    split next are one message, because a message takes longer than the sums of a child that is not
    needed in the end. All processes search the joint sums, so nobody has to be told what is split.
    """

    def __init__(
        self, rows: Rows, limits: Limits, constraints: Constraints, by_class: bool = False
    ) -> None:
        super().__init__(rows, limits, constraints, by_class)
        self._nodes = room_for_nodes(
            self._leaves, self.layout, rows.n_labels, constraints, ahead=self._leaves
        )
        self._joint = np.zeros_like(self._shared.hists)

    @property
    def _slots(self) -> int:
        return SLOTS

    def _split(self, growing: Growing, examples: int) -> int:
        growth = _Growth(self.collective, self._joint, *growing)
        size = growth.run()
        self._joint = growth.joint.hists
        self._shared = self._shared._replace(
            hists=growth.own.hists, lowest=growth.joint.lowest
        )  # which may have become larger
        return size


class _Children(NamedTuple):
    """Where the test of a node, its first child and the sums of both children are."""

    test: int
    first: int
    slots: tuple[int, int]


class _Growth:
    """One tree."""

    def __init__(
        self,
        collective: Collective,
        joint: Integers,
        storage: Storage,
        columns: ColumnTests,
        rule: GrowthRule,
        nodes: Nodes,
        shared: Shared,
    ) -> None:
        self.collective, self.storage, self.columns = collective, storage, columns
        self.rule, self.nodes, self.own = rule, nodes, shared
        self.joint = shared._replace(hists=joint)
        shared.lowest.fill(np.inf)  # of columns that were not drawn
        _, self.n_cells, self.n_labels = joint.shape
        self._without_rows = storage._replace(
            columns=storage.columns[:0], examples=np.empty(self.n_cells + 1, dtype=np.int64)
        )
        self._free = list(range(len(joint) - 1, 0, -1))
        self._children: dict[int, _Children] = {}
        self._ready: set[int] = set()
        self._refused: set[int] = set()

    def run(self) -> int:
        """Split leaves until there are enough, or nothing is gained; returns how many nodes."""
        self._ask([[ROOT, 0, 0, 0, 0, 0]])
        leaves, used = [0], [0]
        while len(leaves) < self.rule.max_leaves:
            node = self._next(leaves)
            if node is None:
                break
            test, first, _ = self._children[node]
            self.nodes.children[node] = test, first, first + 1
            self._free.append(int(self.nodes.facts[node, SLOT]))
            leaves.remove(node)
            leaves += [first, first + 1]
            used += [first, first + 1]
        self._renumber(np.sort(used))
        return len(used)

    def _next(self, leaves: Sequence[int]) -> int | None:
        """The leaf to split: the first of those that gain most, or the first that gains anything.

        It is known when all of those that gain most are ready.
        """
        left = self.rule.max_leaves - len(leaves)
        while True:
            gains = self.nodes.gains[leaves]
            if not gains.max() > 0.0:
                return None
            if self.rule.best_first:
                first = np.flatnonzero(gains >= gains.max() * (1.0 - TIE))
                likely = np.argsort(-gains, kind="stable")[:left]
            else:
                likely = np.flatnonzero(gains > 0.0)[:left]
                first = likely[:1]
            chosen = [leaves[place] for place in first.tolist()]
            if self._ready.issuperset(chosen):
                return chosen[0]
            others = [leaves[place] for place in likely.tolist() if gains[place] > 0.0]
            self._prepare(dict.fromkeys(chosen + others), is_last=left == 1)

    def _prepare(self, nodes: Iterable[int], is_last: bool) -> None:
        """Go on with all nodes that are not ready: divide and count them, or find another test."""
        asked = []
        for node in nodes:
            if node in self._refused:
                asked.append([CELLS, node, 0, 0, 0, 0])
            elif node not in self._ready:
                ends = is_last or self.nodes.facts[node, DEPTH] + 1 >= self.rule.max_depth
                test, first, slots = self._made(node, is_counted=not ends)
                asked.append([SIZE if ends else CHILDREN, node, first, *slots, test])
        for kind, node in self._ask(asked)[:, :2].tolist():
            if kind == REFUSED:
                self._refused.add(node)
            elif kind == CELLS:
                self._refused.remove(node)
            else:
                self._ready.add(node)

    def _made(self, node: int, is_counted: bool) -> _Children:
        """The places of the children of a node."""
        if node not in self._children:
            number = len(self._children)
            slots = (self._slot(), self._slot()) if is_counted else (0, 0)
            self._children[node] = _Children(number, 2 * number + 1, slots)
        return self._children[node]

    def _slot(self) -> int:
        """A place for the sums of a node."""
        if not self._free:
            size = len(self.own.hists)
            self._free += range(2 * size - 1, size - 1, -1)
            lowest = _with_room(self.joint.lowest, np.inf)
            self.own = self.own._replace(hists=_with_room(self.own.hists))
            self.joint = self.joint._replace(hists=_with_room(self.joint.hists), lowest=lowest)
        return self._free.pop()

    def _ask(self, requests: Sequence[Sequence[int]]) -> Integers:
        """Have some requests answered by all processes, in one message, and search what is new."""
        n_sums = self.n_cells * self.n_labels
        sizes = {ROOT: n_sums + self.n_labels + 1, CHILDREN: 1 + n_sums, SIZE: 1}
        sizes[CELLS] = self.n_cells
        ends = np.cumsum([sizes[request[KIND]] for request in requests])
        asked = np.column_stack([requests, np.concatenate([[0], ends[:-1]])])
        found = np.empty(ends[-1], dtype=np.int64)
        given = self.columns, self.rule, self.nodes
        joint_trees.count(self.storage, *given, self.own, self.joint.hists, asked, found)
        found = added(self.collective, found)
        with wrapping():
            joint_trees.search(self._without_rows, *given, self.joint, asked, found)
        return asked

    def _renumber(self, used: Integers) -> None:
        """Leave out the nodes that were made and not needed."""
        nodes, size = self.nodes, len(used)
        nodes.facts[:size], nodes.bounds[:size] = nodes.facts[used], nodes.bounds[used]
        nodes.children[:size] = nodes.children[used]
        nodes.children[:size, 1:] = np.searchsorted(used, nodes.children[:size, 1:])


def _with_room(array: Any, fill: float = 0) -> Any:
    """The array with room for as much again."""
    return np.concatenate([array, np.full_like(array, fill)])

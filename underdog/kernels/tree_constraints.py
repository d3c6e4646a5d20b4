"""What constraints leave to a node: which columns it may test, and between which bounds it speaks.

Where a column is constrained, the middle of what both sides of a test say is a bound for all that
is said below: on one side nothing is above it, on the other nothing is below. One label only.
"""

import numpy as np

from underdog.kernels.criteria import block_score, block_value, score_at
from underdog.kernels.jit import kernel
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_arrays import COLUMN, OFFSET


@kernel
def may_test(nodes, node, j):
    """Whether a node may be split by a column."""
    return nodes.allowed.shape[1] == 0 or nodes.allowed[node, j] == 1


@kernel
def is_bounded(bounds):
    """Whether there is any value that a node may not have."""
    return bounds[0] > -np.inf or bounds[1] < np.inf


@kernel
def only_missing(columns, j, offset):
    """Whether a test on an ordered column is "missing" against all values, in whatever order."""
    cuts = (columns.bins[j] - 1) * (2 if columns.missing[j] else 1)
    return columns.alone[j] and offset == cuts


@kernel
def within(packed, rule, bounds):
    """What a block with these packed sums says between bounds, and its score."""
    minus, plus = upper(packed) * rule.unit[0, 0], lower(packed) * rule.unit[1, 0]
    own = block_value(rule.criterion, plus, minus, rule.smooth, rule.beta)
    value = min(max(own, bounds[0]), bounds[1])
    if value == own:
        return value, block_score(rule.criterion, plus, minus, rule.smooth, rule.beta)
    return value, score_at(rule.criterion, plus, minus, value, rule.smooth, rule.beta)


@kernel
def constrain_root(nodes):
    """The root may test every column and say anything."""
    nodes.bounds[0, 0], nodes.bounds[0, 1] = -np.inf, np.inf
    for j in range(nodes.allowed.shape[1]):
        nodes.on_path[0, j] = 0
        nodes.allowed[0, j] = 1


@kernel
def constrain_children(columns, rule, nodes, node, false, true):
    """Note which columns the children of a node may test, and the bounds of what they say."""
    j, direction = nodes.facts[node, COLUMN], columns.direction[nodes.facts[node, COLUMN]]
    bounds = nodes.bounds[node]
    for child in (false, true):
        nodes.bounds[child, 0], nodes.bounds[child, 1] = bounds[0], bounds[1]
        if nodes.allowed.shape[1] > 0:
            continue_path(columns.together, nodes, node, child, j)
    if direction == 0 or only_missing(columns, j, nodes.facts[node, OFFSET]):
        return
    no, _ = within(nodes.totals[false, 0], rule, bounds)
    yes, _ = within(nodes.totals[true, 0], rule, bounds)
    above, below = (true, false) if direction > 0 else (false, true)
    nodes.bounds[above, 0] = nodes.bounds[below, 1] = 0.5 * (no + yes)


@kernel
def continue_path(together, nodes, node, child, column):
    """Which columns a child may test, if its parent is split by a column."""
    on_path, allowed = nodes.on_path[child], nodes.allowed[child]
    length = 0
    for j in range(on_path.shape[0]):
        on_path[j] = 1 if j == column else nodes.on_path[node, j]
        length += on_path[j]
    for j in range(on_path.shape[0]):
        allowed[j] = on_path[j] if length >= together.most else 1
    if together.most > 0:
        return
    for group in range(together.pointers.shape[0] - 1):
        first, last = together.pointers[group], together.pointers[group + 1]
        found = 0
        for place in range(first, last):
            found += on_path[together.columns[place]]
        if found == length:
            for place in range(first, last):
                allowed[together.columns[place]] = 1

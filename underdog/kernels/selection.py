"""Weighted quantiles of integers, block by block."""

import numpy as np

from underdog.kernels.jit import kernel


@kernel
def add_by_block(weights, block, out):
    """Add the weight of each row to that of its block."""
    for i in range(weights.shape[0]):
        out[block[i]] += weights[i]


@kernel
def select(keys, weights, block, wanted, out):
    """out[b] = the smallest key of block b at which the cumulated weight reaches wanted[b].

    Rows without weight are ignored. A block without weight keeps what is in `out`.
    """
    n_blocks = wanted.shape[0]
    ends = np.zeros(n_blocks + 1, dtype=np.int64)
    for i in range(keys.shape[0]):
        if weights[i] > 0:
            ends[block[i] + 1] += 1
    for b in range(n_blocks):
        ends[b + 1] += ends[b]
    place = ends[:-1].copy()
    own = np.empty(ends[n_blocks], dtype=np.int64)
    mass = np.empty(ends[n_blocks], dtype=np.int64)
    for i in range(keys.shape[0]):
        if weights[i] > 0:
            at = place[block[i]]
            own[at] = keys[i]
            mass[at] = weights[i]
            place[block[i]] = at + 1
    for b in range(n_blocks):
        if ends[b + 1] > ends[b]:
            out[b] = select_between(own, mass, ends[b], ends[b + 1], wanted[b])


@kernel
def select_between(keys, weights, first, last, wanted):
    """The smallest key of first..last at which the cumulated weight reaches `wanted`.

    Quickselect with three parts: below, equal to and above the pivot. It reorders its input.
    """
    before = np.int64(0)
    while last - first > 1:
        pivot = middle_of(keys[first], keys[(first + last) // 2], keys[last - 1])
        low, at, high = first, first, last
        below = np.int64(0)
        equal = np.int64(0)
        while at < high:
            key, weight = keys[at], weights[at]
            if key < pivot:
                keys[at], weights[at] = keys[low], weights[low]
                keys[low], weights[low] = key, weight
                below += weight
                low += 1
                at += 1
            elif key == pivot:
                equal += weight
                at += 1
            else:
                high -= 1
                keys[at], weights[at] = keys[high], weights[high]
                keys[high], weights[high] = key, weight
        if before + below >= wanted:
            last = low
        elif before + below + equal >= wanted or high == last:
            return pivot
        else:
            before += below + equal
            first = high
    return keys[first]


@kernel
def middle_of(a, b, c):
    """The median of three numbers."""
    return max(min(a, b), min(max(a, b), c))

"""Weighted quantiles of integers, block by block."""

import numpy as np

from underdog.kernels.jit import kernel

U = np.uint64


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
    spare, spare_mass = np.empty_like(own), np.empty_like(mass)
    for b in range(n_blocks):
        if ends[b + 1] > ends[b]:
            out[b] = select_between(
                own, mass, spare, spare_mass, U(ends[b]), U(ends[b + 1]), wanted[b]
            )


@kernel
def select_between(keys, weights, spare, spare_weights, first, last, wanted):
    """The smallest key of first..last at which the cumulated weight reaches `wanted`.

    Quickselect without branches in its loop: keys below the pivot go to the front of the spare
    arrays, those above it to their end, and a key goes to both before it is known where it stays.
    Then the arrays change places.
    """
    before = np.int64(0)
    while last - first > U(1):
        pivot = middle_of(keys[first], keys[(first + last) // U(2)], keys[last - U(1)])
        low, high = first, last
        below = equal = np.int64(0)
        for at in range(first, last):
            key, weight = keys[at], weights[at]
            is_below, is_above = U(key < pivot), U(key > pivot)
            spare[low], spare_weights[low] = key, weight
            low += is_below
            spare[high - U(1)], spare_weights[high - U(1)] = key, weight
            high -= is_above
            below += weight if key < pivot else 0
            equal += weight if key == pivot else 0
        if before + below >= wanted:
            last = low
        elif before + below + equal >= wanted or high == last:
            return pivot
        else:
            before += below + equal
            first = high
        keys, spare = spare, keys
        weights, spare_weights = spare_weights, weights
    return keys[first]


@kernel
def middle_of(a, b, c):
    """The median of three numbers."""
    return max(min(a, b), min(max(a, b), c))

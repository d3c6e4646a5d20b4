"""Weighted quantiles of integers, block by block."""

import math

import numpy as np

from underdog.kernels.jit import kernel

U = np.uint64
FEW = 16
"""Keys that are sorted to find one of them."""
SAMPLE, KEYS_OF_ONE = 31, 64
"""How many keys a pivot is read off, and from how many each is taken."""


@kernel
def add_by_block(weights, block, out):
    """Add the weight of each row to that of its block."""
    for i in range(weights.shape[0]):
        out[block[i]] += weights[i]


@kernel
def gather(keys, weights, rows, ends, rest, own, own_weights, stops, sizes):
    """Put the keys of each block together, with their weights; those without weight are left out.

    Blocks are as in `weights.move`. own[stops[b - 1] : stops[b]] will be the keys of block b, and
    sizes[b] their weight. Returns the weight that all of them have, or 0 if some differ. A number
    is written before it is known whether it stays, so that there must be room for one more.
    """
    equal, all_equal = common(weights)
    listed = np.zeros(keys.shape[0], np.uint8)
    for r in range(rows.shape[0]):
        listed[U(rows[r])] = 1
    at, begin = U(0), U(0)
    for b in range(ends.shape[0]):
        size, end = np.int64(0), U(ends[b])
        if b == rest and all_equal:
            first = at
            for i in range(U(keys.shape[0])):
                own[at] = keys[i]
                at += U(1) - U(listed[i])
            size = np.int64(at - first) * equal
        elif b == rest:
            for i in range(U(keys.shape[0])):
                weight = np.int64(0) if listed[i] else weights[i]
                own[at], own_weights[at] = keys[i], weight
                size += weight
                at += U(weight > 0)
        elif all_equal:
            for r in range(begin, end):
                own[at + (r - begin)] = keys[U(rows[r])]
            at += end - begin
            size = np.int64(end - begin) * equal
        else:
            for r in range(begin, end):
                i = U(rows[r])
                own[at], own_weights[at] = keys[i], weights[i]
                size += weights[i]
                at += U(weights[i] > 0)
        begin = end
        stops[b], sizes[b] = at, size
    return equal


@kernel
def common(weights):
    """The weight of all rows that have any, or 0 if they differ; and whether all rows have it."""
    most = np.int64(0)
    for i in range(weights.shape[0]):
        most = weights[i] if weights[i] > most else most
    others, without = np.int64(0), np.int64(0)
    for i in range(weights.shape[0]):
        others += np.int64(weights[i] != most)
        without += np.int64(weights[i] == 0)
    return most if others == without else np.int64(0), others == 0 and most > 0


@kernel
def select(keys, weights, stops, wanted, equal, out):
    """out[b] = the smallest key of block b at which the cumulated weight reaches wanted[b].

    Keys and weights are those of `gather`, and change places. If all weights are `equal`, `wanted`
    are numbers of keys. A block without weight keeps what is in `out`.
    """
    spare, spare_weights = np.empty_like(keys), np.empty(0 if equal else keys.shape[0], np.int64)
    some, first = np.empty(SAMPLE, np.int64), U(0)
    for b in range(stops.shape[0]):
        last = U(stops[b])
        if last > first:
            if equal:
                out[b] = key_of_rank(keys, spare, first, last, U(wanted[b]), some)
            else:
                out[b] = key_of_weight(
                    keys, weights, spare, spare_weights, first, last, wanted[b], some
                )
        first = last


@kernel
def key_of_rank(keys, spare, first, last, rank, some):
    """The key with this rank among first..last; the least one has rank 1.

    Quickselect without branches in its loop: keys below the pivot go to the front of the spare
    array, those above it to its end, and a key goes to both before it is known where it stays. Then
    the arrays change places.
    """
    while last - first > U(FEW):
        pivot = pivot_of(keys, first, last, rank / (last - first), some)
        low, high = first, last
        for at in range(first, last):
            key = keys[at]
            spare[low] = spare[high - U(1)] = key
            low += U(key < pivot)
            high -= U(key > pivot)
        if rank <= low - first:
            last = low
        elif rank <= (low - first) + (high - low):
            return pivot
        else:
            rank -= high - first
            first = high
        keys, spare = spare, keys
    for end in range(first + U(1), last):
        insert(keys, first, end, keys[end])
    return keys[first + rank - U(1)]


@kernel
def key_of_weight(keys, weights, spare, spare_weights, first, last, wanted, some):
    """The smallest key of first..last at which the cumulated weight reaches `wanted`.

    As `key_of_rank`, with the weights beside the keys.
    """
    before, total = np.int64(0), np.int64(0)
    for at in range(first, last):
        total += weights[at]
    while last - first > U(1):
        share = (wanted - before) / total
        pivot = pivot_of(keys, first, last, share, some)
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
            last, total = low, below
        elif before + below + equal >= wanted or high == last:
            return pivot
        else:
            before += below + equal
            total -= below + equal
            first = high
        keys, spare = spare, keys
        weights, spare_weights = spare_weights, weights
    return keys[first]


@kernel
def pivot_of(keys, first, last, share, some):
    """A key that is likely to be a little beyond the one at this share, as the middle sees it.

    So the part with the wanted key is likely to be the smaller one. It is read off some keys at
    equal distances; which ones does not show in what is found.
    """
    count = last - first
    size = min(U(SAMPLE), max(U(3), count // U(KEYS_OF_ONE)))
    size = min(size, count)
    step = count // size
    for s in range(size):
        insert(some, U(0), s, keys[first + s * step + step // U(2)])
    place = share * size
    spread = 0.8 * math.sqrt(max(share * (1.0 - share) * size, 0.0))
    place = place + spread if share <= 0.5 else place - spread
    return some[U(min(max(place, 0.0), size - 1.0))]


@kernel
def insert(keys, first, end, key):
    """Put a key into keys[first:end], which are sorted."""
    at = end
    while at > first and keys[at - U(1)] > key:
        keys[at] = keys[at - U(1)]
        at -= U(1)
    keys[at] = key

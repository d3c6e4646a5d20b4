"""The distinct numbers of a column, sorted, and how often each occurs."""

import numpy as np

from underdog.kernels.jit import inner, kernel

U = np.uint64
DIGITS, DIGIT = 8, 256
"""A float64 has eight digits of a byte each."""
FEW, SLOTS = 256, 1024
"""Up to so many distinct values are counted in a table of so many places, a power of two."""
HALF, MIXER = U(2**32 - 1), U(0x9E3779B1)
"""The lower half of a number, and an odd factor with which all of its bits decide."""


@kernel
def sort_numbers(values, keys, spare):
    """Sort all values but NaN into `keys`, as floats; returns how many there are.

    By one byte after the other, the lowest first: in several times less time than by comparing. The
    bytes of a float have the order of the numbers if the first bit is turned around, or all of
    them if the number is negative. Zeros, which are often the most common number, are only counted.
    """
    given, sign, all_bits, byte = values.view(np.uint64), U(1 << 63), U(2**64 - 1), U(DIGIT - 1)
    places = np.zeros((DIGITS, DIGIT), np.int64)
    size, zeros = U(0), U(0)
    for i in range(U(values.shape[0])):
        keys[size] = given[i] ^ (all_bits if given[i] >= sign else sign)
        size += U(values[i] == values[i]) & U(given[i] != U(0))
        zeros += U(given[i] == U(0))
    for i in range(size):
        key = keys[i]
        for digit in range(DIGITS):
            places[digit, key & byte] += 1
            key >>= U(8)
    source, goal = keys, spare
    for digit in range(DIGITS if size > U(0) else 0):
        place, shift = places[digit], U(8 * digit)
        if U(place[source[0] >> shift & byte]) == size:
            continue  # all have the same
        first = np.int64(0)
        for d in range(DIGIT):
            count = place[d]
            place[d] = first
            first += count
        for i in range(size):
            d = source[i] >> shift & byte
            goal[U(place[d])] = source[i]
            place[d] += 1
        source, goal = goal, source
    negative = U(0)
    for i in range(size):
        negative += U(source[i] < sign)
    for i in range(size - negative):  # from the last on: `keys` may be the source
        place = size - U(1) - i
        keys[place + zeros] = source[place] ^ sign
    for i in range(negative):
        keys[i] = source[i] ^ all_bits
    for i in range(negative, negative + zeros):
        keys[i] = U(0)
    return np.int64(size + zeros)


@kernel
def distinct_sorted(sorted_values, sorted_counts, values, counts):
    """Merge equal neighbours, adding their counts; returns how many distinct values there are."""
    last = -1
    for i in range(sorted_values.shape[0]):
        if last >= 0 and sorted_values[i] == values[last]:
            counts[last] += sorted_counts[i]
        else:
            last += 1
            values[last] = sorted_values[i]
            counts[last] = sorted_counts[i]
    return last + 1


@kernel
def count_few(values, keys, repeats):
    """List the bits of the distinct values in `keys`, in any order, and how often each occurs.

    Returns how many there are, or -1 if they are more than FEW. NaN is left out, and the two zeros
    are different. Values are found in a table with SLOTS places, from one that their bits decide.
    """
    given = values.view(np.uint64)
    number, last = np.zeros(SLOTS, np.int64), U(SLOTS - 1)  # of each value, from 1 on
    distinct = 0
    for i in range(U(values.shape[0])):
        if values[i] != values[i]:
            continue
        slot = ((given[i] ^ given[i] >> U(32)) & HALF) * MIXER >> U(22) & last
        while number[slot] > 0 and keys[U(number[slot] - 1)] != given[i]:
            slot = (slot + U(1)) & last
        if number[slot] == 0:
            if distinct == FEW:
                return -1
            keys[U(distinct)], repeats[U(distinct)] = given[i], 0
            distinct += 1
            number[slot] = distinct
        repeats[U(number[slot] - 1)] += 1
    return distinct


@inner
def sort_few(keys, repeats):
    """Sort the bits of numbers by the numbers, -0.0 before 0.0, and `repeats` with them.

    By Shell's method: by insertion, over distances that become smaller. `np.argsort` would take a
    second more to compile.
    """
    sign, all_bits = U(1 << 63), U(2**64 - 1)
    count, gap = U(keys.shape[0]), U(121)
    for i in range(count):  # as in `sort_numbers`
        keys[i] ^= all_bits if keys[i] >= sign else sign
    while gap > U(0):
        for i in range(gap, count):
            key, often, place = keys[i], repeats[i], i
            while place >= gap and keys[place - gap] > key:
                keys[place], repeats[place] = keys[place - gap], repeats[place - gap]
                place -= gap
            keys[place], repeats[place] = key, often
        gap //= U(3)
    for i in range(count):
        keys[i] ^= sign if keys[i] >= sign else all_bits


@kernel
def distinct_numbers(numbers, ones, keys, spare, values, counts):
    """Write the sorted distinct numbers and how often each occurs to values and counts.

    `ones` has as many as there are numbers; keys and spare are memory, and values may be that of
    spare. Returns how many distinct numbers and how many numbers there are, without NaN. Few
    distinct ones are counted before they are sorted.
    """
    few = np.empty(FEW, np.uint64)
    repeats = np.empty(FEW, np.int64)
    count = count_few(numbers, few, repeats)
    if count < 0:
        size = sort_numbers(numbers, keys, spare)
        return distinct_sorted(keys.view(np.float64)[:size], ones[:size], values, counts), size
    sort_few(few[:count], repeats)
    total = np.int64(0)
    for place in range(count):
        total += repeats[place]
    found = few.view(np.float64)[:count]
    return distinct_sorted(found, repeats, values, counts), total

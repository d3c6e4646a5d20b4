"""Scores of trees without walking through them.

Every leaf of a tree is a bit, those of the false side of a test below those of its true side. Where
a test is true, the leaves of its false side are removed; the lowest bit that is left is the leaf of
a row. All rows of a block are tested at once, in vector instructions and without branches.
"""

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload
from numba.types import uint64

from underdog.kernels.jit import inner, kernel

RUN = 256
"""Rows that are tested together."""
LADDER = 256
"""Most codes of a column, the one of missing values included."""
WORD = 64
"""Most codes of a column whose tests are one number, with a bit for each code."""
RUN_OF_CODES, BITS_OF_CODES = -1, -2
"""Where a test has no table: its codes are a run, or the bits of a number."""
U = np.uint64


def lowest_bit(bits):
    """The number of the lowest bit that is set."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


@intrinsic
def _count_zeros(_context, bits):
    def generate(_context, builder, _signature, values):
        found = builder.cttz(values[0], ir.IntType(1)(1))
        return builder.zext(found, ir.IntType(64)) if found.type.width < 64 else found

    return uint64(bits), generate


@overload(lowest_bit)
def _lowest_bit(bits):  # noqa: ARG001 - any unsigned type
    return lambda bits: _count_zeros(bits)


@kernel
def encode_numbers(matrix, columns, places, pointers, cuts, first, last, codes):
    """codes[places[u], i] = how many cuts are below matrix[first + i, columns[u]].

    NaN has the code after the last. The steps of the bisection are the same for all rows, so that
    those of many rows overlap.
    """
    ladder, run, place = np.empty(LADDER), np.empty(RUN), np.empty(RUN, np.uint64)
    for start in range(0, last - first, RUN):
        count = min(RUN, last - first - start)
        for u in range(columns.shape[0]):
            column, own = columns[u], codes[places[u], start : start + count]
            n_cuts = pointers[u + 1] - pointers[u]
            size = 1
            while size <= n_cuts:
                size *= 2
            for c in range(size):
                ladder[c] = cuts[pointers[u] + c] if c < n_cuts else np.inf
            for i in range(count):
                run[i] = matrix[first + start + i, column]
                place[i] = U(0)
            step = U(size // 2)
            while step > U(0):
                for i in range(count):
                    place[i] += step * U(run[i] > ladder[place[i] + step - U(1)])
                step >>= U(1)
            missing = np.uint8(n_cuts + 1)
            for i in range(count):
                own[i] = np.uint8(place[i]) if run[i] == run[i] else missing


@kernel
def encode_stored(pointers, indices, data, place_of, cut_pointers, cuts, first, last, codes):
    """`encode_numbers` for the stored entries of a sparse matrix; the others are in `codes`."""
    for i in range(first, last):
        for e in range(pointers[i], pointers[i + 1]):
            u = place_of[indices[e]]
            if u >= 0:
                value = data[e]
                n_cuts = cut_pointers[u + 1] - cut_pointers[u]
                code = 0
                for c in range(cut_pointers[u], cut_pointers[u + 1]):
                    code += np.int64(value > cuts[c])
                codes[u, i - first] = np.uint8(code if value == value else n_cuts + 1)


@inner
def keep_two(codes, nodes, masks, node, start, size, bits):
    """Apply two tests whose codes are runs; together, bits are read and written once."""
    full = masks[masks.shape[0] - 1]
    first = codes[nodes[node, 0], start : start + size]
    second = codes[nodes[node + 1, 0], start : start + size]
    low1, width1 = nodes[node, 1], np.uint8(nodes[node, 2])
    low2, width2 = nodes[node + 1, 1], np.uint8(nodes[node + 1, 2])
    mask1, mask2 = masks[node], masks[node + 1]
    for i in range(size):
        one = mask1 if np.uint8((first[i] - low1) & 255) < width1 else full
        two = mask2 if np.uint8((second[i] - low2) & 255) < width2 else full
        bits[i] &= one & two


@inner
def keep_one(codes, nodes, masks, table, node, start, size, bits):
    """Apply one test."""
    full = masks[masks.shape[0] - 1]
    row, mask = codes[nodes[node, 0], start : start + size], masks[node]
    if nodes[node, 3] == RUN_OF_CODES:
        low, width = nodes[node, 1], np.uint8(nodes[node, 2])
        for i in range(size):
            bits[i] &= mask if np.uint8((row[i] - low) & 255) < width else full
    elif nodes[node, 3] == BITS_OF_CODES:  # in vector instructions, unlike a table
        inside = U(nodes[node, 1])
        for i in range(size):
            bits[i] &= mask if (inside >> U(row[i])) & U(1) else full
    else:
        answers = table[nodes[node, 3] : nodes[node, 3] + LADDER]
        for i in range(size):
            bits[i] &= mask if answers[U(row[i])] else full


@inner
def fill_bits(codes, first, last, nodes, masks, table, start, size, bits):
    """bits[i] = the leaves that are possible for row start + i, by the tests first..last."""
    full = masks[masks.shape[0] - 1]
    for i in range(size):
        bits[i] = full
    node = first
    while node < last:
        runs = nodes[node, 3] == RUN_OF_CODES
        if runs and node + 1 < last and nodes[node + 1, 3] == RUN_OF_CODES:
            keep_two(codes, nodes, masks, node, start, size, bits)
            node += 2
        else:
            keep_one(codes, nodes, masks, table, node, start, size, bits)
            node += 1


@kernel
def add_scores(codes, trees, nodes, masks, table, steps, count, out):
    """Add to out[i] the steps of the leaves of row i, whose codes are codes[:, i].

    nodes[trees[t]:trees[t + 1]] are the tests of tree t: row of `codes`, first code and number of
    codes where the test is true, and where its answers for every code are in `table`. If the codes
    are a run, RUN_OF_CODES is there; if BITS_OF_CODES, the first code has a bit for each of them.
    steps[t] are those of tree t. The last of `masks` has all bits.
    """
    bits, total = np.empty(RUN, masks.dtype), np.empty(RUN)
    for start in range(0, count, RUN):
        size = min(RUN, count - start)
        for i in range(size):
            total[i] = 0.0
        for t in range(trees.shape[0] - 1):
            fill_bits(codes, trees[t], trees[t + 1], nodes, masks, table, start, size, bits)
            if out.shape[1] == 1:
                own = steps[t, :, 0]
                for i in range(size):
                    total[i] += own[lowest_bit(bits[i])]
            else:
                for i in range(size):
                    leaf = lowest_bit(bits[i])
                    for k in range(out.shape[1]):
                        out[start + i, k] += steps[t, leaf, k]
        if out.shape[1] == 1:
            for i in range(size):
                out[start + i, 0] += total[i]

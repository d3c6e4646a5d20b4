"""Sums of packed amounts over the cells of some rows.

The two channels of a signal share one 64-bit integer: channel 0 (weights of negatives, or
gradients, which may be negative) in the upper half, channel 1 (weights of positives, or curvatures)
in the lower. One addition adds both, and sums are exact as long as the total of either stays below
2**31, for which amounts are rounded (`pack`).
"""

import numpy as np

from underdog.kernels.fetch import fetch
from underdog.kernels.jit import kernel

U = np.uint64
TILE = U(1024)  # rows that are counted for one run of columns after the other
RUN = U(28)  # columns whose sums stay in a fast cache
AHEAD = U(24)  # rows that memory is asked for in advance


@kernel
def sum_amounts(fine, first, last, totals, sizes):
    """Sums of fine[channel, row, label] over rows first..last, and of its absolute values."""
    for c in range(fine.shape[0]):
        for k in range(fine.shape[2]):
            total, size = np.int64(0), np.int64(0)
            for i in range(first, last):
                total += fine[c, i, k]
                size += abs(fine[c, i, k])
            totals[c, k], sizes[c, k] = total, size


@kernel
def pack(fine, repeats, shift, first, last, out):
    """out[i, k] = both channels of row i, rounded to multiples of 2**shift[channel, k].

    For rows first..last.
    """
    for i in range(first, last):
        often = repeats[i]
        for k in range(out.shape[1]):
            upper, lower = fine[0, i, k], fine[1, i, k]
            if often != 1:
                upper, lower = upper // often, lower // often
            if shift[0, k] > 0:
                upper = (upper + (np.int64(1) << (shift[0, k] - 1))) >> shift[0, k]
            if shift[1, k] > 0:
                lower = (lower + (np.int64(1) << (shift[1, k] - 1))) >> shift[1, k]
            out[i, k] = ((upper * often) << 32) + lower * often


@kernel
def gather(values, order, start, first, last, out):
    """out[r] = values[order[start + r]] for r in first..last."""
    if values.shape[1] == 1:
        for r in range(first, last):
            out[r, 0] = values[U(order[start + r]), 0]
        return
    for r in range(first, last):
        for k in range(values.shape[1]):
            out[r, k] = values[order[start + r], k]


@kernel
def count_dense(codes, offsets, rows, values, left, right, hist):
    """Add values[r] to the cells of row rows[r] in columns left..right; one label.

    Positions are unsigned: a signed one could be negative, which costs a test at every access.
    """
    width, count = U(codes.shape[1]), U(rows.shape[0])
    flat = codes.reshape(codes.size)
    first = U(0)
    while first < count:
        last = min(first + TILE, count)
        begin = U(left)
        while begin < U(right):
            end = min(begin + RUN, U(right))
            fours = begin + (end - begin) // U(4) * U(4)
            for r in range(first, last):
                base = U(rows[r]) * width
                if begin == U(left) and r + AHEAD < count:
                    fetch(flat, U(rows[r + AHEAD]) * width + begin)
                value = values[r]
                j = begin
                while j < fours:
                    hist[offsets[j] + U(flat[base + j])] += value
                    hist[offsets[j + U(1)] + U(flat[base + j + U(1)])] += value
                    hist[offsets[j + U(2)] + U(flat[base + j + U(2)])] += value
                    hist[offsets[j + U(3)] + U(flat[base + j + U(3)])] += value
                    j += U(4)
                while j < end:
                    hist[offsets[j] + U(flat[base + j])] += value
                    j += U(1)
            begin = end
        first = last


@kernel
def count_dense_labels(codes, offsets, rows, values, left, right, hist):
    """`count_dense` for several labels."""
    for r in range(rows.shape[0]):
        i = rows[r]
        for j in range(left, right):
            cell = offsets[j] + codes[i, j]
            for k in range(values.shape[1]):
                hist[cell, k] += values[r, k]


@kernel
def count_sparse(pointers, cells, rows, values, hist):
    """Add values[r] to the stored cells of row rows[r]."""
    if values.shape[1] == 1:
        only = hist[:, 0]
        for r in range(rows.shape[0]):
            i = U(rows[r])
            value = values[U(r), 0]
            for place in range(U(pointers[i]), U(pointers[i + U(1)])):
                only[U(cells[place])] += value
        return
    for r in range(rows.shape[0]):
        i = rows[r]
        for place in range(pointers[i], pointers[i + 1]):
            for k in range(values.shape[1]):
                hist[cells[place], k] += values[r, k]


@kernel
def clear(hist, thread, n_threads):
    """A thread's share of the cells is set to 0."""
    flat = hist.reshape(hist.size)  # one loop, so that it becomes vector instructions
    for place in range(
        U(hist.size * thread // n_threads), U(hist.size * (thread + 1) // n_threads)
    ):
        flat[place] = 0


@kernel
def count(storage, rows, values, thread, n_threads, hist):
    """Add values[r] to the cells of row rows[r]: a thread's share of the dense columns.

    The last thread also counts all sparse columns.
    """
    width = storage.codes.shape[1]
    left, right = width * thread // n_threads, width * (thread + 1) // n_threads
    if left < right:
        if values.shape[1] == 1:
            count_dense(storage.codes, storage.offsets, rows, values[:, 0], left, right, hist[:, 0])
        else:
            count_dense_labels(storage.codes, storage.offsets, rows, values, left, right, hist)
    if storage.cells.shape[0] > 0 and thread == n_threads - 1:
        count_sparse(storage.pointers, storage.cells, rows, values, hist)


@kernel
def leaf_sums(fine, order, starts, stops, first, last, out):
    """out[leaf, channel, label] = the exact sums of the rows of leaves first..last."""
    for leaf in range(first, last):
        for channel in range(out.shape[1]):
            for k in range(out.shape[2]):
                total = np.int64(0)
                for r in range(starts[leaf], stops[leaf]):
                    total += fine[channel, U(order[r]), k]
                out[leaf, channel, k] = total

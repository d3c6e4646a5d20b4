"""Cut points of columns, and the bin codes of their values.

Cuts depend only on distinct values and integer counts, not on the order of the rows or on whether
zeros are stored.
"""

import numpy as np

from underdog.kernels.jit import inlined, kernel
from underdog.kernels.occurrences import distinct_numbers

U = np.uint64
ROWS_AT_ONCE = 1024
"""Rows that are looked at together for zeros."""
LANES, RUN = 8, 256
"""Number of places in memory that are read alternately, and of bytes from each."""


@kernel
def midpoint(left, right):
    """A float64 strictly between the two, or the left one if there is none."""
    if left == -np.inf or right == np.inf:
        return left
    middle = left * 0.5 + right * 0.5
    if left < middle < right:
        return middle
    return left


@kernel
def cut_points(values, counts, most_bins, out):
    """Write the cuts of sorted distinct values to out; returns how many.

    With at most most_bins distinct values there is a cut in every gap, otherwise only the first one
    at or above each quantile q / most_bins of the counts. A value v is above a cut t if v > t.
    """
    distinct = values.shape[0]
    if distinct <= most_bins:
        for v in range(distinct - 1):
            out[v] = midpoint(values[v], values[v + 1])
        return max(distinct - 1, 0)
    everything = np.int64(0)
    for v in range(distinct):
        everything += counts[v]
    below = np.int64(0)
    written = 0
    wanted = 1
    for v in range(distinct - 1):
        below += counts[v]
        if below * most_bins >= wanted * everything:
            out[written] = midpoint(values[v], values[v + 1])
            written += 1
            while wanted < most_bins and below * most_bins >= wanted * everything:
                wanted += 1
            if wanted == most_bins:
                break
    return written


@kernel
def bin_of(value, cuts, first, last):
    """How many of cuts[first:last] are below value (value > cut).

    Bisection without branches on the data, which would often be mispredicted. Unsigned positions
    need no check for negative indices.
    """
    base = np.uint64(first)
    size = np.uint64(last - first)
    one = np.uint64(1)
    while size > one:
        half = size >> one
        base += half * np.uint64(value > cuts[base + half - one])
        size -= half
    if size == one:
        base += np.uint64(value > cuts[base])
    return np.int64(base) - first


@inlined
def step_of(value, ladder, missing):
    """How many of 255 steps are below value; `missing` for NaN."""
    place = U(128) * U(value > ladder[127])
    place += U(64) * U(value > ladder[place + U(63)])
    place += U(32) * U(value > ladder[place + U(31)])
    place += U(16) * U(value > ladder[place + U(15)])
    place += U(8) * U(value > ladder[place + U(7)])
    place += U(4) * U(value > ladder[place + U(3)])
    place += U(2) * U(value > ladder[place + U(1)])
    place += U(value > ladder[place])
    return np.uint8(place) if value == value else missing


@kernel
def encode_dense(values, cuts, out):
    """out[i] = bin of values[i]; NaN goes to the bin after the last. At most 255 cuts.

    All zeros have the same bin, and where they are common, only other values are looked up. Returns
    whether any value is NaN.
    """
    ladder = np.full(256, np.inf)
    for c in range(cuts.shape[0]):  # assigning a slice would take two more seconds to compile
        ladder[c] = cuts[c]
    missing = np.uint8(cuts.shape[0] + 1)
    zero = step_of(0.0, ladder, missing)
    others = np.empty(ROWS_AT_ONCE, np.int64)
    holes = False
    for begin in range(0, values.shape[0], ROWS_AT_ONCE):
        own, codes = values[begin : begin + ROWS_AT_ONCE], out[begin : begin + ROWS_AT_ONCE]
        size = U(own.shape[0])
        zeros = 0
        for i in range(size):
            zeros += own[i] == 0.0
            holes |= own[i] != own[i]
        if 4 * zeros < own.shape[0]:
            for i in range(size):
                codes[i] = step_of(own[i], ladder, missing)
            continue
        count = U(0)
        for i in range(size):
            codes[i] = zero
            others[count] = i
            count += U(own[i] != 0.0)
        for o in range(count):
            i = U(others[o])
            codes[i] = step_of(own[i], ladder, missing)
    return holes


@kernel
def learn_block(block, ones, keys, spare, values, counts, most_bins, cuts, n_cuts, holes):
    """Find the cuts of some columns, and in which some values, but not all, are missing.

    For block[column, row] and the memory of `distinct_numbers`. Those of column k are the first
    n_cuts[k] of cuts[k].
    """
    for k in range(block.shape[0]):
        distinct, size = distinct_numbers(block[k], ones, keys, spare, values, counts)
        holes[k] = distinct > 0 and size < block.shape[1]  # if all are, there is nothing to split
        n_cuts[k] = cut_points(values[:distinct], counts[:distinct], most_bins, cuts[k])


@kernel
def encode_block(block, cuts, cut_pointers, positions, places, out, holes):
    """`encode_dense` for some columns: out[places[k]] = the bins of block[k].

    Its cuts are those of column positions[k]. A column without a place is left out.
    """
    for k in range(block.shape[0]):
        if places[k] >= 0:
            first, last = cut_pointers[positions[k]], cut_pointers[positions[k] + 1]
            holes[k] = encode_dense(block[k], cuts[first:last], out[places[k]])


@kernel
def repeats(bytes_, width):
    """Whether all items of `width` bytes are equal.

    Eight places are read alternately, so that their memory accesses overlap.
    """
    size = bytes_.shape[0] - width
    lane = size // (LANES * RUN) * RUN
    differs = False
    for start in range(0, lane, RUN):
        for place in range(start, start + LANES * lane, lane):
            for i in range(place, place + RUN):
                differs |= bytes_[np.uint64(i)] != bytes_[np.uint64(i) + np.uint64(width)]
        if differs:
            return False
    for i in range(LANES * lane, size):
        differs |= bytes_[i] != bytes_[i + width]
    return not differs


@kernel
def count_columns(pointers, indices, repeats, out):
    """out[j] += number of stored entries of column j, where row i counts repeats[i] times."""
    for i in range(pointers.shape[0] - 1):
        for e in range(pointers[i], pointers[i + 1]):
            out[np.uint32(indices[e])] += repeats[i]


@kernel
def bins_of(value, cuts, cut_pointers, out):
    """out[j] = the bin of column j into which this value falls."""
    for j in range(out.shape[0]):
        out[j] = bin_of(value, cuts, cut_pointers[j], cut_pointers[j + 1])


@kernel
def sparse_cuts(pointers, rows, data, repeats, everything, most_bins, cuts, cut_pointers, missing):
    """Cuts of every column of a CSC matrix whose stored values are not zero.

    Writes to cuts[cut_pointers[j]:cut_pointers[j + 1]] and sets missing[j] where NaN is stored.
    """
    longest = 0
    for j in range(pointers.shape[0] - 1):
        longest = max(longest, pointers[j + 1] - pointers[j])
    values = np.empty(longest + 1)
    counts = np.empty(longest + 1, np.int64)
    written = 0
    cut_pointers[0] = 0
    for j in range(pointers.shape[0] - 1):
        start, stop = pointers[j], pointers[j + 1]
        zeros = everything
        constant = True
        for e in range(start, stop):
            zeros -= repeats[rows[e]]
            constant = constant and data[e] == data[start]
        if constant and stop > start:
            if zeros > 0:
                low, high = min(data[start], 0.0), max(data[start], 0.0)
                cuts[written] = midpoint(low, high)
                written += 1
        elif stop > start:
            order = np.argsort(data[start:stop], kind="mergesort")
            last = -1
            zero_placed = zeros == 0
            for o in range(stop - start):
                value = data[start + order[o]]
                if value != value:
                    missing[j] = True
                    continue
                if not zero_placed and value > 0.0:
                    last += 1
                    values[last] = 0.0
                    counts[last] = zeros
                    zero_placed = True
                if last >= 0 and values[last] == value:
                    counts[last] += repeats[rows[start + order[o]]]
                else:
                    last += 1
                    values[last] = value
                    counts[last] = repeats[rows[start + order[o]]]
            if not zero_placed:
                last += 1
                values[last] = 0.0
                counts[last] = zeros
            missing[j] = missing[j] and last >= 0  # if all are missing, there is nothing to split
            written += cut_points(values[: last + 1], counts[: last + 1], most_bins, cuts[written:])
        cut_pointers[j + 1] = written


@kernel
def constant_cells(indices, cell_of_column, out):
    """Cell of every entry of a matrix that stores one value only."""
    for e in range(indices.shape[0]):
        out[e] = cell_of_column[indices[e]]


@kernel
def sparse_cells(pointers, indices, data, cuts, cut_pointers, first_cell, implicit, out):
    """Cell of every stored entry of a CSR matrix whose stored values are not zero.

    An entry in the implicit bin (a value in the bin of zero) gets -1.
    """
    for i in range(pointers.shape[0] - 1):
        for e in range(pointers[i], pointers[i + 1]):
            j = indices[e]
            last = cut_pointers[j + 1]
            if data[e] != data[e]:
                b = last - cut_pointers[j] + 1
            else:
                b = bin_of(data[e], cuts, cut_pointers[j], last)
            if b == implicit[j]:
                out[e] = -1
            else:
                out[e] = first_cell[j] + (b - 1 if b > implicit[j] else b)


@kernel
def gather_cells(pointers, cell_of_entry, new_pointers, kept):
    """Drop entries of cell -1 from a CSR of cells; returns how many remain."""
    written = np.uint64(0)
    new_pointers[0] = 0
    for i in range(pointers.shape[0] - 1):
        for e in range(pointers[i], pointers[i + 1]):
            cell = cell_of_entry[e]
            kept[written] = cell
            written += np.uint64(cell >= 0)
        new_pointers[i + 1] = written
    return np.int64(written)


@kernel
def renumber_cells(pointers, cell_of_entry, number, new_pointers, kept):
    """`gather_cells` of number[cell], which is -1 for cells that are dropped."""
    written = np.uint64(0)
    new_pointers[0] = 0
    for i in range(pointers.shape[0] - 1):
        for e in range(pointers[i], pointers[i + 1]):
            cell = number[np.uint64(cell_of_entry[e])]
            kept[written] = cell
            written += np.uint64(cell >= 0)
        new_pointers[i + 1] = written
    return np.int64(written)


@kernel
def renumber_rows(cell_pointers, rows, number, new_pointers, kept):
    """The rows of the cells that are not dropped; number[i] is that of cell i, or -1."""
    written = np.uint64(0)
    new_pointers[0] = 0
    for cell in range(cell_pointers.shape[0] - 1):
        if number[cell] >= 0:
            for e in range(np.uint64(cell_pointers[cell]), np.uint64(cell_pointers[cell + 1])):
                kept[written] = rows[e]
                written += np.uint64(1)
            new_pointers[number[cell] + 1] = written


@kernel
def invert(pointers, cell_of_entry, base, cell_pointers, rows):
    """CSR (cells of each row) to its inverse (rows of each cell from number `base` on)."""
    cells = cell_pointers.shape[0] - 1
    cell_pointers[:] = 0
    for e in range(pointers[pointers.shape[0] - 1]):
        cell_pointers[np.uint64(cell_of_entry[e] - base + 1)] += 1
    for c in range(cells):
        cell_pointers[c + 1] += cell_pointers[c]
    position = cell_pointers[:-1].copy()
    for i in range(pointers.shape[0] - 1):
        for e in range(pointers[i], pointers[i + 1]):
            c = np.uint64(cell_of_entry[e] - base)
            rows[np.uint64(position[c])] = i
            position[c] += 1

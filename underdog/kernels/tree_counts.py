"""Sums of packed amounts over the cells of some rows.

The two channels of a signal share one 64-bit integer: channel 0 (weights of negatives, or
gradients, which may be negative) in the upper half, channel 1 (weights of positives, or curvatures)
in the lower. One addition adds both, and sums are exact as long as the total of either stays below
2**31, for which amounts are rounded (`pack`).
"""

import numpy as np

from underdog.kernels.fetch import fetch
from underdog.kernels.jit import inner, inner_inlined, kernel, merged

U = np.uint64
BYTE = U(255)
CELLS = U(264)
"""Cells from one dense column to the next: 256, and a cache line more, so that the first cells of
all columns do not compete for the same place in a cache."""
TILE = 1024  # rows that a thread counts at a time, for one run of columns after the other
COLUMNS = 64  # sparse columns that it counts at a time
RUN = U(8)  # words of eight columns: a cache line of codes
AHEAD = U(8)  # rows that memory is asked for in advance


@kernel
def sum_amounts(fine, totals, sizes):
    """Sums of fine[channel, row, label] over all rows, and of its absolute values."""
    for c in range(U(fine.shape[0])):
        if fine.shape[2] == 1:
            total, size = np.int64(0), np.int64(0)
            for i in range(U(fine.shape[1])):
                total += fine[c, i, U(0)]
                size += abs(fine[c, i, U(0)])
            totals[c, U(0)], sizes[c, U(0)] = total, size
        else:  # in the order of memory
            totals[c], sizes[c] = 0, 0
            for i in range(U(fine.shape[1])):
                for k in range(U(fine.shape[2])):
                    totals[c, k] += fine[c, i, k]
                    sizes[c, k] += abs(fine[c, i, k])


@kernel
def pack(fine, repeats, repeated, shift, first, last, out):
    """out[i, k] = both channels of row i, rounded to multiples of 2**shift[channel, k].

    For rows first..last. If any row is `repeated`, each of its examples is rounded.
    """
    for k in range(U(out.shape[1])):
        s, t = shift[0, k], shift[1, k]
        a, b = (np.int64(1) << s) >> 1, (np.int64(1) << t) >> 1
        if repeated:
            for i in range(U(first), U(last)):
                often = repeats[i]
                upper, lower = fine[U(0), i, k] // often, fine[U(1), i, k] // often
                out[i, k] = ((((upper + a) >> s) * often) << 32) + ((lower + b) >> t) * often
        else:
            for i in range(U(first), U(last)):
                upper, lower = (fine[U(0), i, k] + a) >> s, (fine[U(1), i, k] + b) >> t
                out[i, k] = (upper << 32) + lower


@inner
def count_dense(words, n_columns, rows, packed, sums):
    """Add packed[i] to the cells of all dense codes, for each row i of `rows`; one label.

    A code is of one column, or of several. The cells of code j are sums[j * CELLS:]. Eight codes
    are read at once, and their cells are at fixed distances from each other. Positions are
    unsigned: a signed one could be negative, which costs a test at every access.
    """
    width, count = U(words.shape[1]), U(rows.shape[0])
    full, flat = U(n_columns) // U(8), words.reshape(words.size)
    rest = U(n_columns) - full * U(8)
    begin = U(0)
    while begin < width:
        end = min(begin + RUN, width)
        whole = min(end, full)
        for r in range(count):
            i = U(rows[r])
            base, value = i * width, packed[i]
            if r + AHEAD < count:
                next_ = U(rows[r + AHEAD])
                fetch(packed, next_)
                fetch(flat, next_ * width + begin)
                fetch(flat, next_ * width + end - U(1))
            for w in range(begin, whole):
                codes, cell = flat[base + w], w * (U(8) * CELLS)
                sums[cell + (codes & BYTE)] += value
                sums[cell + CELLS + (codes >> U(8) & BYTE)] += value
                sums[cell + U(2) * CELLS + (codes >> U(16) & BYTE)] += value
                sums[cell + U(3) * CELLS + (codes >> U(24) & BYTE)] += value
                sums[cell + U(4) * CELLS + (codes >> U(32) & BYTE)] += value
                sums[cell + U(5) * CELLS + (codes >> U(40) & BYTE)] += value
                sums[cell + U(6) * CELLS + (codes >> U(48) & BYTE)] += value
                sums[cell + U(7) * CELLS + (codes >> U(56))] += value
            if whole < end:
                codes, cell = flat[base + whole], whole * (U(8) * CELLS)
                for _ in range(rest):
                    sums[cell + (codes & BYTE)] += value
                    codes >>= U(8)
                    cell += CELLS
        begin = end


@inner_inlined
def add_negatives(first, last, hist):
    """Count what is positive in one label of a cell as negative in all others."""
    for cell in range(U(first), U(last)):
        total = np.int64(0)
        for k in range(U(hist.shape[1])):
            total += hist[cell, k]
        for k in range(U(hist.shape[1])):
            hist[cell, k] += (total - hist[cell, k]) << 32


@inner
def count_labels(storage, first_cell, left, right, rows, packed, numbers, hist):
    """The sums of dense columns left..right over some rows, for several labels.

    Where a row is of one class, `numbers`, it is added once, and not to every label.
    """
    words, counted = storage.words, storage.counted
    for j in range(left, right):
        if storage.place[j] >= 0:
            for cell in range(first_cell[j], first_cell[j + 1]):
                for k in range(hist.shape[1]):
                    hist[cell, k] = 0
    if numbers.shape[0] > 0:
        for r in range(rows.shape[0]):
            i = U(rows[r])
            number = U(numbers[i])
            value = packed[i, number]
            for j in range(U(left), U(right)):
                if counted[j] >= 0:
                    place = U(counted[j])
                    code = words[i, place >> U(3)] >> (U(8) * (place & U(7))) & BYTE
                    hist[U(first_cell[j]) + code, number] += value
        for j in range(left, right):
            if storage.place[j] >= 0:
                add_negatives(first_cell[j], first_cell[j + 1], hist)
        return
    for r in range(rows.shape[0]):
        i = rows[r]
        for j in range(left, right):
            place = U(counted[j])
            if counted[j] >= 0:
                code = words[i, place >> U(3)] >> (U(8) * (place & U(7))) & BYTE
                cell = U(first_cell[j]) + code
                for k in range(hist.shape[1]):
                    hist[cell, k] += packed[i, k]


@inner
def add_up(storage, first_cell, left, right, sums, hist):
    """Put the sums that all threads have of dense columns left..right together.

    A column that shares its code has a cell for each combination with the others. Here these are
    summed out: its bin changes every `step` cells.
    """
    for j in range(left, right):
        if storage.place[j] < 0:
            continue
        begin, size = U(first_cell[j]), U(first_cell[j + 1] - first_cell[j])
        step, cells = U(storage.step[j]), U(storage.joint[j])
        alone = storage.counted[j] >= 0 and cells == size
        if alone:
            own = sums[0][U(storage.counted[j]) * CELLS :]
            for b in range(size):
                hist[begin + b] = own[b]
        else:
            for b in range(size):
                hist[begin + b] = 0
        if storage.counted[j] < 0:
            continue
        for thread in range(1 if alone else 0, sums.shape[0]):
            own = sums[thread][U(storage.counted[j]) * CELLS :]
            if alone:
                for b in range(size):
                    hist[begin + b] += own[b]
            elif step == U(1):
                for cell in range(U(0), cells, size):
                    for b in range(size):
                        hist[begin + b] += own[cell + b]
            else:
                cell = U(0)
                while cell < cells:
                    for b in range(size):
                        total = np.int64(0)
                        for _ in range(step):
                            total += own[cell]
                            cell += U(1)
                        hist[begin + b] += total


@inner
def count_sparse(storage, first_cell, rows, packed, numbers, hist):
    """Sums over the stored cells of some rows."""
    pointers, cells = storage.pointers, storage.cells
    if hist.shape[1] == 1:
        only, values = hist.reshape(hist.size), packed.reshape(packed.size)
        for cell in range(U(only.shape[0])):  # dense columns are put there later
            only[cell] = 0
        count = U(rows.shape[0])
        for r in range(count):
            i = U(rows[r])
            value = values[i]
            if r + AHEAD < count:
                next_ = U(rows[r + AHEAD])
                fetch(values, next_)
                fetch(pointers, next_)
                next_ = U(pointers[U(rows[r + AHEAD // U(2)])])
                for line in range(U(3)):  # most of the cells of a row
                    fetch(cells, next_ + line * U(16))
            for place in range(U(pointers[i]), U(pointers[i + U(1)])):
                only[U(cells[place])] += value
        return
    for j in range(storage.place.shape[0]):
        if storage.place[j] < 0:
            for cell in range(U(first_cell[j]), U(first_cell[j + 1])):
                for k in range(U(hist.shape[1])):
                    hist[cell, k] = 0
    if numbers.shape[0] > 0:
        for r in range(rows.shape[0]):
            i = rows[r]
            for place in range(pointers[i], pointers[i + 1]):
                hist[cells[place], numbers[i]] += packed[i, numbers[i]]
        for j in range(storage.place.shape[0]):
            if storage.place[j] < 0:
                add_negatives(first_cell[j], first_cell[j + 1], hist)
        return
    for r in range(rows.shape[0]):
        i = rows[r]
        for place in range(pointers[i], pointers[i + 1]):
            for k in range(hist.shape[1]):
                hist[cells[place], k] += packed[i, k]


@inner
def count_cells(storage, first_cell, used, packed, hist):
    """Sums of the stored cells of those columns that are used over all rows, for one label.

    A sum stays in a register. Row by row, each addition would wait for its cell.
    """
    pointers, rows, base = storage.cell_pointers, storage.cell_rows, U(storage.base)
    values, only = packed.reshape(packed.size), hist.reshape(hist.size)
    for c in range(used.shape[0]):
        j = used[c]
        if storage.place[j] < 0:
            for cell in range(U(first_cell[j]), U(first_cell[j + 1])):
                total = np.int64(0)
                for at in range(U(pointers[cell - base]), U(pointers[cell - base + U(1)])):
                    total += values[U(rows[at])]
                only[cell] = total


@merged
def sum_rows(packed, rows, out):
    """out[k] = the packed sums of some rows, which are in order."""
    everything = rows.shape[0] == packed.shape[0]
    for k in range(packed.shape[1]):
        total = np.int64(0)
        if everything:
            for i in range(packed.shape[0]):
                total += packed[i, k]
        else:
            for r in range(rows.shape[0]):
                total += packed[np.uint64(rows[r]), k]
        out[k] = total


@kernel
def leaf_sums(fine, same, order, starts, stops, first, last, out):
    """out[leaf, channel, label] = the exact sums of the rows of each leaf among order[first:last].

    There are two channels. If `same` is not 0, the second one is this for every row.
    """
    for leaf in range(out.shape[0]):
        begin, end = U(max(starts[leaf], first)), U(max(min(stops[leaf], last), 0))
        if out.shape[2] == 1:
            one, two = np.int64(0), np.int64(0)
            if same:
                for r in range(begin, end):
                    one += fine[U(0), U(order[r]), U(0)]
                two = np.int64(max(begin, end) - begin) * same
            else:
                for r in range(begin, end):
                    i = U(order[r])
                    one += fine[U(0), i, U(0)]
                    two += fine[U(1), i, U(0)]
            out[leaf, 0, 0], out[leaf, 1, 0] = one, two
        else:  # in the order of memory
            out[leaf] = 0
            for r in range(begin, end):
                i = U(order[r])
                for c in range(U(2)):
                    for k in range(U(out.shape[2])):
                        out[leaf, c, k] += fine[c, i, k]

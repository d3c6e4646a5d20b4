"""Sums of two channels over listed rows: the rows of each cell.

Sums stay in registers, while sums over codes are in memory, where each addition waits for the one
before. Rows of the largest cell of a column are not listed: it has what the others leave.
"""

import numpy as np

from underdog.kernels.barrier import changes, put
from underdog.kernels.crew import GONE, IDLE, stays
from underdog.kernels.jit import kernel
from underdog.kernels.lanes import add_pairs, first_of, no_pair, pair_at, second_of

U = np.uint64


@kernel
def list_rows(codes, sizes, largest, pointers, rows):
    """List the rows of each cell of dense codes, except those of the largest cell of a column.

    largest[j] is its code. Cells are numbered from 0 here, those of column j after those of the
    columns before. The rows of cell c are rows[pointers[c]:pointers[c + 1]]. Returns how many rows
    are listed.
    """
    counts = np.empty((2, 256), np.int64)  # of every second row: equal neighbours do not wait
    places, step = np.empty(256, np.int64), np.empty(256, np.int64)
    end = np.int64(0)
    cell = 0
    for j in range(codes.shape[0]):
        column = codes[j]
        if sizes[j] == 1:
            largest[j], pointers[cell] = 0, end
            cell += 1
            continue
        counts[:] = 0
        for i in range(U(column.shape[0])):
            counts[i & U(1), column[i]] += 1
        largest[j] = (counts[0] + counts[1]).argmax()
        for code in range(sizes[j]):
            pointers[cell] = end
            cell += 1
            places[code], step[code] = end, 1
            if code != largest[j]:
                end += counts[0, code] + counts[1, code]
        # Rows of the largest cell are written to the place after all others, each over the last.
        places[largest[j]], step[largest[j]] = end, 0
        for i in range(U(column.shape[0])):
            code = column[i]
            rows[U(places[code])] = i
            places[code] += step[code]
    pointers[cell] = end
    return end


@kernel
def pair_up(amounts, pairs):
    """pairs[row] = the amounts[channel, row, 0] of both channels; pairs[-1] = their totals."""
    n_rows = pairs.shape[0] - 1
    one, two = np.int64(0), np.int64(0)
    for i in range(U(n_rows)):
        pairs[i, U(0)] = amounts[U(0), i, U(0)]
        pairs[i, U(1)] = amounts[U(1), i, U(0)]
        one += pairs[i, U(0)]
        two += pairs[i, U(1)]
    pairs[n_rows, 0], pairs[n_rows, 1] = one, two


@kernel
def add_listed(pointers, rows, listed_from, largest, first_cell, sizes, start, stop, pairs, cells):
    """cells[channel, cell, 0] = sums of pairs[row, channel], for columns start..stop.

    The cells of column j are first_cell[j], ..., first_cell[j] + sizes[j] - 1, and by the numbers
    of the lists they begin with listed_from[j]. If largest[j] is not negative, that cell of the
    column is not listed, and gets what the others leave of pairs[-1], the totals. Rows are visited
    four at a time, so that additions overlap.
    """
    last = U(pairs.shape[0] - 1)
    uppers, lowers = cells[0], cells[1]
    for j in range(start, stop):
        one_left, two_left = pairs[last, U(0)], pairs[last, U(1)]
        own = U(first_cell[j])
        place = U(pointers[listed_from[j]])
        ends = pointers[listed_from[j] + 1 :]
        for code in range(U(sizes[j])):
            a, b, c, d = no_pair(), no_pair(), no_pair(), no_pair()
            end = U(ends[code])
            while place + U(4) <= end:
                a = add_pairs(a, pair_at(pairs, U(rows[place])))
                b = add_pairs(b, pair_at(pairs, U(rows[place + U(1)])))
                c = add_pairs(c, pair_at(pairs, U(rows[place + U(2)])))
                d = add_pairs(d, pair_at(pairs, U(rows[place + U(3)])))
                place += U(4)
            while place < end:
                a = add_pairs(a, pair_at(pairs, U(rows[place])))
                place += U(1)
            both = add_pairs(add_pairs(a, b), add_pairs(c, d))
            one, two = first_of(both), second_of(both)
            one_left -= one
            two_left -= two
            uppers[own + code, U(0)] = one
            lowers[own + code, U(0)] = two
        if largest[j] >= 0:
            uppers[own + U(largest[j]), U(0)] = one_left
            lowers[own + U(largest[j]), U(0)] = two_left


@kernel
def share_listed(
    pointers, rows, listed_from, largest, first_cell, sizes, bounds, pairs, cells, mail, counter,
    thread, stay,
):  # fmt: skip
    """A thread's part of `add_listed`: columns bounds[thread]..bounds[thread + 1].

    Thread 0 returns when all have done theirs. The others stay for the next sums, if they are to.
    """
    there = True
    while there:
        add_listed(
            pointers, rows, listed_from, largest, first_cell, sizes, bounds[thread],
            bounds[thread + 1], pairs, cells,
        )  # fmt: skip
        if thread == 0:
            for other in range(1, mail.shape[0]):
                changes(mail[other], np.int64(IDLE), counter)
            return
        box = mail[thread]
        if stay:
            there = stays(box, counter)
        else:
            put(box, np.int64(GONE))
            there = False

"""Weights of pairs of labels, one that a row has and one that it has not.

The pair (l0, l1) of row i, l1 being one of its labels and l0 none of them, weighs v(i, l0) v(i, l1)
/ (|Y_i| |not Y_i|) with v(i, l) = exp(half - y F / 2); half is half the logarithm of the weight of
the row for the label. So all pairs of a row are summed without listing them.
"""

import numpy as np

from underdog.kernels.elementary import (
    INVERSE_LN2,
    LN2_HIGH,
    LN2_LOW,
    ROUNDER,
    log,
    power_of_two,
    reduced_exp,
)
from underdog.kernels.jit import inlined, kernel
from underdog.kernels.weights import LN2, unit

U = np.uint64
LOWEST = -700.0


@inlined
def exp_below(x):
    """exp(x) for x <= 0, without branches; 0 below -700."""
    held = x if x > LOWEST else LOWEST
    n = ROUNDER - (ROUNDER - held * INVERSE_LN2)
    r = (held - n * LN2_HIGH) - n * LN2_LOW
    own = reduced_exp(r) * power_of_two(np.int64(n))
    return own if x > LOWEST else 0.0


@kernel
def sum_pairs(relative, base, sign, half, block, steps, first, last, out):
    """Sums over the pairs of rows first..last, with steps[block[i]] added to their scores.

    out[i, 2] = ln of the weight of all pairs of row i, and out[i, s] = what -y F / 2 + half is
    added to for the logarithm of the half of its pairs that a label of sign s is in. All are -inf
    for a row without pairs.
    """
    labels = relative.shape[1]
    each = np.empty(labels)
    for row in range(first, last):
        i = U(row)
        step = U(block[i])
        wide = half.shape[1] > 1
        top, count, total = np.full(2, -np.inf), np.zeros(2), np.zeros(2)
        for k in range(U(labels)):
            score = 0.5 * (relative[i, k] + (base[k] + steps[step, k]))
            s = sign[i, k]
            each[k] = half[i, k if wide else U(0)] + (-score if s else score)
            if each[k] > top[s]:
                top[s] = each[k]
            count[s] += 1.0
        if count[0] == 0.0 or count[1] == 0.0:
            out[i, 0] = out[i, 1] = out[i, 2] = -np.inf
            continue
        none, some = top[0], top[1]
        for k in range(U(labels)):
            each[k] = exp_below(each[k] - (some if sign[i, k] else none))
        for k in range(U(labels)):  # in the order of the labels: the same sum on any machine
            total[sign[i, k]] += each[k]
        for s in range(2):
            own = (top[s] + log(total[s])) - log(count[s])
            out[i, 1 - s] = (own - log(count[1 - s])) - LN2
            out[i, 2] = own if s == 0 else out[i, 2] + own


@kernel
def raise_peaks(relative, base, sign, half, pairs, out):
    """out[sign, label] = the largest logarithm of a weight, if it is above what is there."""
    wide = half.shape[1] > 1
    for i in range(relative.shape[0]):
        if pairs[i, 2] == -np.inf:
            continue
        for k in range(relative.shape[1]):
            s, score = sign[i, k], 0.5 * (relative[i, k] + base[k])
            height = half[i, k if wide else 0] + pairs[i, s] + (-score if s else score)
            out[s, k] = max(out[s, k], height)


@kernel
def pair_units(relative, base, sign, half, pairs, repeats, peaks, exponent, rows, first_label, out):
    """out[r, k] = the integer weight of row rows[r] for label first_label + k."""
    wide = half.shape[1] > 1
    labels = U(out.shape[1])
    for r in range(U(rows.shape[0])):
        i = U(rows[r])
        if pairs[i, 2] == -np.inf:
            for k in range(labels):
                out[r, k] = 0
            continue
        for k in range(labels):
            label = U(first_label) + k
            s, score = U(sign[i, label]), 0.5 * (relative[i, label] + base[label])
            height = half[i, label if wide else U(0)] + pairs[i, s] + (-score if s else score)
            out[r, k] = repeats[i] * unit(height - peaks[s, label], exponent)

"""Sums of products of two features of the same row."""

import numpy as np

from underdog.kernels.jit import kernel


@kernel
def add_products(
    codes, first_cell, pointers, cells, feature, value, other, rest, weights, ones, most, first,
    last, out,
):  # fmt: skip
    """out[a, b] += weights[i] times the values of the features a and b of row i, for first..last.

    A pair is added once, to out[a, b] or to out[b, a]. Feature 0 is `ones` everywhere. The others
    of a row are those of its cells, if not 0: feature[cell] with value[cell], and other[cell] with
    rest[cell]. `codes` are those of dense columns, `cells` the stored cells of the others,
    and `most` is the greatest number of features of a row.
    """
    features, values = np.zeros(most, np.int64), np.full(most, ones)
    for i in range(first, last):
        count = 1
        for j in range(codes.shape[0]):
            cell = first_cell[j] + np.int64(codes[j, i])
            features[count], values[count] = feature[cell], value[cell]
            count += np.int64(feature[cell] > 0)
        for place in range(pointers[i], pointers[i + 1]):
            cell = cells[place]
            features[count], values[count] = feature[cell], value[cell]
            count += np.int64(feature[cell] > 0)
            features[count], values[count] = other[cell], rest[cell]
            count += np.int64(other[cell] > 0)
        for a in range(count):
            own, amount = out[features[a]], weights[i] * values[a]
            for b in range(a, count):
                own[features[b]] += amount * values[b]

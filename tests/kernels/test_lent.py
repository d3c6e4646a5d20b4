"""Lent tuples: the arrays of a caller, whatever is done with them."""

from typing import Any, NamedTuple

import numpy as np

from underdog.kernels.jit import inner, kernel
from underdog.kernels.lent import lend


class Part(NamedTuple):
    numbers: Any


class Whole(NamedTuple):
    table: Any
    part: Any
    factor: Any


@inner
def add(whole, row):
    numbers = whole.part.numbers
    own = whole.table[row]
    for i in range(numbers.shape[0]):
        own[i] += whole.factor * numbers[i]


@kernel
def add_all(whole):
    lent = lend(whole)
    for row in range(whole.table.shape[0]):
        add(lent, row)


def test_called_functions_read_and_write_the_arrays_of_the_caller():
    table, numbers = np.zeros((3, 4)), np.arange(4.0)
    for _ in range(3):  # and nobody frees them
        add_all(Whole(table, Part(numbers), 2.0))
    np.testing.assert_array_equal(table, np.tile(6.0 * numbers, (3, 1)))
    np.testing.assert_array_equal(numbers, np.arange(4.0))

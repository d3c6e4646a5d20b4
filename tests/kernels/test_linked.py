"""Functions that other kernels call are compiled as a part of these."""

import numba
import numpy as np
import pytest

from underdog.kernels import linked
from underdog.kernels.jit import inner, kernel
from underdog.kernels.linked import LinkedLibrary

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


@inner
def squared(x):
    return x * x


@inner
def summed(values):
    total = 0.0
    for i in range(values.shape[0]):
        total += squared(values[i])
    return total


@kernel
def both(one, other):
    return one + other


@kernel
def twice(values):
    return both(summed(values), summed(values[::2]))


def test_the_kernel_has_all_that_it_calls():
    values = np.arange(7.0)
    assert twice(values) == (values**2).sum() + (values[::2] ** 2).sum()


@compiled
def test_they_have_no_machine_code():
    numba.njit(twice.py_func)(np.arange(7.0))  # not from disk, where there is no trace of them
    libraries = [found.library for found in summed.overloads.values()]
    assert libraries
    for library in libraries:
        assert isinstance(library, LinkedLibrary)
        assert library.get_pointer_to_function("any") == 0
    assert not both.overloads  # only another kernel has called it
    assert both(1.0, 2.0) == 3.0
    assert both.overloads


@pytest.mark.parametrize(
    ("version", "expected"),
    [("0.59.1", False), ("0.60.0", True), ("0.68.1", True), ("0.69.0rc1", False), ("1.0", False)],
)
def test_other_versions_of_numba_compile_as_they_always_do(version, expected):
    assert linked.can_link(version) is expected

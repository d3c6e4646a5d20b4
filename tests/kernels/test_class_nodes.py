"""x ln x of many numbers at once: the same bits as one by one."""

import numpy as np

from underdog.kernels.class_nodes import times_log_each
from underdog.kernels.elementary import log


def test_many_at_once_have_the_same_bits():
    rng = np.random.default_rng(0)
    powers = np.ldexp(rng.uniform(0.5, 1.0, 2000), rng.integers(-70, 70, 2000))
    near = [0.0, 1.0, 0.5, 2.0, np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0), 2.0**-62]
    root = np.sqrt(0.5)
    values = np.array([*powers, *near, root, np.nextafter(root, 0.0), np.nextafter(root, 1.0)])
    found = np.full(len(values) + 1, -1.0)
    times_log_each(values, len(values), found)
    assert found[:-1].tolist() == [x * log(x) if x > 0.0 else 0.0 for x in values.tolist()]
    assert found[-1] == -1.0

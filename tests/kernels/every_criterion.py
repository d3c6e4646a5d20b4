"""The rules of `underdog.kernels.criteria`, to run a test with each."""

import pytest

from underdog.kernels import criteria

ALL = {
    "real Z": criteria.REAL_Z,
    "sign edge": criteria.SIGN_EDGE,
    "real edge": criteria.REAL_EDGE,
    "uneven Z": criteria.UNEVEN_Z,
    "uneven unit": criteria.UNEVEN_UNIT,
    "sign root": criteria.SIGN_ROOT,
    "sign slope": criteria.SIGN_SLOPE,
    "gentle": criteria.GENTLE,
}
EVERY_RULE = pytest.mark.parametrize("criterion", ALL.values(), ids=ALL.keys())

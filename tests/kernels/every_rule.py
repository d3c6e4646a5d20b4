"""The rules of `underdog.kernels.rules`, to run a test with each."""

import pytest

from underdog.kernels import rules

ALL = {
    "real Z": rules.REAL_Z,
    "sign edge": rules.SIGN_EDGE,
    "real edge": rules.REAL_EDGE,
    "uneven Z": rules.UNEVEN_Z,
    "uneven unit": rules.UNEVEN_UNIT,
    "sign root": rules.SIGN_ROOT,
    "sign slope": rules.SIGN_SLOPE,
    "gentle": rules.GENTLE,
}
EVERY_RULE = pytest.mark.parametrize("rule", ALL.values(), ids=ALL.keys())

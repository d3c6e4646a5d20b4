"""Rows with numbers, categories, words, missing values and weights, and what two fits share."""

import numpy as np
import pandas as pd
import scipy.sparse as sp

N = 300
_rng = np.random.default_rng(0)
_numbers = _rng.normal(size=(N, 3)).round(1)
_numbers[_rng.random(_numbers.shape) < 0.05] = np.nan
_levels = _rng.choice(list("abcd"), N).astype(object)
_levels[::17] = None
FRAME = pd.DataFrame(_numbers, columns=["u", "v", "w"]).assign(level=_levels)
WORDS = sp.random_array((N, 12), density=0.2, format="csr", random_state=_rng)
WORDS.data[:] = 1.0
COUNTS = sp.csr_array(np.nan_to_num(_numbers).round())
VALUE = np.nan_to_num(_numbers[:, 0]) + (_levels == "a") + 0.5 * _rng.normal(size=N)
VALUE += 2.0 * WORDS.toarray()[:, 0]
TWO = np.where(VALUE > 0.7, "yes", "no")
THREE = np.digitize(VALUE, [0.0, 1.0])
LABELS = np.column_stack([VALUE > 0.0, VALUE > 1.0, VALUE > 2.0]).astype(int)
REPEATS = _rng.integers(0, 4, N)
WEIGHT = _rng.random(N) + 0.1


def assert_same(model, other):
    """The same schema, members, history and certificate, to the last bit."""
    assert np.array_equal(model.model_.schema.cuts, other.model_.schema.cuts)
    assert model.model_.schema.categories == other.model_.schema.categories
    assert len(model.model_.members) == len(other.model_.members)
    for mine, theirs in zip(model.model_.members, other.model_.members, strict=True):
        assert np.array_equal(mine.steps, theirs.steps)
    assert model.describe(None) == other.describe(None)
    for name in sorted(set(model.history_) - {"seconds"}):
        assert np.array_equal(model.history_[name], other.history_[name], equal_nan=True), name
    assert repr(model.certificate_) == repr(other.certificate_)
    assert model.stop_reason_ == other.stop_reason_

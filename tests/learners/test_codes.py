"""Columns that share a code: every column can be read from it."""

import numpy as np

from underdog.learners.codes import MAX_VALUES, ROWS_PER_VALUE, counted_codes

SIZES = np.array([200, 2, 9, 16, 1, 16, 7, 5, 255, 3])


def shared(n_rows, share=True):
    rng = np.random.default_rng(0)
    columns = np.array([0, 1, 2, 3, 4, 5, 6, 7, 9])  # not the last but one
    codes = np.array([rng.integers(size, size=n_rows) for size in SIZES[columns]], dtype=np.uint8)
    return codes, columns, counted_codes(codes, columns, SIZES, share)


def test_every_column_can_be_read_from_its_code():
    codes, columns, found = shared(ROWS_PER_VALUE * MAX_VALUES)
    assert found.n_counted < len(columns)
    bytes_ = found.words.view(np.uint8)
    for own, column in zip(codes, columns, strict=True):
        code = bytes_[:, found.counted[column]].astype(np.int64)
        assert code.max() < found.joint[column] <= MAX_VALUES
        np.testing.assert_array_equal(code // found.step[column] % SIZES[column], own)
    assert found.counted[8] == -1


def test_few_rows_or_several_labels_share_no_code():
    for _, columns, found in (shared(ROWS_PER_VALUE), shared(10_000, share=False)):
        assert found.n_counted == len(columns)
        assert sorted(found.counted[columns]) == list(range(len(columns)))

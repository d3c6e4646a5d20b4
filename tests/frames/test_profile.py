"""What is kept of training data, and whether new rows differ from it."""

import math

import numpy as np
import pandas as pd
import pytest

from underdog import FrameEncoder
from underdog.frames.profile import ColumnProfile, DataProfile, stability

RANDOM = np.random.RandomState(0)


def test_stability():
    index, noise = stability([500, 500], [200, 800])
    expected = 0.3 * math.log(0.8 / 0.5) - 0.3 * math.log(0.2 / 0.5)
    assert index == pytest.approx(expected, rel=0.01)
    assert index > noise
    assert stability([10, 0], [20, 0]) == (0.0, 0.0)


def test_chance_is_not_drift():
    """One in a hundred samples is above the noise; the index alone is often above 0.1."""
    column = ColumnProfile.from_numbers("x", RANDOM.randn(500))
    found = [column.compare(RANDOM.randn(50)) for _ in range(200)]
    assert sum(each.index > 0.1 for each in found) > 50
    assert sum(each.differs for each in found) <= 10
    moved = [column.compare(RANDOM.randn(50) + 1.5) for _ in range(20)]
    assert all(each.differs for each in moved)


def test_numbers():
    column = ColumnProfile.from_numbers("x", np.array([*range(100), np.nan]))
    assert sum(column.counts) == 100
    assert (column.missing, column.low, column.high) == (1, 0.0, 99.0)
    found = column.compare(np.array([-1.0, 50.0, 1e9, np.nan]))
    assert (found.outside, found.missing) == (2, 0.25)
    constant = ColumnProfile.from_numbers("x", np.zeros(9))
    assert constant.compare(np.zeros(5)).index == 0.0
    assert ColumnProfile.from_numbers("x", np.full(3, np.nan)).missing == 3


def test_levels():
    values = [f"level {i}" for i in range(30) for _ in range(i + 1)]
    column = ColumnProfile.from_levels("x", [*values, None])
    assert len(column.levels) == 20
    assert column.counts[-1] == sum(range(1, 11))
    found = column.compare(["level 29", "new", "new", None], set(values))
    assert (found.new, found.example, found.missing) == (2, "new", 0.25)
    assert found.is_often_missing


def test_it_is_small_and_survives_a_file():
    rows = 5000
    frame = pd.DataFrame(
        {
            "number": RANDOM.randn(rows),
            "level": RANDOM.choice(list("abc"), rows),
            "text": [f"{'word ' * (row % 7 + 1)}{row}" for row in range(rows)],
            "day": pd.date_range("2020-01-01", periods=rows),
        }
    )  # fmt: skip
    encoder = FrameEncoder(roles={"text": "text", "day": "date"}).fit(frame)
    profile = DataProfile.from_frame(frame, encoder.roles_).with_scores(RANDOM.randn(rows))
    plain = profile.to_dict()
    assert len(str(plain)) < 3000
    assert DataProfile.from_dict(plain) == profile
    assert not profile.compare_score(RANDOM.randn(500)).differs
    assert profile.compare_score(RANDOM.randn(500) + 1.0).differs
    found = profile.compare(frame.tail(500), encoder.roles_, {"level": {"a", "b"}})
    assert {each.name: each.size for each in found} == {
        "number": "little", "level": "little", "text": "little", "day": "large",
    }  # fmt: skip
    assert found[1].new == (frame.tail(500)["level"] == "c").sum()


@pytest.mark.parametrize(
    "values",
    [None, [], {}, {"columns": [{}], "scores": []}, {"columns": 3, "scores": []},
     {"columns": [{"name": "x", "what": "numbers", "counts": [1], "missing": 0, "cuts": [1.0]}],
      "scores": []},
     {"columns": [{"name": "x", "what": "levels", "counts": [-1], "missing": 0}], "scores": []}],
)  # fmt: skip
def test_a_file_may_say_anything(values):
    assert DataProfile.from_dict(values) is None

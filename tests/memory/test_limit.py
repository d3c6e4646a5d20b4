"""Arrays beyond a limit are in a file, and nothing else changes."""

import gc
import os
import threading
import warnings

import numpy as np
import pytest

import underdog
from tests.together.data import assert_same
from tests.together.test_same_model import CASES, made
from underdog.kernels import memory
from underdog.memory import active, bytes_of, limit, memory_limit
from underdog.memory.handler import is_possible
from underdog.workers import Team, Workers

pytestmark = pytest.mark.skipif(not is_possible(), reason="needs Linux and compiled code")


@pytest.fixture
def everything_on_disk(monkeypatch):
    """All arrays of at least 64 bytes are in the file."""
    monkeypatch.setattr(limit, "PIECES", 1 << 18)


@pytest.mark.usefixtures("everything_on_disk")
@pytest.mark.parametrize("case", ["two classes", "early stopping", "drawn trees", "words"])
def test_the_same_model(case, tmp_path):
    name, parameters, X, y, given = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", underdog.UnderdogWarning)
        alone = made(name, parameters).fit(X, y, **given)
        with memory_limit(limit.LEAST, tmp_path):
            other = made(name, parameters).fit(X, y, **given)
            assert active().most_bytes > 30_000
    assert active() is None
    assert_same(alone, other)
    assert os.listdir(tmp_path) == []


def state():
    return active().state


def test_where_arrays_are(tmp_path):
    with memory_limit("64MB", tmp_path):
        small = np.ones(100)
        middle = np.zeros(125_000)
        assert state()[memory.MAPPED] == 0
        assert state()[memory.IN_MEMORY] == middle.nbytes
        large = np.zeros(1 << 20)
        assert state()[memory.MAPPED] >= large.nbytes
        kept = [np.ones(125_000) for _ in range(40)]  # 40 MB, of which 32 may be in memory
        assert state()[memory.IN_MEMORY] <= 32_000_000
        assert state()[memory.N_MAPPED] > 5
        assert all(one.sum() == 125_000 for one in kept)
        assert not large.any()
        del large, middle, kept
        assert state()[memory.MAPPED] == state()[memory.IN_MEMORY] == 0
        assert state()[memory.N_FREE] == 1
    assert small.sum() == 100
    small.resize(200, refcheck=False)
    assert small.sum() == 100


def test_places_are_used_again_and_zeros_are_zero(tmp_path):
    rng = np.random.default_rng(0)
    with memory_limit("16MiB", tmp_path):
        arrays, expected = {}, {}
        for number in range(400):
            size = int(rng.integers(70_000, 700_000))
            made = np.zeros(size) if number % 2 else np.full(size, number, dtype=float)
            assert not number % 2 or not made.any()
            made[:] = number
            arrays[number], expected[number] = made, size
            for old in rng.choice(list(arrays), 2):
                if arrays.get(int(old)) is not None and len(arrays) > 12:
                    kept = arrays.pop(int(old))
                    assert len(kept) == expected[int(old)]
                    assert (kept == old).all()
            del made
        kept = None
        assert active().most_bytes < 20 * 700_000 * 8
        grown = np.ones(600_000)
        grown.resize(900_000, refcheck=False)
        assert grown.sum() == 600_000
        arrays.clear()
        del grown
        assert state()[memory.N_MAPPED] == 0


def test_arrays_outlive_the_limit_and_regions_are_opened_again(tmp_path):
    gc.collect()
    with memory_limit("16MiB", tmp_path):
        first = active()
        kept = np.arange(1 << 20)
    with memory_limit("16MiB", tmp_path):
        second = active()
        assert second is not first
        with memory_limit("32MiB", tmp_path):
            assert active() not in (first, second)
        assert active() is second
    assert kept[-1] == (1 << 20) - 1
    del kept
    with memory_limit("16MiB", tmp_path):
        assert active() in (first, second)


def test_threads_of_a_fit_have_the_limit_and_others_do_not(tmp_path):
    seen = []
    with memory_limit("16MiB", tmp_path), Workers(2) as workers:
        here = active()
        other = threading.Thread(target=lambda: seen.append(active()))
        other.start()
        other.join()
        workers.run(lambda *_: seen.append(active()), 2, 10**9)
        workers.together(lambda _: seen.append(active()), 2, Team())
    assert seen == [None, *[here] * 4]


def test_errors_while_arrays_are_given_back(tmp_path):
    with memory_limit("16MiB", tmp_path):
        for _ in range(100):
            with pytest.raises(ValueError, match="broadcast"):
                np.ones((3, 100_000)) + np.ones((100_000, 3))
        assert state()[memory.MAPPED] == 0


def test_a_full_disk(tmp_path):
    with memory_limit("16MiB", tmp_path), pytest.raises(MemoryError):
        np.empty(1 << 45)
    with pytest.raises(MemoryError) as caught, memory_limit("16MiB", tmp_path):
        np.empty(1 << 45)
    assert "its disk may be full" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("given", "size"), [("16MiB", 1 << 24), ("0.5 gb", 500_000_000), (1 << 30, 1 << 30)]
)
def test_sizes(given, size):
    assert bytes_of(given) == size


@pytest.mark.parametrize("given", ["many", "1MB", "3 XB", -1, True, "1.2.3GB"])
def test_wrong_sizes(given):
    with pytest.raises(ValueError, match="must be at least 16 MiB"):
        bytes_of(given)

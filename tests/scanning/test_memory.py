"""How much memory a fit of a table on disk takes."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

import underdog
from underdog.memory.handler import is_possible

pytestmark = pytest.mark.skipif(not is_possible(), reason="needs Linux and compiled code")

LIMIT = 1 << 24
ROWS, COLUMNS, BLOCKS = 27_000, 40, 10


def anonymous():
    """Bytes of memory of this process that are not those of a file."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


class Peak:
    """The most memory that was taken in a `with` statement, above that at its start."""

    def __enter__(self):
        self.before, self.bytes, self._ended = anonymous(), 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self):
        while not self._ended.is_set():
            self.bytes = max(self.bytes, anonymous() - self.before)
            time.sleep(0.002)

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()


def blocks(count=BLOCKS, rows=ROWS):
    for seed in range(count):
        X = np.random.default_rng(seed).normal(size=(rows, COLUMNS))
        yield X, (X[:, :5].sum(axis=1) > 0.5).astype(int)


BOOSTERS = [
    underdog.AdaBoostClassifier(n_estimators=3),
    underdog.GradientBoostingClassifier(n_estimators=1),
    underdog.LogisticAdaBoostClassifier(n_estimators=1),
]


def test_data_of_five_times_the_limit(tmp_path):
    few = underdog.scan(blocks(1, 3000), tmp_path / "few", memory_limit=LIMIT)
    for booster in BOOSTERS:
        booster.fit(*few)  # compiles
    assert LIMIT * 5 <= BLOCKS * ROWS * COLUMNS * 8
    with Peak() as peak:
        rows = underdog.scan(blocks(), tmp_path / "all", memory_limit=LIMIT)
    assert peak.bytes < LIMIT
    for booster in BOOSTERS:
        with Peak() as peak:
            booster.fit(*rows)
        assert peak.bytes < LIMIT
    with Peak() as peak:  # the same in memory, so that it is clear that this is measured
        X = np.asarray(rows.X.groups[0].matrix).copy()
        BOOSTERS[0].fit(X, rows.y)
    assert peak.bytes > 5 * LIMIT

"""Training on data that may not fit in memory."""

import pytest

from underdog.cli import large
from underdog.memory import active, limit


@pytest.fixture
def watched(monkeypatch):
    """The most bytes on disk of each fit with a limit."""
    seen = []
    real = large.memory_limit

    class Watched:
        def __init__(self, *given):
            self.own = real(*given)

        def __enter__(self):
            self.own.__enter__()
            self.region = active()

        def __exit__(self, *error):
            seen.append(self.region.most_bytes)
            return self.own.__exit__(*error)

    monkeypatch.setattr(large, "memory_limit", Watched)
    monkeypatch.setattr(limit, "PIECES", 1 << 16)  # arrays of 256 bytes are on disk
    return seen


def test_the_same_file_with_a_limit(program, watched):
    program.train("data.csv", "-o", "whole.udg")
    assert watched == []
    told = program.train("data.csv", "-o", "limited.udg", "--memory-limit", "16MiB")
    assert watched[0] > 10_000
    assert "on disk" not in told.stderr
    whole, limited = ((program.folder / name).read_bytes() for name in ("whole.udg", "limited.udg"))
    assert whole == limited


def test_a_file_that_is_too_large(program, watched, monkeypatch):
    monkeypatch.setattr(large, "available", lambda: 1 << 25)
    monkeypatch.setattr(large, "GROWTH", {"": 1 << 20})
    told = program.train("data.csv")
    assert len(watched) == 1
    notes = [line for line in told.stderr.splitlines() if "kept on disk" in line]
    assert len(notes) == 1
    assert "and 0.0 GB are free: arrays beyond 0.0 GB are kept on disk in" in notes[0]


def test_a_wrong_limit(program):
    assert "--memory-limit much must be a size of at least 16MiB" in program.refused(
        "train", "data.csv", "-t", "y", "--memory-limit", "much", code=2
    )

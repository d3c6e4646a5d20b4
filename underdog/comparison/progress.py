"""How far a comparison is."""

from __future__ import annotations

import sys
import time

from underdog.comparison.trial import Row


class ProgressReport:
    """A line on the standard error stream for each finished pair; drawn over in a terminal."""

    def __init__(self, done: int, total: int) -> None:
        self._first, self._done, self._total = done, done, total
        self._began = time.perf_counter()
        self._terminal = sys.stderr.isatty()

    def add(self, row: Row) -> None:
        """One more is finished."""
        self._done += 1
        spent = time.perf_counter() - self._began
        left = spent / (self._done - self._first) * (self._total - self._done)
        line = f"{self._done}/{self._total} {row['model']}, fold {row['fold']}, {left:.0f} s left"
        sys.stderr.write(f"\r\033[K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line that was drawn over."""
        if self._terminal and self._done > self._first:
            sys.stderr.write("\n")

"""Progress of a comparison."""

from __future__ import annotations

import sys
import time

from underdog.comparison.trial import Row


class ProgressReport:
    """Prints a line on standard error for each finished fit; overwritten in a terminal."""

    def __init__(self, done: int, total: int) -> None:
        self._first, self._done, self._total = done, done, total
        self._began = time.perf_counter()
        self._terminal = sys.stderr.isatty()

    def add(self, row: Row) -> None:
        """Report a finished fit."""
        self._done += 1
        spent = time.perf_counter() - self._began
        left = spent / (self._done - self._first) * (self._total - self._done)
        line = f"{self._done}/{self._total} {row['model']}, fold {row['fold']}, {left:.0f} s left"
        sys.stderr.write(f"\r\033[K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """End the overwritten line."""
        if self._terminal and self._done > self._first:
            sys.stderr.write("\n")

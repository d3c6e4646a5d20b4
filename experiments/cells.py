"""Experiments as cells: each is computed once, kept on disk, and can be done in any order.

A cell is a name and a small result. Finished cells are appended to a file in `.cache` as they come,
so an interrupted experiment goes on where it was. `pack` writes all of them, sorted, into one
compressed file beside the experiment, which is kept with the code: its tables and figures can be
drawn without computing anything.
"""

import gzip
import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

Result = dict[str, Any]

CACHE = Path(__file__).resolve().parent / ".cache"
CORES = os.cpu_count() or 1


class Cells(Mapping[str, Result]):
    """Finished cells by name.

    Parameters
    ----------
    packed : Path
        The compressed file that is kept with the code; need not be there.
    fingerprint : str
        Of the data. Cells of other data are not taken over.
    """

    def __init__(self, packed: Path, fingerprint: str, cache: Path = CACHE) -> None:
        self.packed = packed
        self.fingerprint = fingerprint
        self._journal = cache / f"{packed.parent.name}-{packed.name.split('.')[0]}.jsonl"
        self._results: dict[str, Result] = {}
        for lines in (_packed_lines(packed), _lines(self._journal)):
            for line in lines:
                name, data, result = json.loads(line)
                if data == fingerprint and result is not None:
                    self._results[name] = result
                else:  # forgotten, or of other data
                    self._results.pop(name, None)

    def __getitem__(self, name: str) -> Result:
        return self._results[name]

    def __iter__(self) -> Any:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def forget(self, names: Iterable[str]) -> None:
        """Drop these, so that they are computed again; the journal keeps that as well."""
        dropped = [name for name in names if self._results.pop(name, None) is not None]
        if dropped:
            self._journal.parent.mkdir(exist_ok=True)
            with open(self._journal, "a", encoding="utf-8") as journal:
                journal.writelines(
                    json.dumps([name, self.fingerprint, None]) + "\n" for name in dropped
                )

    def compute(
        self,
        names: Iterable[str],
        work: Callable[[str], Result],
        title: str,
        processes: int = CORES,
    ) -> None:
        """Compute what is missing, on all cores by default.

        Ctrl-C begins no more cells and waits for those under way; a second one drops them.
        """
        missing = [name for name in dict.fromkeys(names) if name not in self._results]
        if not missing:
            return
        self._journal.parent.mkdir(exist_ok=True)
        progress = Progress(title, len(missing))
        # spawn: a forked process would inherit the solver's and OpenMP's threads half alive
        with (
            open(self._journal, "a", encoding="utf-8") as journal,
            ProcessPoolExecutor(processes, get_context("spawn"), _prepare_worker) as pool,
        ):
            waiting = iter(missing)
            first = islice(waiting, 2 * processes)
            running = {pool.submit(_on_one_thread, work, name): name for name in first}
            interrupted = False
            while running:
                try:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        name = running.pop(future)
                        self._results[name] = future.result()
                        line = json.dumps([name, self.fingerprint, self._results[name]])
                        journal.write(line + "\n")
                    journal.flush()
                    for name in islice(waiting, len(done)):
                        running[pool.submit(_on_one_thread, work, name)] = name
                    progress.add(len(done))
                except KeyboardInterrupt:
                    if interrupted:
                        pool.shutdown(wait=False, cancel_futures=True)
                        raise
                    interrupted, waiting = True, iter(())
                    running = {f: name for f, name in running.items() if not f.cancel()}
                    print("\nFinishing the cells under way ...", file=sys.stderr, flush=True)
        if interrupted:
            raise SystemExit(f"Interrupted: {len(self)} cells are kept, run again to go on.")

    def pack(self) -> None:
        """Write all cells into the file that is kept with the code, whole or not at all."""
        lines = [
            json.dumps([name, self.fingerprint, result]) for name, result in sorted(self.items())
        ]
        text = "\n".join(lines).encode()
        partial = self.packed.with_suffix(".part")
        partial.write_bytes(gzip.compress(text, mtime=0))
        partial.replace(self.packed)


class Progress:
    """How much is done and how long the rest will take, on the standard error stream."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total, self._done = title, total, 0
        self._began = self._shown = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def add(self, count: int) -> None:
        """So many more are finished."""
        self._done += count
        now = time.monotonic()
        if self._done < self._total and now - self._shown < (0.5 if self._terminal else 30):
            return
        self._shown = now
        left = (now - self._began) / self._done * (self._total - self._done)
        text = f"{self._title}: {self._done} of {self._total} cells, {left / 60:.1f} min to go"
        if self._terminal:
            text = f"\r\x1b[K{text}"
        end = "" if self._terminal and self._done < self._total else "\n"
        print(text, end=end, file=sys.stderr, flush=True)


def _lines(path: Path) -> Sequence[str]:
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if line.endswith("\n")]  # a last one may be cut off


def _packed_lines(path: Path) -> Sequence[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []


def _prepare_worker() -> None:
    """Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")


def _on_one_thread(work: Callable[[str], Result], name: str) -> Result:
    """One thread each, for the cells are what runs side by side.

    The limit is set here and not when the process starts: it holds for libraries that are loaded,
    and those that `work` uses are loaded by the time it arrives.
    """
    with threadpool_limits(1):
        return work(name)

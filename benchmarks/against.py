"""This checkout beside another one: the same benchmarks with either code, in turns.

Each code has a process of its own, which waits before every turn until the other one has had its
turn. All is done five times over, and the best time of each line counts. The peers are left out.
The benchmarks are those of this checkout; where one of them does not run with the other code, the
lines after that have no time.
"""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.harness import Plan, Time, machine, markdown

REPEATS = 5
HERE = Path(__file__).resolve().parent
HEADINGS = ["work", "this code", "the other", "this / other"]


class Line(NamedTuple):
    """What was measured: as it is shown, and as a number."""

    work: str
    shown: str
    amount: float


class Side:
    """A process that has the underdog of one checkout, and does a piece of work when told to."""

    def __init__(self, checkout: Path, folder: str, quick: bool) -> None:
        self.checkout = checkout
        self.errors: dict[str, None] = {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.against", *(["--quick"] if quick else [])],
            cwd=folder, env=os.environ | {"PYTHONPATH": str(checkout)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        found = self.tell("underdog")
        if not Path(found).is_relative_to(checkout):
            raise SystemExit(f"There is no underdog in {checkout}: {found} was imported.")

    def tell(self, line: str) -> Any:
        """The answer: None at a pause, else what was asked for."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"The process with the code of {self.checkout} has ended.")
        return json.loads(answer)


def run(names: Sequence[str], other: Path, quick: bool) -> None:
    """Print a table for each benchmark."""
    with _sides((HERE.parent, other.resolve()), quick) as (ours, theirs):
        print(f"This code: {ours.checkout}\nThe other: {theirs.checkout}\n{machine()}")
        for name in names:
            best = _measure(name, (ours, theirs), 1 if quick else REPEATS)
            lines = [_cells(*pair) for pair in zip_longest(*best)]
            print(f"\n## {name}\n\n{markdown([HEADINGS, *lines])}", flush=True)
            for side in (ours, theirs):
                for error in side.errors:
                    print(f"\n{side.checkout}: {error}")
                side.errors.clear()


@contextmanager
def _sides(checkouts: Sequence[Path], quick: bool) -> Iterator[list[Side]]:
    # From a folder with nothing but these benchmarks every process, and every process that it
    # starts, finds them there, and underdog where PYTHONPATH says.
    with TemporaryDirectory() as folder:
        (Path(folder) / HERE.name).symlink_to(HERE)
        sides: list[Side] = []
        try:
            for checkout in checkouts:
                sides.append(Side(checkout, folder, quick))
            yield sides
        finally:
            for side in sides:
                side.process.kill()
                side.process.communicate()


def _measure(name: str, sides: Sequence[Side], repeats: int) -> list[list[Line]]:
    """The lines of each side, each at its best."""
    turns: list[list[list[Line]]] = [[] for _ in sides]
    for _ in range(repeats):
        waiting = deque((number, name) for number in range(len(sides)))
        while waiting:
            number, line = waiting.popleft()
            answer = sides[number].tell(line)
            if answer is None:
                waiting.append((number, "go on"))
                continue
            if answer["error"] is not None:
                sides[number].errors[answer["error"]] = None
            turns[number].append([Line(*line) for line in answer["lines"]])
    # By place, not by title: which one was the slowest, say, is part of a title and may change.
    return [
        [min(lines, key=lambda line: line.amount) for lines in zip(*own, strict=False)]
        for own in turns
    ]


def _cells(ours: Line | None, theirs: Line | None) -> list[str]:
    if ours is None or theirs is None:
        one = ours or theirs
        assert one is not None
        return [one.work, ours.shown if ours else "", theirs.shown if theirs else "", ""]
    return [ours.work, ours.shown, theirs.shown, f"{ours.amount / theirs.amount:.3f}"]


# What the process of one side does.


def _pause() -> None:
    _answer(None)
    sys.stdin.readline()


def _answer(answer: object) -> None:
    print(json.dumps(answer), file=sys.__stdout__, flush=True)


def _serve(plan: Plan) -> None:
    import underdog

    sys.stdin.readline()
    _answer(underdog.__file__)
    sys.stdout = sys.stderr  # whatever a benchmark prints is no answer
    for name in sys.stdin:
        found: dict[str, Line] = {}
        error = None
        try:
            for row in import_module(f"benchmarks.{name.strip()}").run(plan):
                found[row.work] = Line(row.work, str(row.ours), _amount(row.ours))
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
        _answer({"lines": [*found.values()], "error": error})


def _amount(measured: object) -> float:
    """Seconds, or the number in a text such as "12.3 MB"."""
    return measured.wall if isinstance(measured, Time) else float(str(measured).split()[0])


if __name__ == "__main__":
    _serve(Plan(quick="--quick" in sys.argv, pause=_pause))

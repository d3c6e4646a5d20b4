"""A new process up to its first prediction, with and without compiled kernels on disk.

With them, the same process first imports the libraries and then runs underdog, and both are timed
in it, because the times of whole processes of a second and a half vary by more than what is
measured here. The run in which underdog was fastest counts.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from benchmarks.harness import Job, Plan, Row, Time, race

LIBRARIES = "import numpy, scipy, numba, sklearn"
FIRST_FIT = """
import numpy as np
from scipy.sparse import csr_matrix
from underdog import AdaBoostClassifier
rng = np.random.default_rng(0)
X = rng.integers(2, size=(100, 5)).astype(np.float32)
y = rng.integers(2, size=100)
X = {form}
AdaBoostClassifier().fit(X, y).predict(X)
"""
FIRST_TREES = FIRST_FIT.replace("AdaBoost", "GradientBoosting")
FIRST_FITS = {
    "import, fit and predict, dense": FIRST_FIT.format(form="X + rng.standard_normal(X.shape)"),
    "import, fit and predict, text": FIRST_FIT.format(form="csr_matrix(X)"),
}
LEAVE = """
import os
os._exit(0)  # without taking the interpreter down, which is not part of a start
"""
TIMED = f"""
from time import perf_counter, process_time
times = [(perf_counter(), process_time())]
{LIBRARIES}
times.append((perf_counter(), process_time()))
{{work}}
times.append((perf_counter(), process_time()))
print(*(number for pair in times for number in pair), flush=True)
"""


def run(plan: Plan) -> Iterator[Row]:
    works = {"import": "from underdog import AdaBoostClassifier", **FIRST_FITS}
    turns: dict[str, list[tuple[Time, Time]]] = {work: [] for work in works}
    for turn in range(-1, plan.repeats):
        for work, code in works.items():
            pair = _libraries_and_all(code)
            if turn >= 0:  # the first one writes kernels and bytecode
                turns[work].append(pair)
    for work, pairs in turns.items():
        libraries, everything = min(pairs, key=lambda pair: pair[1].wall - pair[0].wall)
        more = everything.wall - libraries.wall
        yield Row(work, everything, LIBRARIES, libraries, more, 0.6, at_most=True, unit="s more")
    fits = {**FIRST_FITS, "import, fit and predict, trees": FIRST_TREES.format(form="X")}
    jobs = [Job(work, partial(_python_uncached, code)) for work, code in fits.items()]
    for work, time in race(jobs, plan, warm_up=False).items():
        first = f"{work}, nothing compiled before"
        limit = 20 if "trees" in work else 15
        yield Row(first, time, "", "", time.wall, target=limit, at_most=True, unit="s")


def _libraries_and_all(work: str) -> tuple[Time, Time]:
    """Times of the libraries alone, and of them and the work, in one fresh process."""
    numbers = [float(number) for number in _python(TIMED.format(work=work)).split()]
    (start, *later), (cpu_start, *cpu_later) = numbers[::2], numbers[1::2]
    libraries, everything = (
        Time(wall - start, cpu - cpu_start, threads=1, scaled=False)
        for wall, cpu in zip(later, cpu_later, strict=True)
    )
    return libraries, everything


def _python(code: str, **environment: str) -> str:
    environment = os.environ | environment
    # An installed package has its bytecode on disk; so has ours here after the warm-up.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    run = subprocess.run(
        [sys.executable, "-c", code + LEAVE],
        check=True,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    return run.stdout


def _python_uncached(code: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _python(code, NUMBA_CACHE_DIR=folder)

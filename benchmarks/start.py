"""A fresh process up to its first prediction, with and without compiled kernels on disk."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from benchmarks.harness import Job, Plan, Row, race

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
LEAVE = """
import os
os._exit(0)  # without taking the interpreter down, which is not part of a start
"""
FIRST_FITS = {
    "import, fit and predict, dense": FIRST_FIT.format(form="X + rng.standard_normal(X.shape)"),
    "import, fit and predict, text": FIRST_FIT.format(form="csr_matrix(X)"),
}


def run(plan: Plan) -> Iterator[Row]:
    ours = {"import": "from underdog import AdaBoostClassifier", **FIRST_FITS}
    cached = race(_jobs({LIBRARIES: LIBRARIES, **ours}, _python), plan)
    base = cached.pop(LIBRARIES)
    for work, time in cached.items():
        more = time.wall - base.wall
        yield Row(work, time, LIBRARIES, base, more, target=0.6, at_most=True, unit="s more")
    for work, time in race(_jobs(FIRST_FITS, _python_uncached), plan, warm_up=False).items():
        first = f"{work}, nothing compiled before"
        yield Row(first, time, "", "", time.wall, target=15, at_most=True, unit="s")


def _jobs(codes: Mapping[str, str], start: Callable[[str], None]) -> list[Job]:
    return [Job(name, partial(start, code)) for name, code in codes.items()]


def _python(code: str, **environment: str) -> None:
    environment = os.environ | environment
    # An installed package has its bytecode on disk; so has ours here after the warm-up.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-c", code + LEAVE], check=True, env=environment)


def _python_uncached(code: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _python(code, NUMBA_CACHE_DIR=folder)

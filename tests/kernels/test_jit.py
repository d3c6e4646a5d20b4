"""What is said and done while kernels are compiled."""

import gc
import os
import pty
import subprocess
import sys
from types import SimpleNamespace

import numba
import pytest

from underdog.kernels import jit
from underdog.kernels.elementary import log_each
from underdog.kernels.jit import COMPILING
from underdog.kernels.quiet import QUIET

FIT = """
import numpy as np
from underdog.kernels.elementary import log_each, to_grid
to_grid(0.3)
log_each(np.ones(2), np.ones(2))
"""


def run(folder, terminal, **more):
    """What a new process writes to standard error, whose compiled code is in this folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0", **more}
    command = [sys.executable, "-c", FIT]
    if not terminal:
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        return done.stderr.decode()
    ours, theirs = pty.openpty()
    subprocess.run(command, env=environment, stderr=theirs, check=True)
    os.close(theirs)
    said = b""
    while True:
        try:
            more = os.read(ours, 1000)
        except OSError:  # the end of a pseudo-terminal
            break
        if not more:
            break
        said += more
    os.close(ours)
    return said.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals end differently elsewhere")
def test_one_line_on_the_first_compilation_in_a_terminal(tmp_path):
    assert run(tmp_path, terminal=True).split("\r\n") == [COMPILING, ""]
    assert run(tmp_path, terminal=True) == ""  # from disk


def test_nothing_is_said_in_a_pipe(tmp_path):
    assert run(tmp_path, terminal=False) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals end differently elsewhere")
def test_nothing_is_said_to_who_wants_it_quiet(tmp_path):
    assert run(tmp_path, terminal=True, **{QUIET: "1"}) == ""


def test_unused_objects_are_looked_for_as_usual_once_nothing_is_compiled():
    def compiled(function):
        return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})

    listener, ours, others = jit.FewCollections(), compiled(jit.kernel), compiled(pytest.fixture)
    usual = gc.get_threshold()
    gc.set_threshold(1234, *usual[1:])
    try:
        for step, event, expected in (
            (listener.on_start, others, 1234),
            (listener.on_start, ours, jit.YOUNG),
            (listener.on_start, ours, jit.YOUNG),
            (listener.on_end, ours, jit.YOUNG),
            (listener.on_end, ours, 1234),
            (listener.on_end, others, 1234),
        ):
            step(event)
            assert gc.get_threshold()[0] == expected
        gc.set_threshold(0)  # who wants none gets none
        listener.on_start(ours)
        assert gc.get_threshold()[0] == 0
        listener.on_end(ours)
        assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*usual)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_cached_code_is_of_the_source_of_all_kernels(monkeypatch):
    """Else a kernel would go on with the old code of a kernel in another file."""
    before = log_each._cache._cache_file._source_stamp
    jit._digest.cache_clear()
    monkeypatch.setattr(jit.Path, "read_bytes", lambda _: b"another source")
    after = jit.kernel(log_each.py_func)._cache._cache_file._source_stamp
    jit._digest.cache_clear()
    assert after[0] == before[0]
    assert after[1] != before[1]

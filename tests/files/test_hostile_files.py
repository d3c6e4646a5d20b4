"""A file that is damaged or made to do harm is one clear error: no crash, no large allocation."""

import contextlib
import json
import math
import subprocess
import sys
import tracemalloc
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.damage import NOWHERE, case, files, outcome
from tests.files.edits import deep
from tests.files.models import samples
from underdog.files import BadFile
from underdog.files.container import pack, unpack
from underdog.files.plain import Decoder, Encoder
from underdog.files.store import from_bytes

FEW, MANY = 1_000, 100_000
MAX_BYTES = 3_000_000
"""That reading a file of 10 kB may take."""


@pytest.fixture(scope="module")
def intact():
    return files()


def test_damaged_files_are_refused_or_harmless(intact):
    found = [outcome(number, intact) for number in range(FEW)]
    assert found.count("refused") > FEW // 2
    assert found.count("loaded") > 20  # else only the digest or the first check is ever tried


@pytest.mark.slow
def test_a_hundred_thousand_damaged_files():
    bounds = range(FEW, FEW + MANY + 1, MANY // 2)
    runs = [
        subprocess.Popen(  # a process of their own: a crash is to be seen
            [sys.executable, "-m", "tests.files.damage", str(first), str(last)],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for first, last in pairwise(bounds)
    ]
    found = Counter()
    for run in runs:
        printed, complaint = run.communicate()
        assert run.returncode == 0, complaint[-2000:]
        found.update(json.loads(printed))
    print(dict(found))
    assert found.total() == MANY


def test_no_damaged_file_takes_much_memory(intact):
    for data in intact.values():
        from_bytes(data, NOWHERE)  # what is imported or compiled the first time does not count
    tracemalloc.start()
    try:
        for number in range(200):
            _, data, _ = case(number, intact)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            with contextlib.suppress(BadFile):
                from_bytes(data, NOWHERE)
            peak = tracemalloc.get_traced_memory()[1] - before
            assert peak < MAX_BYTES, f"case {number} takes {peak} bytes"
    finally:
        tracemalloc.stop()


def edited(name, change, intact):
    """A sample with another header or other arrays, and the right digest."""
    header, arrays = unpack(NOWHERE, intact[name])
    change(header["model"]["state"], arrays)
    return pack(header, arrays)


def put(array, place, value):
    def change(_, arrays):
        arrays[array][place] = value

    return change


def put_schema(array, place, value):
    return put(f"model.schema.{array}", place, value)


def put_parameter(name, value):
    def change(state, _):
        state["parameters"][name] = value

    return change


def put_state(name, value):
    def change(state, _):
        state[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("model.columns", 0, 99), "columns of Ensemble are not all among the 8"),
        (put("model.columns", 0, -2), "columns of Ensemble"),
        (put("model.inside", 0, 2), "inside of Ensemble must have a 0 or a 1"),
        (put("model.steps", (0, 0), np.nan), "steps of Ensemble holds a number"),
        (put("model.steps", (0, 0), 2.0**17), "steps of Ensemble are too large"),
        (put("model.steps", (0, 0), 2.0**-40), "not on the score grid"),
        (put("model.values", (0, 0), np.inf), "values of Ensemble"),
        (put_schema("cuts", 0, np.nan), "cuts of Schema do not increase"),
        (put_schema("cuts", 0, 1e9), "cuts of Schema do not increase"),
        (put_schema("cut_pointers", 0, 1), "cut_pointers of Schema do not divide"),
        (put_schema("cut_pointers", 1, 1000), "cut_pointers of Schema do not divide"),
        (put_schema("cut_pointers", -1, 2**62), "cut_pointers of Schema do not divide"),
        (put_parameter("n_jobs", "all"), "n_jobs='all'"),
        (put_parameter("n_estimators", -1), "n_estimators=-1"),
        (put_parameter("learner", "os.system"), "learner='os.system'"),
        (put_parameter("shell", "rm"), "have 'shell', which this version has not"),
        (put_state("rounds", 99), "rounds of AdaBoostClassifier must be"),
        (put_state("stop_reason", 1), "stop_reason of AdaBoostClassifier must be a text"),
        (put_state("others", {"predict": 1}), "cannot have 'predict'"),
        (put_state("others", {"__class__": 1}), "cannot have '__class__'"),
        (put_state("finished", 1), "finished of AdaBoostClassifier must be true or false"),
        (put_state("model", None), "model of AdaBoostClassifier must be a Ensemble"),
        (put_state("certificate", deep(100)), "nested too deeply"),
        (put_state("extra", 1), "'extra', which is not known"),
        (put_state("labels", {"is": "subprocess.Popen", "state": {}}), "'subprocess.Popen'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "change",
)
def test_a_right_digest_does_not_help(change, message, intact):
    with pytest.raises(BadFile, match=message):
        from_bytes(edited("columns", change, intact), NOWHERE)


@pytest.mark.parametrize("nu", [0.0, 1.0, -0.1, "auto", None])
def test_a_nu_that_was_never_found(nu, intact):
    def change(state, _):
        state["parameters"]["nu"] = "auto"
        state["others"]["nu_"] = nu

    with pytest.raises(BadFile, match=r"between 0 and 1|must have 'nu_'"):
        from_bytes(edited("margin", change, intact), NOWHERE)


def test_levels_of_categories(intact):
    def levels(given):
        def change(state, _):
            state["model"]["state"]["schema"]["state"]["categories"] = given

        return change

    for wrong in ([[99, ["a"]]], [[6, ["a", "a"]]], [[6, [[]]]], [[6]], [6], [[-1, ["a"]]],
                  [[6, [{"is": "float", "value": "nan"}]]]):  # fmt: skip
        with pytest.raises(BadFile, match="damaged"):
            from_bytes(edited("columns", levels(wrong), intact), NOWHERE)


def test_classes_that_do_not_suit_the_scores(intact):
    def fewer(state, _):
        state["labels"]["state"]["classes"]["items"].pop()

    with pytest.raises(BadFile, match="labels"):
        from_bytes(edited("classes", fewer, intact), NOWHERE)


def test_nothing_but_listed_modules_is_imported(intact, monkeypatch):
    asked = []

    def record(name):
        asked.append(name)
        return sys.modules[name]

    for name in samples():
        from_bytes(intact[name], NOWHERE)
    monkeypatch.setattr("underdog.files.registry.import_module", record)
    for name in samples():
        from_bytes(intact[name], NOWHERE)
    assert all(name.startswith("underdog.") for name in asked)


WHOLE = st.integers(1 - 2**64, 2**64 - 1)
PLAIN = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text() | WHOLE | st.booleans(), inner, max_size=4)
        | st.frozensets(st.text() | WHOLE, max_size=3)
    ),
    max_leaves=12,
)


def same(one, other):
    if isinstance(one, float):
        return type(other) is float and (
            one.hex() == other.hex() or (math.isnan(one) and math.isnan(other))
        )
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one), list(other)) and same(list(one.values()), list(other.values()))
    return one == other


@settings(max_examples=100, deadline=None)
@given(PLAIN)
def test_plain_values_come_back_as_they_were(value):
    node = json.loads(json.dumps(Encoder().encode(value, "value"), allow_nan=False))
    assert same(Decoder({}).decode(node), value)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data):
    with pytest.raises(BadFile):
        from_bytes(data, NOWHERE)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["is", "state", "items", "name", "keys", "values", "parameters"]),
                inner
                | st.sampled_from(
                    ["AdaBoostClassifier", "Pipeline", "Costs", "dict", "tuple", "set"]
                ),
                max_size=4,
            )
        ),
    )
)
def test_any_header_is_refused(node):
    header = {
        "format": "underdog", "schema": 1, "library": "0", "needs": "0", "notes": None,
        "model": node,
    }  # fmt: skip
    with pytest.raises(BadFile):
        from_bytes(pack(header, {}), NOWHERE)

"""Leaves, paths and tests of a file that cannot be right are refused before they are used."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.damage import NOWHERE, sealed
from tests.files.models import frame, numbers, samples
from tests.model.hand_made_trees import ordered_test, scores_by_hand, trees
from underdog.core import with_coefficients
from underdog.data import Schema, Table
from underdog.files import BadFile, Fields
from underdog.files.container import unpack
from underdog.files.store import from_bytes, to_bytes
from underdog.hypotheses import REST, Tree
from underdog.model import Ensemble, stored
from underdog.workers import Workers

ARRAYS = [
    "columns", "thresholds", "inside", "leaves", "depths", "asked", "answers", "values",
    "coefficients", "steps", "path",
]  # fmt: skip
RULES = ["stump", "constant", "abstaining", "depth 2", "one side", "two of three"]
"""In the order in which the model has them; their leaves are 2, 1, 2, 4, 3 and 3."""
FIRST_LEAF = dict(zip(RULES, [0, 2, 3, 5, 9, 12], strict=True))
FIRST_ASKED = dict(zip(RULES, [0, 2, 2, 4, 12, 17], strict=True))
FIRST_TEST = dict(zip(RULES, [0, 1, 1, 3, 6, 8], strict=True))


@pytest.fixture(scope="module")
def intact():
    return to_bytes(samples()["trees"][0])[0]


def changed(data, change):
    """The file with other arrays, and the right digest."""
    header, arrays = unpack(NOWHERE, data)
    own = {name: arrays[f"model.{name}"] for name in ARRAYS}
    change(own)
    arrays |= {f"model.{name}": np.ascontiguousarray(array) for name, array in own.items()}
    return sealed(header, arrays)


def assert_refused(data, change, message="damaged"):
    with pytest.raises(BadFile, match=message):
        from_bytes(changed(data, change), NOWHERE)


def test_the_sample_is_as_these_tests_think(intact):
    _, arrays = unpack(NOWHERE, intact)
    assert arrays["model.leaves"].tolist() == [2, 1, 2, 4, 3, 3]
    assert arrays["model.depths"].tolist() == [1, 1, 0, -1, 2, 2, 2, 2, 2, 2, 1, 2, 2, -1, 2]
    numbers_of_tests = arrays["model.asked"].tolist()
    for rule in RULES:
        if rule != "constant":
            assert numbers_of_tests[FIRST_ASKED[rule]] == FIRST_TEST[rule]
    from_bytes(changed(intact, together()), NOWHERE)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_have_their_type_shape_and_length(name, intact):
    def as_type(own):
        own[name] = own[name].astype(np.float32 if own[name].dtype != np.float32 else np.int8)

    def flat(own):
        own[name] = own[name][np.newaxis]

    def longer(own):
        own[name] = np.concatenate([own[name], own[name][:1] if len(own[name]) else [1.0]])

    def shorter(own):
        own[name] = own[name][:-1]

    def nothing(own):
        own[name] = own[name][:0]

    for change in (as_type, flat, longer, *([shorter, nothing] if name != "path" else [])):
        assert_refused(intact, change, "of Ensemble")
    header, arrays = unpack(NOWHERE, intact)
    del arrays[f"model.{name}"]
    with pytest.raises(BadFile, match="is missing, or asked for twice"):
        from_bytes(sealed(header, arrays), NOWHERE)


@pytest.mark.parametrize("name", ["columns", "leaves", "depths", "asked", "answers", "inside"])
@pytest.mark.parametrize("number", [-(2**31), -2, -1, 2, 99, 255, 2**31 - 1])
def test_numbers_out_of_range(name, number, intact):
    """At every place; a depth of -1 and a leaf more or less are wrong for other reasons."""
    _, arrays = unpack(NOWHERE, intact)
    kind = np.iinfo(arrays[f"model.{name}"].dtype)
    if not kind.min <= number <= kind.max:
        return
    before = arrays[f"model.{name}"]
    for place in range(len(before)):
        if before[place] == number:
            continue

        def put(own, place=place):
            own[name][place] = number

        assert_refused(intact, put, "of Ensemble")


def at(name, rule, offset, value):
    """Another number at a place of one rule's leaves, or of what these ask."""
    first = FIRST_LEAF if name == "depths" else FIRST_ASKED

    def change(own):
        own[name][first[rule] + offset] = value

    return change


def together(*changes):
    def change(own):
        for each in changes:
            each(own)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (at("asked", "one side", 0, FIRST_TEST["depth 2"]), "asked of Ensemble are not the 10 te"),
        (at("asked", "one side", 2, FIRST_TEST["depth 2"]), "asked of Ensemble are tests of ano"),
        (at("asked", "depth 2", 0, 4), "asked of Ensemble are not the 10 tests in the order"),
        (at("asked", "depth 2", 7, 4), "leaves of Ensemble do not divide"),
        (at("asked", "depth 2", 3, 5), "leaves of Ensemble do not divide"),
        (at("asked", "depth 2", 7, 3), "asked of Ensemble has a path with the same test twice"),
        (at("answers", "depth 2", 0, 1), "leaves of Ensemble do not divide"),
        (at("depths", "stump", 0, 0), "depths of Ensemble are not the lengths"),
        (at("depths", "stump", 0, -1), "depths of Ensemble are not the lengths"),
        (at("depths", "abstaining", 0, 0), "leaves of Ensemble do not divide"),
        (at("depths", "constant", 0, -1), "leaves of Ensemble do not divide"),
        (together(at("depths", "stump", 0, 2), at("depths", "stump", 1, 0)), "the same test twice"),
        (at("depths", "depth 2", 0, 1001), "depths of Ensemble must be from -1 to 1000"),
    ],
)
def test_tests_and_paths_of_rules(change, message, intact):
    assert_refused(intact, change, message)


def test_leaves_of_a_rule(intact):
    def swap(own):
        own["leaves"][[0, 3]] = own["leaves"][[3, 0]]

    def empty(own):
        own["leaves"] = np.insert(own["leaves"], 2, 0).astype(np.int32)
        own["coefficients"] = np.insert(own["coefficients"], 2, 1.0)

    assert_refused(intact, swap, "of Ensemble")
    assert_refused(intact, empty, "leaves of Ensemble must be one or more for each rule")


def test_no_rule_at_all(intact):
    def nothing(own):
        for name in ARRAYS:
            own[name] = own[name][:0]

    def no_label(own):
        for name in ("values", "steps"):
            own[name] = own[name][:, :0]

    assert_refused(intact, nothing, "steps of Ensemble are of no rule or no label")
    assert_refused(intact, no_label, "steps of Ensemble are of no rule or no label")


def test_a_test_that_nobody_asks(intact):
    def add(own):
        flags = np.array([0, 0, 0, 1], np.uint8)
        own["columns"] = np.append(own["columns"], own["columns"][:1])
        own["thresholds"] = np.append(own["thresholds"], np.nan)
        own["inside"] = np.append(own["inside"], flags)

    assert_refused(intact, add, "asked of Ensemble are not the 11 tests")


def test_huge_numbers_take_no_memory(intact):
    def many(name, number):
        def change(own):
            own[name][:] = number

        return change

    from_bytes(intact, NOWHERE)
    most = 2**31 - 1
    for change in (
        many("leaves", most), many("depths", most), many("asked", most), many("columns", most),
        at("depths", "stump", 0, most), at("asked", "stump", 1, most),
        together(many("leaves", most), many("depths", most)),
    ):  # fmt: skip
        data = changed(intact, change)
        tracemalloc.start()
        try:
            with pytest.raises(BadFile):
                from_bytes(data, NOWHERE)
            assert tracemalloc.get_traced_memory()[1] < 3_000_000
        finally:
            tracemalloc.stop()


SCHEMA = Schema.learn(Table.from_data(np.arange(12.0).reshape(6, 2)), np.ones(6, dtype=np.int64))


def a_test(column=0, place=0):
    """A question about one of two columns with six values."""
    return ordered_test(SCHEMA, column, place)


def complete(depth):
    """A tree in which every path has this length; every node has a test of its own."""
    paths = [()]
    for level in range(depth):
        nodes = [(path, a_test(level % 2, number % 5)) for number, path in enumerate(paths)]
        paths = [(*path, (test, answer)) for path, test in nodes for answer in (0, 1)]
    return paths


def chain(depth):
    """A tree whose leaves are at all depths up to this one."""
    paths, stem = [], ()
    for level in range(depth):
        test = a_test(level % 2, level % 5)
        paths.append((*stem, (test, 0)))
        stem = (*stem, (test, 1))
    return [*paths, stem]


def kept(rules):
    """Members of these rules from their arrays."""
    members = with_coefficients(rules, np.ones(len(rules)))
    fields = Fields("Ensemble", stored.state_of(members))
    return stored.members_of(fields, SCHEMA)


A, B, C = a_test(), a_test(1), a_test(0, 3)
NO, YES = 0, 1
WRONG_LEAVES = {
    "one is doubled": [((A, NO),), ((A, NO),), ((A, YES),)],
    "one is lacking": [((A, NO),), ((A, YES), (B, NO))],
    "only one": [((A, YES), (B, NO))],
    "one ends where another goes on": [((A, NO),), ((A, YES),), ((A, YES), (B, NO)), REST],
    "one is every row": [(), ((A, NO),), ((A, YES),)],
    "two tests at one place": [((A, NO),), ((B, YES),)],
    "two tests at one place and the rest": [((A, NO),), ((B, YES),), REST],
    "two tests further down": [((A, NO),), ((A, YES), (B, NO)), ((A, YES), (C, YES)), REST],
    "the rest beside all": [((A, NO),), ((A, YES),), REST],
    "the rest twice": [REST, ((A, YES),), REST],
    "the rest alone": [REST],
    "the rest twice alone": [REST, REST],
    "the rest beside every row": [(), REST],
    "every row twice": [(), ()],
}
SAME_TEST_TWICE = {
    "both answers": [((A, NO), (A, YES)), REST],
    "the same answer": [((A, NO), (A, NO)), REST],
    "further down": [((A, NO),), ((A, YES), (B, YES), (A, NO)), REST],
}


@pytest.mark.parametrize("what", WRONG_LEAVES)
def test_leaves_that_do_not_divide_the_rows(what):
    leaves = WRONG_LEAVES[what]
    with pytest.raises(BadFile, match="leaves of Ensemble do not divide the rows"):
        kept([Tree(tuple(leaves), np.zeros((len(leaves), 1)))])


@pytest.mark.parametrize("what", SAME_TEST_TWICE)
def test_a_path_that_asks_a_test_twice(what):
    leaves = SAME_TEST_TWICE[what]
    with pytest.raises(BadFile, match="asked of Ensemble has a path with the same test twice"):
        kept([Tree(tuple(leaves), np.zeros((len(leaves), 1)))])


@pytest.mark.parametrize(
    "leaves",
    [complete(16), chain(1000), [*complete(12)[1:], REST], [*complete(12)[::3], REST]],
    ids=["complete", "chain", "without one leaf", "without two of three"],
)
def test_large_trees_are_read_in_time_in_proportion(leaves):
    """A check of every pair of 65,536 leaves would take hours."""
    rule = Tree(tuple(leaves), np.zeros((len(leaves), 1)))
    found = kept([rule])[0].hypothesis
    assert len(found.leaves) == len(leaves)
    assert [len(path) for path in found.leaves] == [len(path) for path in leaves]


def test_many_leaves_that_do_not_divide_the_rows():
    leaves = complete(12)
    for wrong in (
        leaves[:-1], [*leaves, leaves[7]], [*leaves, REST], [REST] * 100_000,
        [()] * 100_000, [leaves[0]] * 100_000, [*leaves[1:], REST, REST],
    ):  # fmt: skip
        with pytest.raises(BadFile, match=r"do not divide the rows|are not the \d+ tests"):
            kept([Tree(tuple(wrong), np.zeros((len(wrong), 1)))])


def test_paths_of_more_than_a_thousand_tests_cannot_be_stored():
    leaves = chain(1001)
    with pytest.raises(BadFile, match="depths of Ensemble must be from -1 to 1000"):
        kept([Tree(tuple(leaves), np.zeros((len(leaves), 1)))])


def test_many_rules():
    rules = [Tree.constant(np.zeros((1, 1))), Tree.stump(a_test(), np.zeros((2, 1)))] * 20_000
    assert len(kept(rules)) == len(rules)


@st.composite
def any_leaves(draw, depth=0):
    """Leaves that divide the rows, in any order; some of them may be the rest."""
    if depth == 4 or draw(st.booleans()):
        return [()]
    test = a_test(draw(st.integers(0, 1)), draw(st.integers(0, 4)))
    return [((test, answer), *path) for answer in (0, 1) for path in draw(any_leaves(depth + 1))]


@settings(max_examples=100, deadline=None)
@given(any_leaves(), st.randoms(use_true_random=False), st.booleans(), st.integers(1, 2))
def test_any_tree_comes_back_as_it_was(leaves, chance, abstains, n_labels):
    chance.shuffle(leaves)
    if abstains and len(leaves) > 1:
        leaves[chance.randrange(len(leaves))] = REST
    shape = len(leaves), n_labels
    values = np.arange(1.0, 1 + np.prod(shape)).reshape(shape) / 4
    others = trees([a_test(), a_test(1, 3), a_test(0, 4)], n_labels)
    rules = [Tree(tuple(leaves), values), *others.values()]
    before = with_coefficients(rules, np.linspace(0.5, 1.5, len(rules)))
    ensemble = Ensemble(before, SCHEMA, n_labels)
    fields = Fields("Ensemble", ensemble._to_file())
    again = Ensemble._from_file(fields)
    assert not fields.names()
    for one, other in zip(ensemble.members, again.members, strict=True):
        assert other.steps.tobytes() == one.steps.tobytes()
        assert (other.coefficient, other.size) == (one.coefficient, one.size)
        assert other.hypothesis.leaf_words(SCHEMA) == one.hypothesis.leaf_words(SCHEMA)
    table = Table.from_data(np.random.default_rng(0).uniform(-1, 13, (40, 2)))
    expected = scores_by_hand(ensemble, table)
    with Workers(1) as workers:
        for each in (ensemble, again):
            np.testing.assert_array_equal(each.scores(table, workers), expected)
            np.testing.assert_array_equal(list(each.staged(table))[-1], expected)


def test_trees_about_categories_and_holes_come_back():
    model = samples()["trees"][0]
    again = from_bytes(to_bytes(model)[0], NOWHERE)
    rows = frame(numbers(seed=3))
    rows.loc[::5, "town"] = "Rom"
    np.testing.assert_array_equal(again.decision_function(rows), model.decision_function(rows))
    assert again.describe(None) == model.describe(None)


@pytest.mark.parametrize(
    "examples",
    [np.full(15, -1), np.full(15, 2**60), np.full(14, 1), np.full(15, 1.0), np.ones((15, 1), int)],
    ids=["negative", "too many", "too few leaves", "no integers", "another shape"],
)
def test_examples_of_leaves(examples, intact):
    def count(arrays):
        header["model"]["state"]["model"]["state"]["examples"] = {
            "is": "array", "name": "model.examples"
        }  # fmt: skip
        return sealed(header, arrays | {"model.examples": examples})

    header, arrays = unpack(NOWHERE, intact)
    with pytest.raises(BadFile, match="examples of Ensemble"):
        from_bytes(count(arrays), NOWHERE)
    examples = np.arange(15)
    model = from_bytes(count(arrays), NOWHERE)
    found = [one.hypothesis.examples for one in model.model_.members]
    np.testing.assert_array_equal(np.concatenate(found), examples)


def test_rules_without_examples_stay_without(intact):
    _, arrays = unpack(NOWHERE, intact)
    assert "model.examples" not in arrays
    model = from_bytes(intact, NOWHERE)
    assert all(one.hypothesis.examples is None for one in model.model_.members)

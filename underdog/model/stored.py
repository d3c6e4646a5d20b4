"""Members in a file: one array for each fact about rules, their tests and their leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from underdog.core import MAX_SCORE, Hypothesis, Member, Path, ShrinkingPath, Test
from underdog.data import Schema
from underdog.files import CannotStore, Fields
from underdog.hypotheses import REST, Foreign, ForeignRegressor, Leaf, Tree, WordWeights
from underdog.kernels.elementary import GRID
from underdog.types import Codes, Floats, Integers

NO_COLUMN = -1
"""In place of the column of a rule that asks nothing, in files of version 1."""
NO_PATH = -1
"""In place of the length of a path: the leaf has all rows that are on no path."""
MAX_ASKED = 1000
"""Tests on a path."""
MAX_EXAMPLES = 1 << 53
"""In a leaf: integers up to this one are exact in float64."""


def state_of(members: Sequence[Member]) -> dict[str, Any]:
    """The arrays of some members: see docs/files.md."""
    tests: list[Test] = []
    leaves: list[int] = []
    depths: list[int] = []
    asked: list[int] = []
    answers: list[int] = []
    members = [member for member in members if not isinstance(member.hypothesis, WordWeights)]
    for member in members:
        rule = member.hypothesis
        if not isinstance(rule, Tree):
            raise CannotStore(_refusal(rule))
        numbers = {id(test): len(tests) + place for place, test in enumerate(rule.tests)}
        tests += rule.tests
        leaves.append(len(rule.leaves))
        for leaf in rule.leaves:
            path: Path = () if isinstance(leaf, str) else leaf
            depths.append(NO_PATH if isinstance(leaf, str) else len(path))
            asked += [numbers[id(test)] for test, _ in path]
            answers += [answer for _, answer in path]
    examples = [_examples(member) for member in members]
    cuts = [np.nan if test.threshold is None else test.threshold for test in tests]
    return {
        "columns": np.array([test.column for test in tests], np.int32),
        "thresholds": np.array(cuts, np.float64),
        "inside": np.concatenate([np.empty(0, np.uint8), *(test.inside for test in tests)]),
        "leaves": np.array(leaves, np.int32),
        "depths": np.array(depths, np.int32),
        "asked": np.array(asked, np.int32),
        "answers": np.array(answers, np.uint8),
        "values": np.concatenate([member.hypothesis.values for member in members]),
        "coefficients": np.array([member.coefficient for member in members]),
        "steps": np.concatenate([member.steps for member in members]),
        **({"examples": np.concatenate(examples)} if any(map(np.any, examples)) else {}),
    }


def words_of(members: Sequence[Member]) -> dict[str, Any]:
    """The arrays of the weights of words, if there are any."""
    for member in members:
        rule = member.hypothesis
        if isinstance(rule, WordWeights):
            return {
                "word_columns": rule.columns.astype(np.int32),
                "word_weights": rule.weights,
                "word_squares": rule.squares,
            }
    return {}


def word_members(fields: Fields, schema: Schema, n_labels: int) -> list[Member]:
    """The member of `words_of`, if there is one."""
    if "word_columns" not in fields:
        return []
    columns = fields.array("word_columns", np.int32, None).astype(np.int64)
    weights = fields.floats("word_weights", len(columns), None)
    squares = fields.floats("word_squares", len(columns))
    rising = bool((np.diff(columns) > 0).all()) and len(columns) > 0
    if not rising or columns[0] < 0 or columns[-1] >= schema.n_columns:
        raise fields.wrong("word_columns", "must be rising numbers of columns")
    if (schema.bins[columns] != 2).any() or set(columns.tolist()) & set(schema.categories):
        raise fields.wrong("word_columns", "must be columns of numbers with one cut")
    if weights.shape[1] != n_labels or (squares <= 0.0).any():
        raise fields.wrong("word_squares", "must be above 0, with a weight for each label")
    member = WordWeights(columns, weights, squares).member
    if not member.size < MAX_SCORE:
        raise fields.wrong("word_weights", "are too large")
    return [member]


def _examples(member: Member) -> Integers:
    """Training examples in each leaf; 0 in all of them where they were not counted."""
    counted = member.hypothesis.examples if isinstance(member.hypothesis, Tree) else None
    return np.zeros(len(member.steps), dtype=np.int64) if counted is None else counted


def members_of(fields: Fields, schema: Schema, summed: bool = True) -> list[Member]:
    """Members whose tests are about columns and bins that the schema has.

    If their steps are `summed`, the sum must stay on the score grid; otherwise each step.
    """
    if fields.version == 1:
        fields = _of_version_1(fields)
    leaves = fields.array("leaves", np.int32, None)
    depths = fields.array("depths", np.int32, None)
    coefficients = fields.floats("coefficients", len(leaves))
    steps = fields.floats("steps", len(depths), None)
    values = fields.floats("values", *steps.shape)
    if steps.size == 0:
        raise fields.wrong("steps", "are of no rule or no label")
    if leaves.min(initial=1) < 1 or int(leaves.sum(dtype=np.int64)) != len(depths):
        raise fields.wrong("leaves", "must be one or more for each rule, and as many as depths")
    bounds = [0, *np.cumsum(leaves).tolist()]
    sizes = np.maximum.reduceat(np.abs(steps).max(axis=1), bounds[:-1])
    if (sizes.sum() if summed else sizes.max()) >= MAX_SCORE or (
        np.rint(steps * GRID) != steps * GRID
    ).any():
        raise fields.wrong("steps", "are too large, or not on the score grid")
    if not np.array_equal(steps, _steps(values, np.repeat(coefficients, leaves))):
        raise fields.wrong("steps", "are not the coefficients times the values, on the score grid")
    paths = _paths(fields, _tests(fields, schema), leaves, depths)
    examples = np.zeros(len(depths), dtype=np.int64)
    if "examples" in fields:
        examples = fields.array("examples", np.int64, len(depths))
        if examples.min() < 0 or examples.max() > MAX_EXAMPLES:
            raise fields.wrong("examples", f"must be from 0 to {MAX_EXAMPLES}")
    members = []
    for number, (first, last) in enumerate(pairwise(bounds)):
        own = tuple(paths[first:last])
        if not _is_partition(own):
            raise fields.wrong("leaves", "do not divide the rows: one is in two, or in none")
        counted = examples[first:last]
        rule = Tree(own, values[first:last], counted if counted.any() else None)
        size = float(sizes[number])
        members.append(Member(rule, float(coefficients[number]), steps[first:last], size))
    return members


def _tests(fields: Fields, schema: Schema) -> list[Test]:
    """Questions about columns and bins that the schema has."""
    columns = fields.array("columns", np.int32, None)
    thresholds = fields.array("thresholds", np.float64, len(columns))
    inside = fields.array("inside", np.uint8, None)
    if columns.min(initial=0) < 0 or columns.max(initial=0) >= schema.n_columns:
        raise fields.wrong("columns", f"are not all among the {schema.n_columns} of the schema")
    ends = np.cumsum(schema.bins[columns] + 1)
    if (int(ends[-1]) if len(ends) else 0) != len(inside) or inside.max(initial=0) > 1:
        raise fields.wrong("inside", "must have a 0 or a 1 for each bin of a test's column")
    tests = []
    flags = np.split(inside, ends[:-1])
    for number, column in enumerate(columns.tolist()):
        cut = None if np.isnan(thresholds[number]) else float(thresholds[number])
        if not _says_what_it_does(schema, column, flags[number], cut):
            raise fields.wrong("thresholds", "do not say where the tests are true")
        tests.append(Test(column, flags[number], cut))
    return tests


def _paths(fields: Fields, tests: Sequence[Test], leaves: Integers, depths: Integers) -> list[Leaf]:
    """The path of each leaf, or REST."""
    asked = fields.array("asked", np.int32, None)
    answers = fields.array("answers", np.uint8, len(asked))
    if depths.min() < NO_PATH or depths.max() > MAX_ASKED:
        raise fields.wrong("depths", f"must be from {NO_PATH} to {MAX_ASKED}")
    lengths = depths.clip(0)
    if int(lengths.sum(dtype=np.int64)) != len(asked):
        raise fields.wrong("depths", f"are not the lengths of paths with {len(asked)} tests")
    if answers.max(initial=0) > 1:
        raise fields.wrong("answers", "must be 0 or 1")
    owners = np.repeat(np.repeat(np.arange(len(leaves)), leaves), lengths)
    _check_asked(fields, asked, owners, len(tests))
    choices = [((test, 0), (test, 1)) for test in tests]
    numbers = asked.tolist()
    said = [choices[test][answer] for test, answer in zip(numbers, answers.tolist(), strict=True)]
    paths: list[Leaf] = []
    for first, last in pairwise([0, *np.cumsum(lengths).tolist()]):
        if len(set(numbers[first:last])) < last - first:
            raise fields.wrong("asked", "has a path with the same test twice")
        paths.append(tuple(said[first:last]))
    for place in np.flatnonzero(depths == NO_PATH).tolist():
        paths[place] = REST
    return paths


def _check_asked(fields: Fields, asked: Integers, owners: Integers, count: int) -> None:
    """Tests are numbered in the order in which they are asked; those of a rule are its own."""
    highest = np.maximum.accumulate(np.concatenate([[-1], asked]))
    new = asked > highest[:-1]
    if highest[-1] != count - 1 or not np.array_equal(asked[new], np.arange(count)):
        raise fields.wrong("asked", f"are not the {count} tests in the order of their numbers")
    if asked.min(initial=0) < 0 or (owners[new][asked] != owners).any():
        raise fields.wrong("asked", "are tests of another rule, or none")


def _is_partition(leaves: Sequence[Leaf]) -> bool:
    """Whether every row is in exactly one leaf: paths branch off from a common root.

    Takes time in proportion to the tests on all paths.
    """
    test_at: dict[int, int] = {}  # which test is asked at a node; the root is node 0
    below: dict[tuple[int, int], int] = {}  # the node after a node and an answer
    ends: set[int] = set()
    paths = [leaf for leaf in leaves if not isinstance(leaf, str)]
    for path in paths:
        node = 0
        for test, answer in path:
            if test_at.setdefault(node, id(test)) != id(test):
                return False
            node = below.setdefault((node, answer), len(below) + 1)
        ends.add(node)
    if len(ends) < len(paths) or ends & test_at.keys():  # one ends where another does, or goes on
        return False
    open_ends = len(below) < 2 * len(test_at)
    return len(leaves) - len(paths) == int(open_ends)


def _of_version_1(fields: Fields) -> Fields:
    """The arrays of rules with one test or none, as files of version 1 have them."""
    columns = fields.array("columns", np.int32, None)
    count = len(columns)
    thresholds = fields.array("thresholds", np.float64, count)
    steps = fields.floats("steps", count, 2, None)
    values = fields.floats("values", *steps.shape)
    asks = columns != NO_COLUMN
    for name, array in (("values", values), ("steps", steps)):
        if not np.array_equal(array[~asks, 0], array[~asks, 1]):
            raise fields.wrong(name, "of a rule that asks nothing must be the same twice")
    kept = np.stack([np.ones(count, dtype=bool), asks], axis=1)
    tests = np.arange(int(asks.sum()), dtype=np.int32)
    return Fields(
        fields.kind,
        {
            "columns": columns[asks],
            "thresholds": thresholds[asks],
            "inside": fields.array("inside", np.uint8, None),
            "leaves": np.where(asks, 2, 1).astype(np.int32),
            "depths": np.stack([asks, asks], axis=1)[kept].astype(np.int32),
            "asked": np.repeat(tests, 2),
            "answers": np.tile(np.array([0, 1], np.uint8), len(tests)),
            "values": values[kept],
            "coefficients": fields.floats("coefficients", count),
            "steps": steps[kept],
        },
    )


def state_of_path(path: Sequence[Floats]) -> dict[str, Floats]:
    """The coefficients after each round: all of them, or what a shrinking path knows."""
    if isinstance(path, ShrinkingPath):
        return {"path": np.empty(0), "joined": path.joined, "kept": path.kept}
    return {"path": np.concatenate(path) if len(path) else np.empty(0)}


def path_of(fields: Fields, members: Sequence[Member]) -> Sequence[Floats]:
    """Coefficients after each round, where they changed: one in the first, two in the second."""
    rounds = len(members)
    path = fields.floats("path", None)
    if "joined" in fields and not len(path):
        return _shrinking_path(fields, members)
    if not len(path):
        return []
    if len(path) != rounds * (rounds + 1) // 2:
        raise fields.wrong("path", f"must have coefficients for each of {rounds} rounds")
    if float(np.abs(path).max()) * largest_value(members) * rounds >= MAX_SCORE:
        raise fields.wrong("path", "has coefficients that are too large")
    parts = np.split(path, np.cumsum(np.arange(1, rounds)))
    if parts[-1].tolist() != [member.coefficient for member in members]:
        raise fields.wrong("path", "does not end with the coefficients")
    return parts


def _shrinking_path(fields: Fields, members: Sequence[Member]) -> ShrinkingPath:
    joined, kept = (fields.floats(name, len(members)) for name in ("joined", "kept"))
    if joined.min() < 0.0 or kept.min() < 0.0 or kept.max() > 2.0:
        raise fields.wrong("kept", "has a factor that is not between 0 and 2")
    total, largest = 0.0, largest_value(members)
    for new, factor in zip(joined.tolist(), kept.tolist(), strict=True):
        total = factor * total + new
        if not total * largest < MAX_SCORE:
            raise fields.wrong("joined", "has coefficients that are too large")
    path = ShrinkingPath(joined, kept)
    if path[-1].tolist() != [member.coefficient for member in members]:
        raise fields.wrong("joined", "does not lead to the coefficients")
    return path


def largest_value(members: Sequence[Member]) -> float:
    """The largest absolute value that a rule says."""
    return max(float(np.abs(member.hypothesis.values).max()) for member in members)


def start_of(
    fields: Fields, n_labels: int, members: Sequence[Member], summed: bool = True
) -> Floats | None:
    """The scores before the first member; files without them have none."""
    if "start" not in fields:
        return None
    start = fields.floats("start", n_labels)
    if (np.rint(start * GRID) != start * GRID).any():
        raise fields.wrong("start", "must be on the score grid")
    sizes = [member.size for member in members]
    if not float(np.abs(start).max()) + (sum(sizes) if summed else max(sizes)) < MAX_SCORE:
        raise fields.wrong("start", "is too large beside the steps")
    return start


def unit_of(fields: Fields) -> float:
    """What a score of 1 is worth; files without a unit have 1."""
    if "unit" not in fields:
        return 1.0
    unit = fields.get("unit")
    if not isinstance(unit, float) or not 2.0**-960 <= unit <= 2.0**995:
        raise fields.wrong("unit", "must be a power of two from 2**-960 to 2**995")
    if math.frexp(unit)[0] != 0.5:
        raise fields.wrong("unit", "must be a power of two")
    return unit


def _says_what_it_does(schema: Schema, column: int, inside: Codes, cut: float | None) -> bool:
    """Whether a test is true above its threshold; without one, where the value is missing."""
    if column in schema.categories:
        return cut is None
    if cut is None:
        return not inside[:-1].any() and inside[-1] == 1
    cuts = schema.cuts_of(column)
    above = np.arange(len(cuts) + 1) > np.searchsorted(cuts, cut)
    return cut in cuts and np.array_equal(inside[:-1], above)


def _steps(values: Floats, coefficients: Floats) -> Floats:
    """What leaves add to the score: see `kernels.criteria.on_grid`."""
    result: Floats = np.rint(coefficients[:, np.newaxis] * values * GRID) / GRID
    return result


def _refusal(rule: Hypothesis) -> str:
    if isinstance(rule, ForeignRegressor):
        other: Any = rule.regressor
    elif isinstance(rule, Foreign):
        other = next(c for c in rule.classifiers if not isinstance(c, int))
    else:
        return f"a rule of the class {type(rule).__name__} cannot be stored in a file"
    return (
        f"the rules of this model are {type(other).__module__}.{type(other).__name__} "
        "objects of another library, which a file without code cannot hold: use skops or pickle, "
        "or a learner of underdog"
    )

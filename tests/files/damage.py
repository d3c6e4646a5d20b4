"""Files that are wrong in all sorts of ways, and what must come of them.

`python -m tests.files.damage FIRST LAST` tries the cases with these numbers and prints what came of
them; a crash of the process is seen by whoever started it.
"""

import copy
import json
import random
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from tests.files.models import samples
from underdog.files import BadFile
from underdog.files.container import pack, unpack
from underdog.files.store import from_bytes, to_bytes

NOWHERE = Path("damaged.udg")
HOSTILE = [
    None, True, False, -1, 0, 1, 2, 3, 255, 256, 2**31, 2**53, 2**63, 2**64 - 1, -(2**63), 0.5,
    -0.0, 1e300, 5e-324, "", "x", "inf", "__class__", "os.system", "\ud800", "a" * 3000, [], [[]],
    {}, [1, 2], ["a", "b"], {"is": "float", "value": "nan"}, {"is": "float", "value": "inf"},
    {"is": "tuple", "items": [1, 2]}, {"is": "array", "name": "model.steps"}, {"is": "dict"},
    {"is": "Pipeline", "state": {}}, {"is": "StumpLearner", "state": {"parameters": {}}},
    {"is": "strings", "width": 10**9, "items": ["a", "b"]}, {"is": "os", "state": {}},
    {"is": "Exponential", "state": {"parameters": {"beta": 1e-300}}}, {"is": ["list"]},
    {"is": "Costs", "state": {}}, [0] * 2000, {"is": "set", "items": [[1]]},
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 255, 2**31 - 1, -(2**31), 2**62, -(2**63), 0.5, 1e300, -1e300, 2.0**-36,
           1e-300, np.nan, np.inf, -np.inf]  # fmt: skip
DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", "?"]
SHAPES = [(0,), (1,), (2,), (3, 1), (1, 2, 1), (0, 2, 1), (2, 0), (300,), ()]


def deep(levels):
    nested = 1
    for _ in range(levels):
        nested = [nested]
    return nested


def places(node, path=()):
    """Paths to all values of a tree."""
    yield path
    if isinstance(node, dict | list):
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            yield from places(child, (*path, key))


def edit_header(header, chance):
    """One value replaced, dropped, doubled, moved or added."""
    paths = [path for path in places(header) if path]
    path = chance.choice(paths)
    parent = header
    for key in path[:-1]:
        parent = parent[key]
    how = chance.randrange(6)
    if how <= 2:
        parent[path[-1]] = copy.deepcopy(chance.choice([*HOSTILE, deep(chance.choice([3, 70]))]))
    elif how == 3:
        del parent[path[-1]]
    elif how == 4:
        other = header
        for key in chance.choice(paths):
            other = other[key]
        parent[path[-1]] = copy.deepcopy(other)
    elif isinstance(parent, dict):
        name = chance.choice(["more", "is", "state", "predict", "_x", "x_"])
        parent[name] = copy.deepcopy(chance.choice(HOSTILE))
    else:
        parent.append(copy.deepcopy(chance.choice([*HOSTILE, parent[0]])))


def edit_array(arrays, chance):
    """One array with other numbers, another type or shape, or gone."""
    name = chance.choice(sorted(arrays))
    array = arrays[name].copy()
    how = chance.randrange(8)
    if how <= 3 and array.size:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = np.array(chance.choice(NUMBERS)).astype(array.dtype)
        array.flat[chance.randrange(array.size)] = value
    elif how == 4:
        with np.errstate(all="ignore"):
            array = array.astype(chance.choice(DTYPES))
    elif how == 5:
        array = np.resize(array, chance.choice(SHAPES)).astype(array.dtype)
    elif how == 6 and array.ndim:
        array = array[: chance.randrange(len(array) + 1)]
    else:
        del arrays[name]
        if chance.random() < 0.5:
            arrays[chance.choice(["more", name + "x"])] = array
        return
    arrays[name] = np.array(array, order="C")


def flips(data, chance):
    """A few bytes with other bits."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 5, 50])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def spliced(data, other, chance):
    """Cut off, doubled, or with a piece of another file."""
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    how = chance.randrange(5)
    if how == 0:
        return data[:start]
    if how == 1:
        return data[:start] + data[end:]
    if how == 2:
        return data[:end] + data[start:]
    if how == 3:
        return data[:start] + other[start:end] + data[end:]
    return data + chance.randbytes(chance.randrange(1, 40))


def files():
    """name -> the intact file."""
    return {name: to_bytes(model)[0] for name, (model, _) in samples().items()}


def case(number, intact):
    """(name of the sample, wrong file, whether no digest can be right)."""
    chance = random.Random(number)
    name = chance.choice(sorted(intact))
    data = intact[name]
    how = chance.randrange(10)
    if how == 0:
        return name, flips(data, chance), True
    if how == 1:
        return name, spliced(data, intact[chance.choice(sorted(intact))], chance), True
    header, arrays = unpack(NOWHERE, data)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if how <= 5:
            edit_header(header, chance)
        elif arrays:
            edit_array(arrays, chance)
    return name, pack(header, arrays), False


def schema_of(model):
    return getattr(model, "estimator_", model).model_.schema


def suited(model, rows, before):
    """The rows, or others if the model asks for other columns than before."""
    if hasattr(model, "steps"):
        names = getattr(model[0], "feature_names_in_", ())
        return rows.set_axis(names, axis=1) if len(names) else rows
    last, schema, old = getattr(model, "estimator_", model), schema_of(model), schema_of(before)
    if (schema.n_columns, schema.names, schema.categories.keys()) == (
        old.n_columns, old.names, old.categories.keys()
    ):  # fmt: skip
        return rows[:20]
    named = hasattr(last, "feature_names_in_")
    names = list(last.feature_names_in_) if named else range(schema.n_columns)
    columns = {
        name: [*schema.categories[c], None, "never seen"] if c in schema.categories
        else [0.0, 1.5, -3.0, np.nan, np.inf]
        for c, name in enumerate(names)
    }  # fmt: skip
    cycled = {name: [values[i % len(values)] for i in range(9)] for name, values in columns.items()}
    made = pd.DataFrame({name: pd.Series(v, dtype=object) for name, v in cycled.items()})
    for c, name in enumerate(names):
        if c not in schema.categories:
            made[name] = made[name].astype(float)
    return made if named or schema.categories else made.to_numpy(dtype=float)


def ask(model, rows, before):
    """Everything that a model answers."""
    rows = suited(model, rows, before)
    model.predict(rows)
    model.decision_function(rows)
    if hasattr(model, "predict_proba"):
        model.predict_proba(rows)
    if hasattr(model, "staged_predict"):
        list(model.staged_predict(rows))
        model.describe(None)
        _ = model.feature_importances_


def outcome(number, intact):
    """"refused", or "loaded" if the model answers."""
    name, data, broken = case(number, intact)
    if data == intact[name]:
        return "unchanged"
    try:
        model = from_bytes(data, NOWHERE)
    except BadFile:
        return "refused"
    assert not broken, "a file with a wrong digest was loaded"
    before, rows = samples()[name]
    if type(model) is not type(before):
        return "loaded as another kind"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ask(model, rows, before)
    return "loaded"


def main(first, last):
    intact = files()
    counted = Counter()
    for number in range(first, last):
        try:
            counted[outcome(number, intact)] += 1
        except BaseException:
            print(f"case {number}", file=sys.stderr)
            raise
    print(json.dumps(counted))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

"""Files that are wrong in all sorts of ways, and what must come of them.

`python -m tests.files.damage FIRST LAST` tries the cases with these numbers and prints what came of
them; a crash of the process is seen by whoever started it.
"""

import copy
import hashlib
import json
import random
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from safetensors.numpy import save as save_arrays
from sklearn.base import clone

from tests.files.models import samples, target
from underdog.files import BadFile
from underdog.files.container import KEY, NO_DIGEST, unpack
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
NAMES = [
    "__deepcopy__", "__class__", "__dict__", "predict", "get_params", "_x", "x_", "model_",
    "_labels", "n_features_in_", "_hard_nu", "converged_", "nu_", "", "a b",
]  # fmt: skip
FACTORS = [0.0, -1.0, 2.0, 0.5, 1e-3, 1e4, 1e300, 1 + 1e-9]
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


def boosters(node):
    """States of all fitted boosters in a tree."""
    nodes = [node, *(node.values() if isinstance(node, dict) else node)]
    if isinstance(node, dict) and "history" in node:
        yield node
    for child in nodes[1:]:
        if isinstance(child, dict | list):
            yield from boosters(child)


def edit_history(header, arrays, chance):
    """A column renamed, dropped, exchanged, doubled, with other numbers, or longer or shorter."""
    history = chance.choice(list(boosters(header)))["history"]
    names = sorted(history)
    name, other = chance.choice(names), chance.choice(names)
    stored = history[name]["name"]
    how = chance.randrange(6)
    if how == 0:
        history[chance.choice([name.upper(), "more", "validation_score"])] = history.pop(name)
    elif how == 1:
        del arrays[history.pop(name)["name"]]
    elif how == 2:
        history[name], history[other] = history[other], history[name]
    elif how == 3:
        arrays["more"] = arrays[stored].copy()
        history[chance.choice(["more", "validation_score"])] = {"is": "array", "name": "more"}
    elif how == 4:
        arrays[stored][chance.randrange(len(arrays[stored]))] = chance.choice(NUMBERS)
    else:
        size = chance.choice([0, 1, len(arrays[stored]) - 1, len(arrays[stored]) + 1])
        for each in names if chance.random() < 0.5 else [name]:
            arrays[history[each]["name"]] = np.resize(arrays[history[each]["name"]], size)


def edit_others(header, arrays, chance):
    """Something learned that the class does not know, or of another type."""
    chance.choice(list(boosters(header)))["others"][chance.choice(NAMES)] = chance.choice(HOSTILE)


def edit_coefficients(header, arrays, chance):
    """Other coefficients, with steps, path and history that agree."""
    state = chance.choice(list(boosters(header)))
    model = state["model"]["state"]
    found = {name: arrays[node["name"]] for name, node in model.items() if "name" in (node or ())}
    coefficients, values = found["coefficients"], found["values"]
    some = slice(None) if chance.random() < 0.5 else chance.randrange(len(coefficients))
    with np.errstate(all="ignore"):
        if chance.random() < 0.3:
            values[some] *= chance.choice(FACTORS)
        else:
            coefficients[some] *= chance.choice(FACTORS)
        steps = np.rint(coefficients[:, np.newaxis, np.newaxis] * values * 2.0**36) / 2.0**36
    found["steps"][:] = steps
    if found["path"].size:
        found["path"][-len(coefficients) :] = coefficients
    else:
        arrays[state["history"]["coefficient"]["name"]][: len(coefficients)] = coefficients


def edit_probabilities(header, arrays, chance):
    """Other numbers of a calibration, a curve of thresholds or a link."""
    curves = ("probabilities", "scores", "log_class_weight", "threshold", "precision", "recall")
    names = [name for name in sorted(arrays) if name.split(".")[-1] in curves]
    learned = header["model"]["state"]
    constants = [key for key in ("excess", "threshold") if key in learned]
    pairs = learned.get("calibration") or ()
    number = chance.choice([*NUMBERS, 1 + 1e-9, -1e-9, 1e308, 5e-324])
    if pairs and "a" in pairs[0] and chance.random() < 0.5:
        chance.choice(pairs)[chance.choice("ab")] = float(np.nan_to_num(number))
    elif constants and chance.random() < 0.3:
        learned[chance.choice(constants)] = float(np.nan_to_num(number))
    elif "link" in learned and chance.random() < 0.3:
        learned["link"]["state"]["parameters"]["beta"] = chance.choice([5e-324, 1e-300, 1e300, 2.0])
    elif names:
        array = arrays[chance.choice(names)]
        array.flat[chance.randrange(array.size)] = number


def flood(header, arrays, chance):
    """Many values, or deep ones: far more objects than bytes."""
    many = chance.choice([[[]] * 150_000, [{}] * 150_000, [0] * 1_200_000, deep(300)])
    place = chance.choice([header["model"]["state"], header["model"]["state"]["parameters"]])
    place[chance.choice(sorted(place))] = many


EDITS = [edit_history, edit_others, edit_coefficients, edit_probabilities]


def sealed(header, arrays):
    """A file with the right digest, whatever is in it."""
    text = json.dumps({"sha256": NO_DIGEST, **header}, allow_nan=False)
    blank = save_arrays(arrays, metadata={KEY: text})
    return blank.replace(NO_DIGEST.encode(), hashlib.sha256(blank).hexdigest().encode(), 1)


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
    how = chance.randrange(14)
    if how == 0:
        return name, flips(data, chance), True
    if how == 1:
        return name, spliced(data, intact[chance.choice(sorted(intact))], chance), True
    header, arrays = unpack(NOWHERE, data)
    if how >= 10 and name not in ("text", "rows"):
        edit = flood if chance.random() < 0.002 else EDITS[how - 10]
        edit(header, arrays, chance)
        return name, sealed(header, arrays), False
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if how <= 5:
            edit_header(header, chance)
        elif arrays:
            edit_array(arrays, chance)
    return name, sealed(header, arrays), False


def schema_of(model):
    return getattr(model, "estimator_", model).model_.schema


def same_columns(model, before):
    """Whether two models ask for the same columns."""
    schema, old = schema_of(model), schema_of(before)
    return (schema.n_columns, schema.names, schema.categories.keys()) == (
        old.n_columns, old.names, old.categories.keys()
    )  # fmt: skip


def suited(model, rows, before):
    """The rows, or others if the model asks for other columns than before."""
    if hasattr(model, "steps"):
        names = getattr(model[0], "feature_names_in_", ())
        return rows.set_axis(names, axis=1) if len(names) else rows
    last, schema = getattr(model, "estimator_", model), schema_of(model)
    if same_columns(model, before):
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
        found = model.predict_proba(rows)
        assert ((found >= 0.0) & (found <= 1.0)).all(), "probabilities are not between 0 and 1"
    if hasattr(model, "staged_predict"):
        list(model.staged_predict(rows))
        model.describe(None)
        _ = model.feature_importances_


def go_on(booster, name, before):
    """A warm start, which may fail only as a fit from the beginning does."""
    rows, y = samples()[name][1], target(name)
    if y is None or not same_columns(booster, before):
        return
    if y.ndim == 1 and len(booster.classes_) == len(before.classes_):
        y = booster.classes_[np.searchsorted(before.classes_, y)]
    booster.set_params(warm_start=True, n_estimators=booster.n_iter_ + 2, verbose=0)
    try:
        booster.fit(rows, y)
    except (TypeError, ValueError) as error:
        if str(error).startswith("warm_start:"):
            return
        try:
            clone(booster).set_params(warm_start=False).fit(rows, y)
        except (TypeError, ValueError) as same:
            if type(same) is type(error):
                return
        raise
    booster.predict(rows)


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
        if not hasattr(model, "steps"):
            go_on(
                getattr(model, "estimator_", model), name, getattr(before, "estimator_", before)
            )
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

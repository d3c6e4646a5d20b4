"""Ways in which the header and the arrays of a model file can be made wrong."""

import copy
import warnings

import numpy as np

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
RAGGED = ("leaves", "depths", "asked", "answers")
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


def names_of_arrays(state):
    """name -> where the array is stored."""
    return {
        name: node["name"]
        for name, node in state.items()
        if isinstance(node, dict) and node.get("is") == "array"
    }


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
    found = {name: arrays[stored] for name, stored in names_of_arrays(model).items()}
    coefficients, values = found["coefficients"], found["values"]
    some, all_ = chance.randrange(len(coefficients)), chance.random() < 0.5
    with np.errstate(all="ignore"):
        if chance.random() < 0.3:
            values[slice(None) if all_ else chance.randrange(len(values))] *= chance.choice(FACTORS)
        else:
            coefficients[slice(None) if all_ else some] *= chance.choice(FACTORS)
        each = np.repeat(coefficients, found["leaves"]) if "leaves" in found else coefficients
        product = each.reshape(-1, *[1] * (values.ndim - 1)) * values
        found["steps"][:] = np.rint(product * 2.0**36) / 2.0**36
    if found["path"].size:
        found["path"][-len(coefficients) :] = coefficients
    else:
        arrays[state["history"]["coefficient"]["name"]][: len(coefficients)] = coefficients


def edit_trees(header, arrays, chance):
    """Other numbers of leaves, tests or answers; or a leaf that is gone, doubled or moved."""
    model = chance.choice(list(boosters(header)))["model"]["state"]
    found = names_of_arrays(model)
    if "leaves" in found and chance.random() < 0.3:
        edit_leaf(found, arrays, chance)
        return
    names = [name for name in (*RAGGED, "columns", "inside") if name in found]
    name = found[chance.choice(names)]
    array = arrays[name]
    one, other = (chance.randrange(len(array)) for _ in range(2))
    how, by = chance.randrange(5), array.dtype.type(chance.choice([1, 2]))
    if how == 0:
        array[[one, other]] = array[[other, one]]
    elif how == 1:
        array[one] = array[other]
    elif how == 2:  # the same sum
        array[[one]] -= by
        array[[other]] += by
    elif how == 3:
        arrays[name] = np.insert(array, one, array[other])
    else:
        arrays[name] = np.delete(array, one)


def edit_leaf(found, arrays, chance):
    """A leaf that is gone, doubled, the rest, or exchanged with the next one; all arrays agree."""
    depths, leaves = arrays[found["depths"]], arrays[found["leaves"]]
    leaf = chance.randrange(len(depths))
    rule = int(np.searchsorted(np.cumsum(leaves), leaf, side="right"))
    lengths = depths.clip(0)
    paths = np.split(np.arange(lengths.sum()), np.cumsum(lengths)[:-1])
    order = list(range(len(depths)))
    how = chance.randrange(4)
    if how == 0:
        del order[leaf]
        leaves[rule] -= 1
    elif how == 1:
        order.insert(leaf, leaf)
        leaves[rule] += 1
    elif how == 2:
        depths[leaf], paths[leaf] = -1, paths[leaf][:0]
    else:
        order.insert(leaf, order.pop(min(leaf + 1, len(order) - 1)))
    asked = np.concatenate([paths[place] for place in order])
    for name in ("depths", "values", "steps"):
        arrays[found[name]] = arrays[found[name]][order]
    for name in ("asked", "answers"):
        arrays[found[name]] = arrays[found[name]][asked]


def edit_probabilities(header, arrays, chance):
    """Other numbers of a calibration, a curve of thresholds or a link."""
    curves = ("probabilities", "scores", "log_class_weight", "threshold", "precision", "recall")
    names = [name for name in sorted(arrays) if name.split(".")[-1] in curves]
    learned = header["model"]["state"]
    constants = [key for key in ("excess", "log_odds_shift", "threshold") if key in learned]
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


def edit_numbers(header, arrays, chance):
    """Another unit, link or quantile of a regressor, or other weights of its rules."""
    state = chance.choice(list(boosters(header)))
    model, labels = state["model"]["state"], state["labels"]["state"]
    if "exponent" not in labels and "ends" not in labels:
        edit_header(header, chance)
        return
    names = [*names_of_arrays(labels).values(), "model.start", "model.weights"]
    exponent = chance.choice([-2000, -960, -959, -1, 0, 3, 994, 995, 2000])
    how = chance.randrange(6)
    if how == 0:
        model["unit"] = chance.choice([0.0, 3.0, -1.0, 5e-324, 2.0**995, 2.0**-960, True])
    elif how == 1:
        labels["exponent"] = exponent
    elif how == 2 and -1000 < exponent < 1000:
        labels["exponent"], model["unit"] = exponent, 2.0**exponent
    elif how == 3:
        labels["log_link"] = not labels.get("log_link")
    else:
        name = chance.choice([name for name in names if name in arrays])
        number = chance.choice([*NUMBERS, 5e-324, 1e308, 0.5, 1.0 - 2.0**-53])
        if chance.random() < 0.5 and arrays[name].size:
            arrays[name].flat[chance.randrange(arrays[name].size)] = number
        else:
            arrays[name] = np.sort(np.append(arrays[name], chance.choice([number, 0.2])))


def flood(header, arrays, chance):
    """Many values, or deep ones: far more objects than bytes."""
    many = chance.choice([[[]] * 150_000, [{}] * 150_000, [0] * 1_200_000, deep(300)])
    place = chance.choice([header["model"]["state"], header["model"]["state"]["parameters"]])
    place[chance.choice(sorted(place))] = many


EDITS = [
    edit_history, edit_others, edit_coefficients, edit_probabilities, edit_trees, edit_trees,
    edit_numbers,
]  # fmt: skip

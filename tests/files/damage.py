"""Files that are wrong in all sorts of ways, and what must come of them.

`python -m tests.files.damage FIRST LAST` tries the cases with these numbers and prints what came of
them; a crash of the process is seen by whoever started it.
"""

import hashlib
import itertools
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

from tests.files.edits import EDITS, edit_array, edit_header, flood
from tests.files.models import OLD_FILES, old_path, samples, target
from tests.model.hand_made_trees import scores_by_hand
from underdog.estimators.support.inputs import prediction_table
from underdog.estimators.support.ranker import Ranker
from underdog.estimators.support.regressor import Regressor
from underdog.files import BadFile
from underdog.files.container import KEY, NO_DIGEST, unpack
from underdog.files.store import from_bytes, to_bytes
from underdog.inspection import contributions, interactions, rules
from underdog.model.compiled import compiles
from underdog.model.median import MedianEnsemble
from underdog.workers import Workers

NOWHERE = Path("damaged.udg")


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
    return {
        name: old_path(name).read_bytes() if name in OLD_FILES else to_bytes(model)[0]
        for name, (model, _) in samples().items()
    }


def case(number, intact):
    """(name of the sample, wrong file, whether no digest can be right)."""
    chance = random.Random(number)
    name = chance.choice(sorted(intact))
    data = intact[name]
    how = chance.randrange(10 + len(EDITS))
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
    if isinstance(model, Regressor | Ranker):
        ask_for_numbers(model, rows)
        return
    model.decision_function(rows)
    if hasattr(model, "predict_proba"):
        found = model.predict_proba(rows)
        assert ((found >= 0.0) & (found <= 1.0)).all(), "probabilities are not between 0 and 1"
    if hasattr(model, "staged_predict"):
        list(model.staged_predict(rows))
        for merged, by_label in itertools.product([False, True], repeat=2):
            model.describe(None, merged=merged, by_label=by_label)
        rules(model).to_dict()
        _ = model.feature_importances_
        if not compiles(model.model_.members):
            table = prediction_table(model, rows)
            expected = model._labels.decision(scores_by_hand(model.model_, table))
            assert np.array_equal(model.decision_function(rows), expected), "wrong scores"
            why = contributions(model, rows)
            # Steps near the limit of all scores: sums of credits may be rounded.
            assert np.allclose(why.decision, expected, atol=1e-6), "contributions do not add up"
            interactions(model, rows)


def ask_for_numbers(model, rows):
    """The same of a regressor; its numbers add up in the unit of the target."""
    predicted = model.predict(rows)
    *_, last = model.staged_predict(rows)
    assert np.array_equal(last, predicted), "the last stage is not the model"
    model.describe(None)
    _ = model.feature_importances_
    if isinstance(model.model_, MedianEnsemble):
        return
    rules(model).to_dict()
    scores = model.model_.scores(prediction_table(model, rows), Workers(1))
    assert np.array_equal(contributions(model, rows).scores, scores), "contributions do not add up"


def go_on(booster, name, before):
    """A warm start, which may fail only as a fit from the beginning does."""
    rows, y = samples()[name][1], target(name)
    if y is None or not same_columns(booster, before):
        return
    if (
        not isinstance(booster, Regressor | Ranker)
        and y.ndim == 1
        and len(booster.classes_) == len(before.classes_)
    ):
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
    """ "refused", or "loaded" if the model answers."""
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
            go_on(getattr(model, "estimator_", model), name, getattr(before, "estimator_", before))
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

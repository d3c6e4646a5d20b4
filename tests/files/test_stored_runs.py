"""What a file says of a run must be what a run leaves behind, so that a warm start can go on."""

import warnings

import numpy as np
import pytest

from tests.files.damage import NOWHERE, files, go_on, sealed
from tests.files.edits import boosters
from tests.files.models import numbers, samples, two_classes
from underdog import (
    AdaBoostClassifier,
    BoostingClassifier,
    LPBoostClassifier,
    NotConverged,
    TotalBoostClassifier,
    UnderdogWarning,
)
from underdog.combiners import LinearProgramme, Stagewise
from underdog.estimators.support.corrective import SoftMarginBooster
from underdog.files import BadFile, CannotStore
from underdog.files.container import unpack
from underdog.files.store import from_bytes, to_bytes

X = numbers()
Y = two_classes(X)
CORRECTIVE = ["margin", "entropy", "projected", "hard"]
STAGEWISE = ["columns", "classes", "labels", "weighted"]


@pytest.fixture(scope="module")
def intact():
    return files()


def changed(name, change, intact):
    """A sample with another state or other arrays, and the right digest."""
    header, arrays = unpack(NOWHERE, intact[name])
    change(next(boosters(header)), arrays)
    return sealed(header, arrays)


def assert_refused(name, change, message, intact):
    with pytest.raises(BadFile, match=message):
        from_bytes(changed(name, change, intact), NOWHERE)


@pytest.mark.parametrize("name", [*STAGEWISE, *CORRECTIVE, "costs", "threshold"])
def test_every_column_of_the_history_is_needed(name, intact):
    history = next(boosters(unpack(NOWHERE, intact[name])[0]))["history"]
    for column in history:

        def rename(state, _, column=column):
            state["history"][f"{column}s"] = state["history"].pop(column)

        assert_refused(name, rename, "the history has .* but that of", intact)


@pytest.mark.parametrize("name", [*STAGEWISE, *CORRECTIVE])
def test_columns_of_the_history_are_finite(name, intact):
    header, _ = unpack(NOWHERE, intact[name])
    for column in next(boosters(header))["history"]:
        for number in (np.nan, np.inf):

            def put(state, arrays, column=column, number=number):
                arrays[state["history"][column]["name"]][-1] = number

            if column in ("wrong_share", "ratio", "bound"):
                from_bytes(changed(name, put, intact), NOWHERE)
            else:
                assert_refused(name, put, "the history has a", intact)


def test_rounds_are_those_of_the_rules(intact):
    def rounds(state, _):
        state["rounds"] -= 1

    assert_refused("columns", rounds, "rounds of AdaBoostClassifier must be", intact)

    def shorter(state, arrays):
        for node in state["history"].values():
            arrays[node["name"]] = arrays[node["name"]][:-1]

    assert_refused("columns", shorter, "fewer rounds than the 4", intact)


def agree(arrays):
    """Make the steps the product of coefficients and values."""
    coefficients = np.repeat(arrays["model.coefficients"], arrays["model.leaves"])
    product = coefficients[:, np.newaxis] * arrays["model.values"]
    arrays["model.steps"][:] = np.rint(product * 2.0**36) / 2.0**36


def scaled(by):
    """Other coefficients, with steps that agree."""

    def change(_, arrays):
        arrays["model.coefficients"] *= by
        agree(arrays)
        if arrays["model.path"].size:
            arrays["model.path"][-len(arrays["model.coefficients"]) :] *= by

    return change


@pytest.mark.parametrize("name", STAGEWISE)
def test_steps_are_coefficients_times_values(name, intact):
    def change(_, arrays):
        arrays["model.coefficients"][0] *= 2.0

    assert_refused(name, change, "steps of Ensemble are not the coefficients times", intact)
    assert_refused(name, scaled(2.0), "coefficients in the history differ", intact)


@pytest.mark.parametrize("name", CORRECTIVE)
def test_corrective_coefficients_are_shares(name, intact):
    assert_refused(name, scaled(2.0), "negative or do not sum to 1", intact)
    assert_refused(name, scaled(-1.0), "negative or do not sum to 1", intact)

    def first(_, arrays):
        arrays["model.path"][0] = 0.5

    assert_refused(name, first, "negative or do not sum to 1", intact)

    def last(_, arrays):
        arrays["model.path"][-2:] = 0.5

    assert_refused(name, last, "path of Ensemble does not end with the coefficients", intact)

    def none(_, arrays):
        arrays["model.path"] = np.empty(0)

    assert_refused(name, none, "the path of coefficients that .* is missing", intact)


@pytest.mark.parametrize("name", CORRECTIVE)
@pytest.mark.parametrize("by", [1e-300, 0.5, 1e4, 1 + 2.0**-30])
def test_corrective_rules_are_of_size_one(name, by, intact):
    def change(_, arrays):
        arrays["model.values"][: arrays["model.leaves"][0]] *= by
        agree(arrays)

    assert_refused(name, change, "largest value of a rule is not 1", intact)


@pytest.mark.parametrize("column", ["edge", "best_edge", "primal_value", "dual_value", "loss"])
def test_edges_and_margins_are_at_most_one(column, intact):
    def change(_, arrays):
        arrays[f"history.{column}"][-1] = -1e9

    assert_refused("projected", change, f"absolute value above 1 in '{column}'", intact)


def test_a_stagewise_run_has_no_path_and_a_z_above_0(intact):
    def path(_, arrays):
        rounds = len(arrays["model.coefficients"])
        arrays["model.path"] = np.ones(rounds * (rounds + 1) // 2)

    assert_refused("columns", path, "never changes them", intact)

    def z(_, arrays):
        arrays["history.z"][0] = 0.0

    assert_refused("columns", z, "z that is not above 0", intact)


def test_rules_are_true_where_they_say(intact):
    def moved(_, arrays):
        cuts = arrays["model.schema.cuts"]
        number = int(np.flatnonzero(~np.isnan(arrays["model.thresholds"]))[0])
        place = int(np.flatnonzero(cuts == arrays["model.thresholds"][number])[0])
        arrays["model.thresholds"][number] = cuts[place - 1 if place else 1]

    def between(_, arrays):
        arrays["model.thresholds"] += 1e-3

    def missing(_, arrays):
        arrays["model.thresholds"][:] = np.nan

    for change in (moved, between, missing):
        assert_refused("classes", change, "thresholds of Ensemble do not say", intact)


@pytest.mark.parametrize(
    "name", ["__deepcopy__", "__class__", "predict", "n_estimators", "model_", "_x", "x_", "later_"]
)
@pytest.mark.parametrize("sample", ["columns", "margin", "hard"])
def test_a_class_has_only_what_it_learns(sample, name, intact):
    def change(state, _):
        state["others"][name] = 1.0

    assert_refused(sample, change, f"others of .* cannot have '{name}'", intact)


def test_what_a_class_learns_is_there_and_of_its_type(intact):
    def without(state, _):
        state["others"] = {}

    for name in CORRECTIVE:
        assert_refused(name, without, "others of .* must have 'converged_'", intact)
    for wrong in (1, "yes", None, [True]):

        def change(state, _, wrong=wrong):
            state["others"]["converged_"] = wrong

        assert_refused("margin", change, "must have 'converged_'", intact)
    for wrong in (True, 1, {"is": "float", "value": "nan"}):

        def hard(state, _, wrong=wrong):
            state["others"]["_hard_nu"] = wrong

        assert_refused("hard", hard, "must have '_hard_nu'", intact)

    def nu(state, _):
        state["others"]["_hard_nu"] = 2.0

    assert_refused("hard", nu, r"nu=2\.0 must be between 0 and 1", intact)


def test_something_that_is_learned_from_now_on_is_none_in_older_files(intact, monkeypatch):
    learns = SoftMarginBooster._learns | {"later_": float | None}
    monkeypatch.setattr(SoftMarginBooster, "_learns", learns)
    model = from_bytes(intact["margin"], NOWHERE)
    assert model.later_ is None
    model.later_ = 0.25
    assert from_bytes(to_bytes(model)[0], NOWHERE).later_ == 0.25


def test_attributes_that_fit_has_not_set_are_left_out():
    model = AdaBoostClassifier(n_estimators=2).fit(X, Y)
    model.__dict__["remark_"] = "mine"
    with pytest.warns(UnderdogWarning, match="remark_ of this AdaBoostClassifier were not set"):
        data, _ = to_bytes(model)
    assert not hasattr(from_bytes(data, NOWHERE), "remark_")


def test_the_certificate_has_its_numbers(intact):
    def without(state, _):
        state["certificate"].pop("gap")

    assert_refused("margin", without, "certificate of LPBoostClassifier must have", intact)

    def text(state, _):
        state["certificate"]["training_error"] = "none"

    assert_refused("columns", text, "cannot have 'none' for 'training_error'", intact)


def link(beta):
    return {"is": "Exponential", "state": {"parameters": {"beta": beta}}}


@pytest.mark.parametrize(
    ("sample", "name", "value", "message"),
    [
        ("columns", "link", link(5e-324), "link of AdaBoostClassifier multiplies scores"),
        ("columns", "log_odds_shift", 1e300, "log_odds_shift of AdaBoostClassifier must be"),
        ("columns", "log_odds_shift", "1", "log_odds_shift of AdaBoostClassifier must be"),
        ("margin", "link", link(1.0), "link of LPBoostClassifier must be a SoftMargin"),
    ],
)
def test_constants_of_probabilities(sample, name, value, message, intact):
    def change(state, _):
        state[name] = value

    assert_refused(sample, change, message, intact)


def test_weights_of_classes_are_logarithms(intact):
    def change(_, arrays):
        arrays["log_class_weight"][0] = -1e300

    assert_refused("classes", change, "too large for a logarithm", intact)


def test_labels_are_of_the_kind_that_fit_makes(intact):
    def change(state, arrays):
        state["labels"]["is"] = "OneOfKLabels"
        del state["labels"]["state"]["positive"]
        for name in ("model.steps", "model.values"):
            arrays[name] = np.repeat(arrays[name], 2, axis=1)
        arrays["model.start"] = np.zeros(2)

    for name in ("columns", "margin"):
        assert_refused(name, change, "labels of .* do not match the 2 of the model", intact)


@pytest.mark.parametrize("name", [*STAGEWISE, *CORRECTIVE])
def test_a_loaded_model_goes_on(name, intact):
    before = samples()[name][0]
    model = from_bytes(intact[name], NOWHERE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        go_on(model, name, before)
    assert model.n_iter_ > before.n_iter_ or before._finished


KINDS = {
    "early stopping": AdaBoostClassifier(
        n_estimators=20, early_stopping=True, n_iter_no_change=2, random_state=0
    ),
    "early stopping of margins": LPBoostClassifier(
        nu=0.4, tol=1e-3, early_stopping=True, n_iter_no_change=2, random_state=0
    ),
    "hard margin": TotalBoostClassifier(n_estimators=3),
}


@pytest.mark.parametrize("kind", KINDS)
def test_models_that_stopped_early_can_be_stored(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        model = KINDS[kind].fit(X, Y)
    loaded = from_bytes(to_bytes(model)[0], NOWHERE)
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("booster", [AdaBoostClassifier, LPBoostClassifier, TotalBoostClassifier])
def test_constant_models_can_be_stored(booster):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        model = booster(n_estimators=3).fit(np.ones((20, 1)), [0, 1] * 10)
    assert "constant" in model.stop_reason_
    loaded = from_bytes(to_bytes(model)[0], NOWHERE)
    np.testing.assert_array_equal(loaded.decision_function([[1.0]]), model.decision_function([[1]]))


class Noting(Stagewise):
    """A combiner of one's own that writes down something else."""

    def make_move(self, *args):
        move = super().make_move(*args)
        return move._replace(facts={**move.facts, "note": 1.0})


class Same(Stagewise):
    """A combiner of one's own that does nothing else."""


def test_a_model_that_could_not_be_loaded_again_is_not_stored(tmp_path):
    model = BoostingClassifier(combiner=Noting(), n_estimators=3).fit(X, Y)
    with pytest.raises(CannotStore, match=r"could not be loaded again: the history has .*'note'"):
        model.save(tmp_path / "model.udg")
    model = BoostingClassifier(n_estimators=3).fit(X, Y).set_params(combiner=LinearProgramme())
    with pytest.raises(CannotStore, match="parameters changed after it was fitted"):
        model.save(tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())
    own = BoostingClassifier(combiner=Same(), n_estimators=3).fit(X, Y)
    with pytest.warns(UnderdogWarning, match="combiner=Same"):
        own.save(tmp_path / "model.udg")

"""`underdog train` as a new user calls it."""

import json

import numpy as np
import pytest

import underdog
from tests.cli.examples import csv
from underdog.files import inspect


def test_it_says_what_it_found_and_how_good_it_is(trained):
    found = trained.train("data.csv")
    assert "data.csv: 60 rows\nclasses: 0: 30 (50.0%), 1: 30 (50.0%)\n" in found.stderr
    assert "  a: number, from " in found.stderr
    assert "  b: category, 3 different values\n" in found.stderr
    assert "positive class: 1\n" in found.stderr
    assert found.stderr.endswith("saved model.udg\n")
    for title in ("precision", "recall", "F1", "average precision", "ROC AUC", "Brier score"):
        assert f"\n{title} " in found.stdout
    assert "AdaBoostClassifier with 4 rules (" in found.stdout
    assert "Each rule adds to the score of '1'.\n" in found.stdout
    assert "precision, recall, F1 and average precision: of the positive class '1'" in found.stdout
    assert "Confusion matrix (rows: true class, columns: predicted class)" in found.stdout
    assert "The model predicts '1' if the score is above " in found.stdout


DEFAULT = ["train", "data.csv", "-t", "y", "--cv", "2", "--n-estimators", "20", "--force"]


def test_without_a_model_blended_trees_are_trained_beside_baselines(program):
    shown = program.run(*DEFAULT).stdout
    (titles,) = [line for line in shown.splitlines() if line.split()[:1] == ["blendedtrees"]]
    assert titles.split() == ["blendedtrees", "logistic", "regression*", "LightGBM*"]
    found = json.loads(program.run(*DEFAULT, "--json").stdout)
    assert list(found["baselines"]) == ["logistic regression", "LightGBM"]
    assert found["baselines"]["LightGBM"].keys() == found["measures"].keys()
    assert found["beside_baselines"] in " ".join(shown.split())
    size, changed, blend = found["choices"]
    assert size.startswith("60 rows and 2 columns: trees of depth 4 with random cuts")
    assert changed == "Options change this: n_estimators=20."
    assert blend == underdog.load("model.udg")[-1].about_blend()
    assert " ".join(found["choices"]) in " ".join(shown.split())
    inside = " ".join(program.run("inspect", "model.udg").stdout.split())
    assert f"what was chosen, and why: {' '.join(found['choices'])}" in inside
    assert f"beside baselines: {found['beside_baselines']}" in inside


def test_baselines_can_be_left_out(program):
    found = json.loads(program.run(*DEFAULT, "--no-baselines", "--json").stdout)
    assert not {"baselines", "beside_baselines", "ranked_by"} & set(found)
    assert "baselines" not in json.loads(program.run(*DEFAULT, "--cv", "0", "--json").stdout)


def test_a_baseline_that_fails_is_left_out(program, monkeypatch):
    def failing(*_, **__):
        raise MemoryError("too large")

    monkeypatch.setattr("sklearn.linear_model.LogisticRegression.fit", failing)
    found = program.run(*DEFAULT, "--json")
    assert found.stderr.count("The baseline logistic regression is left out") == 1
    assert list(json.loads(found.stdout)["baselines"]) == ["LightGBM"]


@pytest.mark.parametrize(
    ("labels", "options", "name", "reason"),
    [
        ("uv", "--learner discrete", "adaboost", "--learner discrete: AdaBoost, which has such"),
        ("uvw", "--learner tree", "blendedtrees", "rows and 2 columns"),
        ([f"c{i}" for i in range(31)], "", "adaboost", "31 classes: AdaBoost, because trees"),
        ("uv", "--max-depth 2 --set learning_rate=0.2", "blendedtrees", "max_depth=2"),
    ],
)
def test_what_the_default_depends_on(program, labels, options, name, reason):
    program.write("data.csv", csv(labels, 124))
    found = program.run(*DEFAULT, "--cv", "0", *options.split(), "--json").stdout
    assert json.loads(found)["algorithm"] == name
    assert reason in " ".join(json.loads(found)["choices"])


@pytest.mark.parametrize("name", ["adaboost", "gradientboosting", "logitboost", "lpuboost"])
def test_the_depth_of_trees_can_be_given(program, name):
    def deepest(*options):
        program.run("train", "data.csv", "-t", "y", "-m", name, "--cv", "0", "--n-estimators", "3",
                    "--force", *options)  # fmt: skip
        members = underdog.load("model.udg").steps[-1][1].model_.members
        trees = [each.hypothesis for each in members if hasattr(each.hypothesis, "leaves")]
        return max((len(leaf) for tree in trees for leaf in tree.leaves), default=1)

    assert deepest("--max-depth", "2") == 2
    assert deepest("--learner", "tree") == 3
    assert deepest("--learner", "tree", "--max-depth", "4") == 4
    assert deepest("--set", "learner=tree", "--set", "max_depth=2") == 2
    assert deepest("--learner", "real") == 1


def test_a_depth_is_not_for_stumps(program):
    command = ["train", "data.csv", "-t", "y", "--learner", "discrete", "--max-depth", "2"]
    for model in ([], ["-m", "adaboost"], ["-m", "gradientboosting"]):
        assert program.refused(*command, *model, code=2) == (
            "--max-depth is for trees, but the learner is 'discrete': leave one of them out"
        )


@pytest.mark.parametrize(
    "labels",
    [("0", "1"), ("1.0", "0.0"), ("true", "false"), ("a b", "c,d"), ("日本", "ä"), ("-1", "1"),
     ("[red]", "[/red]"), ("\x1b[31m", "x"), (" x", "x"), ("01", "1"), ("p", "q", "r")],
)  # fmt: skip
def test_labels_of_all_kinds(program, labels):
    quoted = [f'"{label}"' for label in labels]
    program.write("data.csv", csv(quoted))
    assert "\x1b" not in program.train("data.csv").output
    rows = program.run("predict", "model.udg", "data.csv", "-q", "--json")
    names = {str(row["prediction"]) for row in json.loads(rows.stdout)["rows"]}
    assert names <= {label.removesuffix(".0") for label in labels}
    assert len(names) > 1
    program.run("evaluate", "model.udg", "data.csv", "-q")
    program.run("explain", "model.udg", "data.csv", "--row", "1")
    assert "\x1b" not in program.run("inspect", "model.udg").stdout


@pytest.mark.parametrize("positive", ["0", "1"])
def test_either_class_can_be_the_positive_one(program, positive):
    program.train("data.csv", "--positive", positive)
    told = program.run("evaluate", "model.udg", "data.csv", "--json").stdout
    counts = json.loads(told)["confusion"]["counts"]
    place = int(positive)
    hits, missed = counts[place][place], counts[place][1 - place]
    measures = json.loads(told)["measures"]
    assert measures["recall"] == pytest.approx(hits / (hits + missed))
    assert measures["roc_auc"] > 0.6


@pytest.mark.parametrize(
    "choice", ["f1", "fbeta=2", "precision=0.8", "recall=0.9", "alarms=10", "alarms=0.2"]
)
def test_each_way_to_choose_a_threshold(program, choice):
    assert (
        f"(threshold chosen by {choice}".replace("f1", "F1")
        in program.train("data.csv", "--threshold", choice).stdout
    )


def test_costs_move_the_decision(program):
    def alarms(cost):
        program.train("data.csv", "--cost", cost)
        told = program.run("evaluate", "model.udg", "data.csv", "--json", "--cost", cost).stdout
        return sum(row[1] for row in json.loads(told)["confusion"]["counts"])

    assert alarms("fn=30") > alarms("fp=30")
    assert alarms("1:0=30") == alarms("fn=30,fp=1")


def test_costs_of_three_classes(program):
    program.write("data.csv", csv("uvw"))
    found = program.train("data.csv", "--cost", "u:w=9,w:u=3")
    assert "mean cost" in found.stdout
    message = program.refused(
        "train", "data.csv", "-t", "y", "-o", "new.udg", "--cost", "fn=2", code=2
    )
    assert message.startswith("--cost fn is for two classes, but there are 3: give the true and")


def test_without_folds(program):
    found = program.train("data.csv", "--cv", "0")
    assert "The model predicts '1' if the score is above 0.\n" in found.stdout
    assert "recall" not in found.stdout


def test_weights_are_numbers_of_examples(program):
    rows = csv().splitlines()
    program.write("twice.csv", "\n".join([rows[0], *rows[1:], *rows[1:21]]) + "\n")
    weighted = [f"{row},{1 + (place < 20)}" for place, row in enumerate(rows[1:])]
    program.write("weighted.csv", "\n".join([f"{rows[0]},w", *weighted]) + "\n")
    program.train("twice.csv", "--cv", "0", "-o", "twice.udg")
    program.train("weighted.csv", "--cv", "0", "--weight", "w", "-o", "weighted.udg")
    models = [underdog.load(f"{name}.udg").steps[-1][1] for name in ("twice", "weighted")]
    assert models[0].describe() == models[1].describe()


def test_roles_can_be_given(program):
    found = program.train("data.csv", "--text", "b", "--category", "a")
    assert "  a: category, as given\n" in found.stderr
    assert "  b: text, as given\n" in found.stderr
    assert "  a:" not in program.train("data.csv", "--ignore", "a").stderr


def test_what_columns_are_is_found_from_all_rows(program):
    """Not in each fold, where a column of numbers and one word may look like numbers."""
    program.write("data.csv", csv().replace("\n2.", "\ntwo", 1))
    found = program.train("data.csv")
    assert "  a: identifier (left out)" in found.stderr
    program.run("evaluate", "model.udg", "data.csv")


def test_the_same_command_leaves_the_same_bytes(trained):
    first = (trained.folder / "model.udg").read_bytes()
    trained.train("data.csv", "--jobs", "2", "--set", "n_jobs=None")
    assert (trained.folder / "model.udg").read_bytes() == first


def test_nu_is_found_or_given(program):
    margin, used = ["--model", "lpboost", "--cv", "0"], []
    for given in [], ["--set", "nu=auto"], ["--set", "nu=0.3"]:
        program.train("data.csv", *margin, *given)
        booster = underdog.load("model.udg").steps[-1][1]
        used.append((booster.nu, booster.nu_))
    assert used == [("auto", used[0][1]), ("auto", used[0][1]), (0.3, 0.3)]
    told = program.train("data.csv", *margin, "--set", "nu=2", code=1).stderr
    assert "nu=2 must be 'auto' or a number between 0 and 1" in told


def test_the_file_says_where_it_comes_from(trained):
    training = inspect("model.udg")["notes"]["training"]
    assert training["algorithm"] == "adaboost"
    assert training["target"] == "y"
    assert training["classes"] == {"0": 30, "1": 30}
    assert training["columns"] == {"a": "number", "b": "category"}
    assert training["measures"]["roc_auc"]["half_interval"] > 0


def test_small_classes(program):
    program.write("data.csv", csv(("u", "v")) + "1,u,lonely\n")
    assert "class 'lonely' has only one row and is left out" in program.train("data.csv").stderr
    assert (
        "3 classes:\n  lonely 1 (1.6%)\n  u 30 (" in program.train("data.csv", "--cv", "0").stderr
    )
    program.write("data.csv", csv(("u", "v")) + "1,u,pair\n2,v,pair\n")
    assert (
        "The smallest class has 2 rows, fewer than the 5 folds"
        in program.train("data.csv", "--cv", "5").stderr
    )
    program.write("data.csv", csv(("u",)) + "1,u,pair\n2,v,pair\n")
    assert (
        "'pair' has 2 examples: cv=5 is reduced to 2 folds"
        in program.train("data.csv", "--cv", "5").stderr
    )
    program.write("data.csv", csv(("u",)) + "1,u,lonely\n")
    message = program.refused("train", "data.csv", "-t", "y", "-o", "new.udg", code=3)
    assert message.startswith("data.csv: class 'lonely' has only one row")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--model adabost", "there is no model 'adabost': did you mean 'adaboost'?"),
        ("--set rounds=3 --model adaboost", "adaboost has no parameter 'rounds': the parameters "),
        ("--set n_estimator=3", "did you mean 'n_estimators'?"),
        ("--learner tre", "--learner tre: give one of real, discrete, "),
        ("--cv 1", "--cv 1: give at least 2 folds, or 0 for no cross-validation"),
        ("--positive 7", "there is no class '7': the classes are '0', '1'"),
        ("--cost fn", "--cost fn: give fn=20,fp=1"),
        ("--cost 0:7=2", "there is no class '7'"),
        ("--threshold best", "--threshold best: give f1, fbeta=B"),
        ("--threshold f1 --cost fn=2", "give --cost or --threshold, not both"),
        ("--threshold f1 --cv 0", "--threshold needs cross-validation: give --cv 2 or more"),
        ("-o nowhere/model.udg", "there is no folder nowhere"),
        ("-o .", "--output . is a folder"),
        ("-o data.csv", "--output data.csv is also an input: give another name"),
        ("-o data.csv --force", "--output data.csv is also an input: give another name"),
        ("--threshold recall=90", "--threshold recall=90: give a share above 0 and at most 1, as"),
        ("--set rate=2 -m adaboost", "adaboost has no parameter 'rate': the parameters are "),
        ("-m adaboost -m lpuboost", "--model is given 2 times: give one, or use underdog compare"),
    ],
)
def test_options_that_make_no_sense(program, arguments, message):
    told = program.refused("train", "data.csv", "-t", "y", *arguments.split(), code=2)
    assert message in told
    assert sorted(path.name for path in program.folder.iterdir()) == ["data.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "data.csv: which column is the class? Give its name, as in --target label; the "),
        ("-t z", "data.csv: there is no column 'z'"),
        ("-t y --ignore z", "data.csv: there is no column 'z'"),
        ("-t y --weight z", "data.csv: there is no column 'z'"),
        ("-t y --weight b", "data.csv, row 1 (the first data row is 1), column 'b': "),
        ("-t y --number b", "data.csv, row 1 (the first data row is 1), column 'b': "),
        ("-t y --text z", "data.csv: there is no column 'z'"),
        ("-t a --task classification", "are not classes: give --task regression to predict"),
    ],
)
def test_columns_that_make_no_sense(program, arguments, message):
    assert message in program.refused("train", "data.csv", *arguments.split(), code=3)
    assert sorted(path.name for path in program.folder.iterdir()) == ["data.csv"]


def test_an_algorithm_for_two_classes_is_refused_for_three(program):
    program.write("classes.csv", csv("uvw"))
    message = program.refused("train", "classes.csv", "-t", "y", "-m", "lpuboost", code=2)
    assert message == "lpuboost is for two classes, but there are 3: use --model adaboostmh"


def test_a_class_with_one_row_can_only_be_trained_on(program):
    program.write("one.csv", csv().replace(",1\n", ",0\n") + "3,u,1\n")
    message = program.refused("train", "one.csv", "-t", "y", code=3)
    assert message == (
        "one.csv: class 1 has only one row, but cross-validation needs two: add rows of this "
        "class, or use --cv 0"
    )
    program.run("train", "one.csv", "-t", "y", "--cv", "0", "--n-estimators", "3")


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_only_models_are_replaced(program, force):
    program.write("notes.txt", "a year of work")
    message = program.refused("train", "data.csv", "-t", "y", "-o", "notes.txt", *force, code=2)
    assert message == "--output notes.txt exists and is not a model: give another name"
    assert (program.folder / "notes.txt").read_text() == "a year of work"


def test_the_data_are_checked_before_the_model_file(trained):
    """What is wrong with the data comes first, and an existing model is kept."""
    before = (trained.folder / "model.udg").read_bytes()
    trained.write("wrong.csv", "a,y\n0.5,1.5\n0.7,1.5\n")
    message = trained.refused("train", "wrong.csv", "-t", "y", code=3)
    assert message.startswith("wrong.csv, column 'y': all 2 rows have the value 1.5")
    message = trained.refused("train", "data.csv", "-t", "y", code=2)
    assert message.startswith("model.udg exists: replace it with --force")
    assert (trained.folder / "model.udg").read_bytes() == before


def test_an_f1_of_zero_is_explained(program):
    rng = np.random.default_rng(0)
    rows = [f"{x:.3f},{'yes' if i % 60 == 0 else 'no'}" for i, x in enumerate(rng.normal(size=240))]
    program.write("rare.csv", "\n".join(["x,y", *rows]))
    found = program.train("rare.csv", "--cost", "fn=1,fp=1000")
    assert "\nF1                 0.000" in found.stdout
    assert "\nF1 is 0: no row was predicted as 'yes'\n" in found.stdout


def test_a_folder_that_cannot_be_written(program, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied", "model.udg.part")

    monkeypatch.setattr("underdog.cli.checkpoint.Checkpoint", refused)
    message = program.refused("train", "data.csv", "-t", "y", *program.fast, code=1)
    assert message == "model.udg.part cannot be written: Permission denied"


def test_a_model_that_has_learned_nothing_is_told(program):
    """A category that has nothing to do with a rare class: it is as frequent for every value."""
    rows = [f"{'uv'[i // 12 % 2]},{'yes' if i % 12 == 0 else 'no'}" for i in range(240)]
    program.write("noise.csv", "\n".join(["x,y", *rows]))
    found = program.train("noise.csv")
    assert "no better than the same prediction for every row" in found.output

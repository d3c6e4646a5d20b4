"""`--split-column`, `--group` and `--time`, which divide the rows of `train` and `compare`."""

import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from tests.cli.examples import csv, examples
from underdog.comparison.baselines import logistic


def divided(count=90, labels=("0", "1"), parts=("train", "train", "test")):
    """Rows with a person, a day and a part."""
    rows = [
        [*row, f"p{place // 3 % 12}", f"2024-{1 + place % 7:02}-{1 + place % 28:02}",
         parts[place // 2 % len(parts)]]
        for place, row in enumerate(examples(labels, count))
    ]  # fmt: skip
    return "a,b,y,who,day,split\n" + "".join(",".join(row) + "\n" for row in rows)


@pytest.fixture
def rows(program):
    program.write("rows.csv", divided())
    return program


IGNORED = ["--ignore", "who", "--ignore", "day"]


def summary(program, *arguments, data="rows.csv"):
    return json.loads(program.train(data, *arguments, "--json").stdout)


def test_the_test_part_is_held_out_and_measured_once(rows):
    found = rows.train("rows.csv", *IGNORED, "--split-column", "split")
    assert "rows.csv: 60 rows to train on, 30 held out (split = test)\n" in found.stderr
    assert "On the 30 held-out rows (split = test), which were not used before:" in found.stdout
    frame = pl.read_csv("rows.csv")
    train, test = (frame.filter(pl.col("split") == part) for part in ("train", "test"))
    test.write_csv("test.csv")
    measured = json.loads(rows.run("evaluate", "model.udg", "test.csv", "--json").stdout)
    told = summary(rows, *IGNORED, "--split-column", "split")
    assert told["held_out"]["measures"] == measured["measures"]
    assert told["held_out"]["intervals"] == measured["intervals"]
    low, high = measured["intervals"]["roc_auc"]
    value = measured["measures"]["roc_auc"]
    assert f"ROC AUC            {value:.3f} ({low:.3f} to {high:.3f})" in found.stdout
    assert told["held_out"]["confusion"] == measured["confusion"]
    assert told["rows"] == 60
    assert told["columns"] == {"a": "number", "b": "category"}
    assert "held-out rows: 30 (split = test): precision " in rows.run("inspect", "model.udg").stdout
    train.drop("split").write_csv("train.csv")
    alone = summary(rows, *IGNORED, data="train.csv")
    alone["seconds"] = told["seconds"]
    assert {name: told[name] for name in alone} == alone  # as if the test part were not there


def test_a_validation_part_is_trained_on(rows):
    rows.write("rows.csv", divided(parts=("train", "dev", "test")))
    found = rows.train("rows.csv", *IGNORED, "--split-column", "split")
    assert (
        "30 rows with split = dev are used for training, too: the model is chosen" in found.stderr
    )
    assert "60 rows to train on, 30 held out (split = test)" in found.stderr
    rows.write("rows.csv", divided(parts=("Training", "Validation")))
    found = rows.train("rows.csv", *IGNORED, "--split-column", "split")
    assert "held out (split = Validation)" in found.stderr


def test_any_value_can_be_held_out(rows):
    found = rows.train(
        "rows.csv", "--ignore", "day", "--split-column", "who=p3", "--ignore", "split"
    )
    assert "81 rows to train on, 9 held out (who = p3)" in found.stderr
    assert "  who:" not in found.stderr


def test_classes_that_are_only_in_the_test_part(rows):
    rows.write("rows.csv", divided() + "1,u,new,p1,2024-01-01,test\n")
    found = rows.train("rows.csv", *IGNORED, "--split-column", "split")
    assert "left out 1 held-out row of classes that are not in the training part: 'new'" in (
        found.stderr
    )
    rows.write("rows.csv", divided(labels="uvw") + 2 * "1,u,new,p1,2024-01-01,test\n"
               + "1,u,new,p1,2024-01-01,train\n")  # fmt: skip
    found = rows.train("rows.csv", *IGNORED, "--split-column", "split")
    assert "class 'new' has only one row and is left out" in found.stderr
    assert "left out 2 held-out rows of classes that are not in the training" in found.stderr


@pytest.mark.parametrize(
    ("parts", "option", "message"),
    [
        (("train", "test"), "splitt", "there is no column 'splitt': did you mean 'split'?"),
        (("a", "b"), "split", "column 'split': the values are 'a', 'b', but they must say which "),
        (("train", "x"), "split", "give the value of the rows to hold out, as in --split-column "),
        (("train", "training"), "split", "the values are 'train', 'training', but they must say"),
        (("train",), "split", "column 'split': no row is held out: the values are 'train'"),
        (("valid", "test"), "split", "column 'split': no row is for training: the values are "),
        (("train", "test"), "split=tst", "no row has the value 'tst': did you mean 'test'?"),
        (("test",), "split=test", "column 'split': all rows have the value 'test'"),
        (("train", ""), "split", "row 3 (the first data row is 1), column 'split': the value is "),
    ],
)  # fmt: skip
def test_parts_that_are_not_understood(rows, parts, option, message):
    rows.write("rows.csv", divided(parts=parts))
    command = ["train", "rows.csv", "-t", "y", "--split-column", option]
    assert message in rows.refused(*command, code=3)


def test_a_training_part_of_one_class(rows):
    rows.write("rows.csv", divided().replace(",0,", ",1,").replace(",1,", ",0,", 3))
    told = rows.refused("train", "rows.csv", "-t", "y", "--split-column", "who=p0", code=3)
    assert told.startswith("rows.csv, training part, column 'y': all 81 rows have the class 1")


def folds_seen(monkeypatch):
    """The folds that the next command makes."""
    from underdog.cli import plan

    seen, make = [], plan.make_folds

    def make_and_keep(*arguments):
        seen[:] = make(*arguments)
        return seen

    monkeypatch.setattr(plan, "make_folds", make_and_keep)
    return seen


@pytest.mark.parametrize("target", ["y", "a"])
def test_groups_are_in_one_fold(rows, monkeypatch, target):
    seen = folds_seen(monkeypatch)
    model = ["--model", "gradientboostingregressor" if target == "a" else "adaboost"]
    found = rows.train("rows.csv", *model, "--group", "who", "-t", target, "--ignore", "split",
                       "--ignore", "day", "--cv", "3")  # fmt: skip
    assert found.stdout.startswith(
        "Rows with the same value of 'who' are in the same fold (12 groups).\n3-fold cross-"
    )
    who = pl.read_csv("rows.csv")["who"].to_numpy()
    assert len(seen) == 3
    for train, test in seen:
        assert not set(who[train]) & set(who[test])
    assert "  who:" not in found.stderr


@pytest.mark.parametrize("target", ["y", "a"])
def test_folds_go_forward_in_time(rows, monkeypatch, target):
    seen = folds_seen(monkeypatch)
    model = ["--model", "gradientboostingregressor" if target == "a" else "adaboost"]
    command = ["--time", "day", "-t", target, "--ignore", "split", "--ignore", "who", "--cv", "3"]
    found = rows.train("rows.csv", *model, *command)
    assert found.stdout.startswith(
        "Folds go forward in time, by 'day': each is predicted by models that were trained on all "
    )
    day = pl.read_csv("rows.csv")["day"].to_numpy()
    assert len(seen) == 3
    for train, test in seen:
        assert day[train].max() < day[test].min()
    assert "  day:" not in found.stderr
    found = rows.train("rows.csv", *model, *command, "--date", "day")
    assert "  day: date, as given\n" in found.stderr


def test_a_threshold_or_costs_with_folds_forward_in_time(rows):
    command = ["--time", "day", "--ignore", "split", "--ignore", "who", "--cv", "3"]
    for more in (["--threshold", "recall=0.9"], ["--cost", "fn=5,fp=1"]):
        told = summary(rows, *command, *more)
        assert told["folds"] == 3
        assert sum(map(sum, told["confusion"]["counts"])) < 90  # the first block is not predicted


def test_the_order_of_rows_does_not_matter(rows):
    head, *lines = divided().splitlines()
    order = np.random.default_rng(0).permutation(len(lines))
    rows.write("mixed.csv", "\n".join([head, *(lines[place] for place in order)]) + "\n")
    for more in ([*IGNORED, "--split-column", "split"], ["--group", "who"], ["--time", "day"]):
        told = [summary(rows, *more, "--ignore", "split", data=name)
                for name in ("rows.csv", "mixed.csv")]  # fmt: skip
        for measure, values in told[0]["measures"].items():
            assert values == pytest.approx(told[1]["measures"][measure])
        assert told[0].get("held_out") == told[1].get("held_out")


@pytest.mark.parametrize("more", [["--group", "who"], ["--time", "day"],
                                  ["--split-column", "split", *IGNORED]])  # fmt: skip
def test_an_interrupted_training_continues(rows, stop_after, more):
    rest = [name for option in ("split", "who", "day") if option not in more
            for name in ("--ignore", option)]  # fmt: skip
    command = ["train", "rows.csv", "-t", "y", *rows.fast, *more, *rest]
    rows.run(*command, "-o", "whole.udg")
    stop_after(6)
    rows.run(*command, code=130)
    stop_after(0)
    told = rows.refused(*command[:-2], "--resume", code=2) if rest else ""
    assert not rest or told.startswith("model.udg.part was started with other data or options")
    rows.run(*command, "--resume")
    whole, resumed = ((rows.folder / name).read_bytes() for name in ("whole.udg", "model.udg"))
    assert whole == resumed


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            "--group who --time day",
            2,
            "give --group or --time, not both: each of them makes the fo",
        ),
        ("--group who --cv 0", 2, "--group makes folds, but --cv 0 asks for none: leave one out"),
        ("--group y", 2, "--group y is the target: give another column"),
        ("--group who --category who", 2, "--group who: this column is not a feature; leave its "),
        ("--group whom", 3, "there is no column 'whom': did you mean 'who'?"),
        (
            "--time who",
            3,
            "column 'who': this is category (12 different values), but --time needs ",
        ),
        ("--group b --ignore a --ignore who --ignore day --ignore split", 3, "no column besides"),
    ],
)
def test_columns_that_cannot_divide(rows, arguments, code, message):
    assert message in rows.refused("train", "rows.csv", "-t", "y", *arguments.split(), code=code)


def test_rows_without_a_group_or_a_time(rows):
    rows.write("rows.csv", divided().replace(",p2,", ",,", 1))
    told = rows.refused("train", "rows.csv", "-t", "y", "--group", "who", code=3)
    assert told.startswith("rows.csv, row 7 (the first data row is 1), column 'who': the value is ")
    rows.write("rows.csv", divided().replace("2024-03-03", "", 1))
    told = rows.refused("train", "rows.csv", "-t", "y", "--time", "day", code=3)
    assert told.startswith("rows.csv, row 3 (the first data row is 1), column 'day': the value is ")
    rows.write("rows.csv", csv().replace("\n", ",2\n").replace("y,2", "y,t"))
    told = rows.refused("train", "rows.csv", "-t", "y", "--time", "t", code=3)
    assert told.startswith("rows.csv, column 't': time has 1 different values, too few for folds")
    rows.write("rows.svm", "".join(f"{row % 2} 1:{row}\n" for row in range(20)))
    told = rows.refused("train", "rows.svm", "--group", "who", code=3)
    assert told == "rows.svm: svmlight has no column 'who', only features"


def test_groups_in_both_parts(rows):
    found = rows.train("rows.csv", "--group", "who", "--split-column", "split", "--ignore", "day")
    assert (
        "6 of the 12 values of 'who' are in the training part and in the held-out" in found.stderr
    )


@pytest.mark.parametrize("target", ["y", "a"])
def test_compare(rows, target):
    models = ["-m", "trees", "-m", "mean"] if target == "a" else ["-m", "adaboost"]
    command = ["compare", "rows.csv", "-t", target, *models, "--cv", "2", "--ignore", "day"]
    found = rows.run(*command, "--group", "who", "--split-column", "split")
    assert "Rows of the same group are in the same fold (12 groups)." in found.stdout
    _, last = found.stdout.split(
        "On the held-out rows (split = test), after training on all others:"
    )
    assert "±" not in last
    told = json.loads(
        rows.run(*command, "--group", "who", "--split-column", "split", "--json").stdout
    )
    assert told["folds_by"] == "Rows of the same group are in the same fold (12 groups)."
    assert list(told["held_out"]) == list(told["models"])
    first = told["held_out"][next(iter(told["models"]))]
    assert set(first) >= {"rmse" if target == "a" else "f1", "size"}


def test_a_class_that_ends_before_the_first_test_block(rows):
    """Its rows are only trained on, and nothing is a mean over no rows."""
    labels = ["uwx"[place % 3] if place < 20 else "wx"[place % 2] for place in range(100)]
    lines = [f"{place % 5},{label},{place}" for place, label in enumerate(labels)]
    rows.write("rows.csv", "\n".join(["a,y,t", *lines]) + "\n")
    told = summary(rows, "--time", "t", "--cv", "3")
    assert told["folds"] == 3
    assert [sum(counts) for counts in told["confusion"]["counts"]] == [0, 37, 38]


def test_one_held_out_row(rows):
    head, *lines = divided(parts=("train",)).splitlines()
    one = [*lines[:-1], lines[-1].replace("train", "test")]
    rows.write("rows.csv", "\n".join([head, *one]) + "\n")
    for target, model in (("y", "adaboost"), ("a", "gradientboostingregressor")):
        found = rows.train("rows.csv", "--model", model, "-t", target, "--split-column", "split")
        assert "On the 1 held-out row (split = test), which" in found.stdout


def test_held_out_numbers_have_intervals(rows):
    command = ["rows.csv", *IGNORED, "--model", "gradientboostingregressor", "-t", "a"]
    told = json.loads(rows.train(*command, "--split-column", "split", "--json").stdout)
    frame = pl.read_csv("rows.csv")
    frame.filter(pl.col("split") == "test").write_csv("test.csv")
    measured = json.loads(rows.run("evaluate", "model.udg", "test.csv", "--json").stdout)
    assert told["held_out"]["intervals"] == measured["intervals"]
    assert all(measured["intervals"].values())


def test_baselines_are_measured_on_held_out_rows(rows):
    command = ["train", "rows.csv", *IGNORED, "--split-column", "split", "--force"]
    command += ["--cv", "2", "--n-estimators", "5"]
    frame = pl.read_csv("rows.csv")
    train, test = (frame.filter(pl.col("split") == part) for part in ("train", "test"))
    found = rows.run(*command, "-t", "y", "--ignore", "b")
    assert "* a baseline, trained on the same rows and not saved\n" in found.stdout
    told = json.loads(rows.run(*command, "-t", "y", "--ignore", "b", "--json").stdout)["held_out"]
    last = logistic().fit(train["a"].to_numpy()[:, None], train["y"].to_numpy())
    X, y = test["a"].to_numpy()[:, None], test["y"].to_numpy()
    own = told["baselines"]["logistic regression"]
    area = roc_auc_score(y, last.predict_proba(X)[:, 1])
    assert own["measures"]["roc_auc"] == pytest.approx(area)
    assert own["measures"]["accuracy"] == pytest.approx(last.score(X, y))
    assert own["intervals"]["roc_auc"][0] < own["measures"]["roc_auc"]
    told = json.loads(rows.run(*command, "-t", "a", "--json").stdout)["held_out"]
    assert told["baselines"]["ridge regression"]["intervals"]["rmse"]


def test_a_baseline_that_fails_on_all_rows_is_left_out(rows, monkeypatch):
    def fail(*_, **__):
        raise ValueError("no")

    command = ["train", "rows.csv", *IGNORED, "-t", "y", "--split-column", "split", "--cv", "2"]
    monkeypatch.setattr("underdog.cli.held_out.fitted", fail)
    found = rows.run(*command, "--n-estimators", "5")
    assert "The baseline logistic regression is left out, because it failed: no" in found.stderr
    assert "95% confidence intervals in parentheses" in found.stdout
    assert "* a baseline, trained on the same rows" not in found.stdout


def test_rounds_are_chosen_by_the_same_groups(program):
    """Rows of a person are nearly equal: to leave out some of them says nothing about new ones."""
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(20), 8)
    X = rng.normal(size=(20, 3))[person] + 0.01 * rng.normal(size=(160, 3))
    y = rng.integers(2, size=20)[person]
    columns = {name: X[:, place] for place, name in enumerate("abc")}
    pl.DataFrame({**columns, "who": person, "y": y}).write_csv(program.folder / "rows.csv")
    blended = ["--model", "blendedtrees", "--set", "n_estimators=100"]
    by_row = summary(program, *blended, "--ignore", "who")
    by_group = summary(program, *blended, "--group", "who")
    assert "chosen on the given folds" in by_group["stop_reason"]
    assert by_group["rules"] < by_row["rules"]

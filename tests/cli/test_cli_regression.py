"""Numbers as targets: every command."""

import json
import re
import sys
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance, r2_score
from typer.testing import CliRunner

import underdog
from tests.cli.page import RUNNER
from tests.cli.terminal import in_terminal, lines_of
from underdog.cli.algorithms import algorithm, regressors
from underdog.cli.app import app
from underdog.cli.checkpoint import KEY
from underdog.comparison.names import REDUCTIONS
from underdog.files import inspect

FAST = ["--n-estimators", "5", "--cv", "2"]


def table(count=120, scale=1.0):
    """Two numbers and a category that tell something about a real number."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, count))
    c = rng.integers(3, size=count)
    y = scale * (3.0 * a + b**2 + 2.0 * (c == 1) + rng.normal(scale=0.3, size=count))
    return pl.DataFrame({"a": a, "b": b, "c": ["uvw"[i] for i in c], "y": y})


@pytest.fixture
def numbers(program):
    """A folder with numbers.csv and a model of it."""
    program.write("numbers.csv", table().write_csv())
    program.run("train", "numbers.csv", "-t", "y", "-m", "gradientboosting", *FAST)
    return program


def told(program, *command):
    return json.loads(program.run(*command, "--json").stdout)


def test_numbers_are_found(numbers):
    found = numbers.run("train", "numbers.csv", "-t", "y", "--force", *FAST)
    assert "note: y has 120 different numbers: regression\n" in found.stderr
    assert re.search(r"\ny: from -\d.* to \d.*, mean .*, median ", found.stderr)
    for part in (
        "2-fold cross-validation",
        "blendedtreesregressor  ridge regression*",
        "RMSE",
        "Models are ranked by RMSE",
        "* a baseline, measured on the same folds and not saved",
        "Residuals",
        "Each rule adds to the prediction, which starts from ",
    ):
        assert part in found.stdout  # fmt: skip
    assert "class" not in found.stdout


@pytest.mark.parametrize(
    ("values", "task", "note"),
    [
        (lambda i: i % 3 * 0.5, "regression", "y has 3 different numbers: regression"),
        (lambda i: i % 2, "classification", ""),
        (lambda i: i % 30, "classification",
         "y has 30 different whole numbers, and each of them is a class; --task regression"),
        (lambda i: i % 31 - 1, "regression",
         "y has 31 different whole numbers: regression; --task classification makes each of them"),
        (lambda i: i % 31, "regression", "; if they are counts, --loss poisson may be better"),
        (lambda i: i if i < 12 else 0, "regression",
         "y has 12 different whole numbers, of which some occur once, as counts do: regression"),
        (lambda i: i if i < 24 else i // 2 % 12, "regression", "of which some occur once"),
        (lambda i: i // 2 % 24, "classification", "y has 24 different whole numbers, and each"),
        (lambda i: "uv"[i % 2], "classification", ""),
        (lambda i: f"{i / 7:.3f}" if i % 9 else "NA", "regression", "different numbers: regr"),
    ],
)  # fmt: skip
def test_what_is_taken_as_numbers(program, values, task, note):
    rows = "".join(f"{i % 13},{values(i)}\n" for i in range(124))
    program.write("data.csv", f"a,y\n{rows}")
    found = program.run("train", "data.csv", "-t", "y", *FAST, "--json")
    assert json.loads(found.stdout)["task"] == task
    assert note in " ".join(found.stderr.split())
    assert bool(note) == ("y has" in found.stderr)


def test_the_task_can_be_given(program):
    program.write("data.csv", "a,y\n" + "".join(f"{i % 7},{i % 40}\n" for i in range(120)))
    command = ["train", "data.csv", "-t", "y", "--cv", "0", "--n-estimators", "2", "--force"]
    assert told(program, *command)["task"] == "regression"
    assert told(program, *command, "--task", "classification")["task"] == "classification"
    program.write("few.csv", "a,y\n" + "".join(f"{i % 7},{i % 2}\n" for i in range(60)))
    command[1] = "few.csv"
    assert told(program, *command)["task"] == "classification"
    assert told(program, *command, "--task", "regression")["task"] == "regression"
    assert told(program, *command, "--loss", "poisson")["task"] == "regression"
    assert told(program, *command, "-m", "gradientboostingregressor")["task"] == "regression"


def test_measures_are_those_of_scikit_learn(numbers):
    frame, model = table(), underdog.load("model.udg")
    y, predicted = frame["y"].to_numpy(), model.predict(frame)
    found = told(numbers, "evaluate", "model.udg", "numbers.csv")
    measures = found["measures"]
    assert list(measures) == ["rmse", "mae", "r2"]
    assert measures["rmse"] == pytest.approx(np.sqrt(np.mean((y - predicted) ** 2)))
    assert measures["mae"] == pytest.approx(np.mean(np.abs(y - predicted)))
    assert measures["r2"] == pytest.approx(r2_score(y, predicted))
    deciles = found["deciles"]
    assert sum(each["rows"] for each in deciles) == found["rows"] == 120
    assert all(one["highest"] < two["lowest"] for one, two in pairwise(deciles))
    lowest = predicted <= deciles[0]["highest"]
    residual = y[lowest] - predicted[lowest]
    assert deciles[0]["mean_residual"] == pytest.approx(residual.mean())
    assert deciles[0]["mean_observed"] == pytest.approx(y[lowest].mean())
    assert deciles[0]["median_absolute_residual"] == pytest.approx(np.median(np.abs(residual)))


def test_predictions_have_all_digits(numbers):
    rows = told(numbers, "predict", "model.udg", "numbers.csv")["rows"]
    expected = underdog.load("model.udg").predict(table()).tolist()
    assert [row["prediction"] for row in rows] == expected
    shown = numbers.run("predict", "model.udg", "numbers.csv", "--keep", "a").stdout
    assert shown.splitlines()[0] == "a,prediction"


def test_quantiles(numbers):
    command = ["train", "numbers.csv", "-t", "y", "--force", *FAST, "--quantiles", "0.9,0.1,0.5"]
    trained = told(numbers, *command)
    assert trained["quantiles"] == [0.1, 0.5, 0.9]
    assert trained["measure"] == "pinball"
    assert trained["baseline"]["name"] == "quantiles"
    made = numbers.run("predict", "model.udg", "numbers.csv").stdout.splitlines()
    assert made[0] == "quantile 0.1,quantile 0.5,quantile 0.9"
    y, predicted = table()["y"].to_numpy(), np.array([line.split(",") for line in made[1:]], float)
    found = told(numbers, "evaluate", "model.udg", "numbers.csv")
    losses = [mean_pinball_loss(y, predicted[:, k], alpha=q) for k, q in enumerate((0.1, 0.5, 0.9))]
    assert found["measures"]["pinball"] == pytest.approx(np.mean(losses))
    inside = (y >= predicted[:, 0]) & (y <= predicted[:, 2])
    assert found["measures"]["coverage"] == pytest.approx(inside.mean())
    assert found["measures"]["mae"] == pytest.approx(np.mean(np.abs(y - predicted[:, 1])))
    assert found["quantiles_below"][2]["at_or_below"] == pytest.approx(
        np.mean(y <= predicted[:, 2])
    )
    why = told(numbers, "explain", "model.udg", "numbers.csv", "--row", "2")
    assert why["score"]["quantile 0.9"] == pytest.approx(predicted[1, 2])


def test_one_quantile_has_no_rmse(numbers):
    numbers.run("train", "numbers.csv", "-t", "y", "--force", *FAST, "--quantiles", "0.9")
    found = told(numbers, "evaluate", "model.udg", "numbers.csv")
    assert list(found["measures"]) == ["pinball", "coverage"]


def test_counts(program):
    rng = np.random.default_rng(0)
    a = rng.normal(size=200)
    y = rng.poisson(np.exp(1.0 + a))
    program.write("data.csv", pl.DataFrame({"a": a, "y": y}).write_csv())
    trained = told(program, "train", "data.csv", "-t", "y", "--loss", "poisson", *FAST)
    assert trained["measure"] == "deviance"
    predicted = underdog.load("model.udg").predict(pl.DataFrame({"a": a}))
    found = told(program, "evaluate", "model.udg", "data.csv")
    assert found["measures"]["deviance"] == pytest.approx(mean_poisson_deviance(y, predicted))
    shown = program.run("explain", "model.udg", "data.csv", "--row", "1").stdout
    assert "exp of the total" in shown
    assert "log of the prediction:" in shown
    program.write("less.csv", "a,y\n" + "".join(f"{i},{i - 3}\n" for i in range(60)))
    message = program.refused("train", "less.csv", "-t", "y", "--loss", "poisson", code=3)
    assert message.startswith("less.csv, row 1 (the first data row is 1), column 'y': -3 is neg")


@pytest.mark.parametrize(
    ("loss", "measure", "baseline"),
    [("squared", "rmse", "mean"), ("absolute", "mae", "median"), ("huber", "mae", "median")],
)
def test_the_measure_suits_the_loss(numbers, loss, measure, baseline):
    found = told(numbers, "train", "numbers.csv", "-t", "y", "--force", *FAST, "--loss", loss)
    assert (found["measure"], found["ranked_by"]) == (measure, measure)
    assert found["baseline"]["name"] == baseline
    assert list(found["baselines"]) == ["ridge regression", "LightGBM"]
    assert found["algorithm"] == "blendedtreesregressor"
    best = found["measures"][measure]["mean"]
    assert best < found["baseline"]["measures"][measure]["mean"]


def test_contributions_add_up_to_the_prediction(numbers):
    rows = told(numbers, "predict", "model.udg", "numbers.csv")["rows"]
    for by in ([], ["--by-rule"]):
        why = told(numbers, "explain", "model.udg", "numbers.csv", "--row", "7", *by)
        assert why["score"]["prediction"] == rows[6]["prediction"]
        parts = [each["adds"]["prediction"] for each in why["contributions"]]
        assert why["baseline"]["prediction"] + sum(parts) == pytest.approx(rows[6]["prediction"])


def test_the_hardest_rows_have_the_largest_residuals(numbers):
    y = table()["y"].to_numpy()
    residual = np.abs(y - underdog.load("model.udg").predict(table()))
    found = told(numbers, "explain", "model.udg", "numbers.csv", "--hardest", "3")
    assert [each["row"] for each in found["examples"]] == (np.argsort(-residual)[:3] + 1).tolist()


def test_compare(numbers):
    command = ["compare", "numbers.csv", "-t", "y", "--cv", "3"]
    few = ["-m", "stumps", "-m", "mean"]
    found = told(numbers, *command, *few)
    assert found["main_measure"] == "rmse"
    assert set(found["models"]) == {"stumps", "mean"}
    assert {"rmse", "mae", "r2"} <= set(found["models"]["stumps"])
    assert "f1" not in found["models"]["stumps"]
    shown = numbers.run(*command, *few).stdout
    assert "Models are ranked by RMSE" in shown
    assert "stumps is better than mean in RMSE" in shown
    message = numbers.refused(*command, "-m", "gentleadaboost", code=2)
    assert message.startswith(
        "there is no model 'gentleadaboost' for numbers: the models are 'BlendedT"
    )
    found = told(numbers, *command, "-m", "mean", "-m", "ridge regression")
    assert set(found["models"]) == {"mean", "ridge regression"}  # it takes categories


def test_compare_other_boosters(numbers):
    """Those that have no gradient of a loss are compared by name, as underdog list writes it."""
    names = [name for name in regressors() if "trees" not in name and "gradient" not in name]
    options = [option for name in names for option in ("-m", name)]
    command = ["compare", "numbers.csv", "-t", "y", "--cv", "2"]
    found = told(numbers, *command, *options, "-m", "AdaBoostR2Regressor", "-m", "mean")
    assert set(found["models"]) == {*REDUCTIONS, "mean"}
    assert len(names) == len(REDUCTIONS) == 6
    rmse = {name: each["rmse"]["mean"] for name, each in found["models"].items()}
    assert max(rmse, key=rmse.get) == "mean"
    message = numbers.refused(*command, "-m", "squarelev", "--loss", "quantile", code=2)
    assert message.startswith("there is no model 'SquareLev' for numbers: the models are 'BlendedT")


def test_a_comparison_can_be_continued(numbers):
    command = ["compare", "numbers.csv", "-t", "y", "--cv", "2", "-m", "trees", "--checkpoint", "c"]
    first = told(numbers, *command)
    assert told(numbers, *command) == first
    message = numbers.refused(*command, "--loss", "absolute", code=1)
    assert "does not belong to this comparison" in message


def test_list_and_inspect(numbers):
    shown = numbers.run("list").stdout
    assert (
        shown.index("For classes") < shown.index("For numbers") < shown.index("gradientboostingr")
    )
    assert told(numbers, "list")["gradientboostingregressor"]["task"] == "regression"
    inside = numbers.run("inspect", "model.udg").stdout
    for part in ("task: regression", "algorithm: gradientb", "values of the target"):
        assert f"\n  {part}" in inside
    assert "deciles" not in inside


@pytest.mark.parametrize(
    ("option", "code"),
    [("--positive 1", 2), ("--cost fn=2,fp=1", 2), ("--threshold f1", 2), ("-m lpuboost", 2),
     ("--loss cubic", 2), ("--quantiles 2", 2), ("--quantiles x", 2), ("--task numbers", 2),
     ("--loss absolute --quantiles 0.5", 2), ("--task classification --loss huber", 2),
     ("--set nu=3", 2)],
)  # fmt: skip
def test_options_that_make_no_sense(program, option, code):
    program.write("numbers.csv", table().write_csv())
    words = option.split()
    result = program.run("train", "numbers.csv", "-t", "y", *words, code=code)
    assert (words[0] if words[0] != "-m" else "--model") in " ".join(result.stderr.split())
    assert not (program.folder / "model.udg").exists()


def test_class_options_are_refused_with_a_reason(numbers):
    message = numbers.refused("train", "numbers.csv", "-t", "y", "-o", "n.udg", "--positive", "1",
                              code=2)  # fmt: skip
    assert message == (
        "--positive is for classes, but y is predicted as a number: leave --positive out, or give "
        "--task classification"
    )
    message = numbers.refused("evaluate", "model.udg", "numbers.csv", "--cost", "fn=2,fp=1", code=2)
    assert message == "--cost is for classes, but model.udg predicts numbers: leave it out"


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ("1,1.5\n2,\n3,2.5\n", "", ""),
        ("1,1.5\n", "", "column 'y': there is only one row with a value"),
        ("1,1.5\n2,1.5\n", "", "column 'y': all 2 rows have the value 1.5: there is nothing"),
        ("1,1.5\n2,inf\n3,0.5\n", "", "row 2 (the first data row is 1), column 'y': the target"),
        ("1,\n2,\n", "--task regression", "column 'y': no row has a value"),
        ("1,u\n2,3\n", "--task regression", "row 1 (the first data row is 1), column 'y': 'u' is "),
        ("".join(f"{i},{i / 7}\n" for i in range(40)) + "1,dear\n", "",
         "row 41 (the first data row is 1), column 'y': 'dear' is not a number, but 40 other"),
    ],
)  # fmt: skip
def test_targets_that_make_no_sense(program, rows, options, message):
    program.write("data.csv", f"a,y\n{rows}")
    command = ["train", "data.csv", "-t", "y", "--cv", "2", "--n-estimators", "2", *options.split()]
    if message:
        assert program.refused(*command, code=3).startswith(f"data.csv, {message}")
        return
    note = "note: left out 1 row without a value of the target; the first is row 2"
    assert note in program.run(*command).stderr


def test_fewer_rows_than_folds(program):
    program.write("data.csv", "a,y\n1,0.5\n2,1.5\n3,1.25\n")
    found = program.run("train", "data.csv", "-t", "y", "--n-estimators", "2")
    assert "There are 3 rows, so there are 3 folds and not 5." in found.stderr


def test_noise_is_told(program):
    rng = np.random.default_rng(1)
    program.write("data.csv", pl.DataFrame({"a": rng.normal(size=90), "y": rng.normal(size=90)})
                  .write_csv())  # fmt: skip
    found = program.run("train", "data.csv", "-t", "y", "-m", "gradientboosting", "--cv", "3")
    assert "no better than the same prediction for every row" in found.stdout


def test_every_command_in_a_narrow_terminal(program):
    """Of tiny and of huge numbers; of others docs/cli.md shows it."""
    scales = (1e-9, 1e9)
    for scale in scales:
        program.write(f"{scale}.csv", table(scale=scale).write_csv())
    commands = [
        "train data.csv -t y --cv 2 --n-estimators 5 --force",
        "evaluate model.udg data.csv",
        "explain model.udg",
        "explain model.udg data.csv --row 3",
        "explain model.udg data.csv --row 3 --by-rule",
        "explain model.udg data.csv --hardest 3",
        "explain model.udg data.csv --needed",
        "inspect model.udg",
        "compare data.csv -t y --cv 2 -m trees -m mean",
        "list gradientboostingregressor",
    ]
    asked = [
        f"underdog {command}".replace("data.csv", f"{scale}.csv")
        for scale in scales
        for command in commands
    ]
    _, shown = in_terminal(80, *asked, program=[sys.executable, "-c", RUNNER])
    lines = lines_of(shown)
    assert [line for line in lines if "ended with" in line] == [
        f"{number} ended with 0" for number in range(len(asked))
    ]
    assert max(len(line.rstrip()) for line in lines) <= 80


def test_a_stopped_training_is_continued(program, stop_after):
    """In the folds and in the last fit, with the same bytes in the end."""
    program.write("numbers.csv", table().write_csv())
    command = ["train", "numbers.csv", "-t", "y", "-m", "gradientboosting", "--n-estimators", "6",
               "--cv", "2"]  # fmt: skip
    program.run(*command, "-o", "whole.udg")
    stop_after(9)  # in the second of three fits
    program.run(*command, code=130)
    assert (program.folder / "model.udg.part").exists()
    stop_after(6 + 3)  # in the last fit
    program.run(*command, "--resume", code=130)
    assert KEY in inspect("model.udg")["notes"]
    assert underdog.load("model.udg")[-1].n_iter_ == 3
    stop_after(-1)
    message = program.refused(*command, "--resume", "--loss", "absolute", code=2)
    assert "was started with other data or options" in message
    program.run(*command, "--resume")
    whole, model = ((program.folder / name).read_bytes() for name in ("whole.udg", "model.udg"))
    assert whole == model


@pytest.mark.parametrize("name", regressors())
def test_every_regressor(program, name):
    """It is trained, and measured; what cannot be explained is refused in a sentence."""
    program.write("numbers.csv", table().write_csv())
    found = program.run("train", "numbers.csv", "-t", "y", "-m", name, *FAST)
    assert f"{regressors()[name]} with " in found.stdout
    rows = told(program, "predict", "model.udg", "numbers.csv")["rows"]
    assert len(rows) == 120
    measured = told(program, "evaluate", "model.udg", "numbers.csv")
    assert measured["measures"]["r2"] > 0.3
    program.run("explain", "model.udg")
    for option in (["--row", "2"], ["--hardest", "2"], ["--needed"], ["--columns"]):
        command = ["explain", "model.udg", "numbers.csv", *option]
        shown = CliRunner().invoke(app, command)
        assert shown.exit_code in (0, 2), shown.output
        assert shown.exit_code == 0 or f"{option[0]} has nothing to show" in " ".join(
            shown.output.split()
        )
    assert regressors()[name] in program.run("list", name).stdout


@pytest.mark.parametrize("name", [name for name in regressors() if algorithm(name)._can_continue])
def test_the_last_fit_is_continued(program, stop_after, name):
    program.write("numbers.csv", table().write_csv())
    command = ["train", "numbers.csv", "-t", "y", "-m", name, "--n-estimators", "6", "--cv", "0"]
    if "hull" in name:  # else folds choose the radius before the last fit
        command += ["--set", "radius=4"]
    program.run(*command, "-o", "whole.udg")
    stop_after(2)
    program.run(*command, code=130)
    assert underdog.load("model.udg")[-1].n_iter_ == 2
    stop_after(-1)
    program.run(*command, "--resume")
    whole, model = ((program.folder / each).read_bytes() for each in ("whole.udg", "model.udg"))
    assert whole == model


def test_the_share_of_sorted_quantiles_is_reported(numbers):
    """A few rounds of quantiles that are close to each other cross in some rows."""
    close = ["--quantiles", "0.48,0.49,0.5,0.51,0.52", "-m", "gradientboostingregressor"]
    rounds = ["--cv", "0", "--n-estimators", "60"]
    numbers.run("train", "numbers.csv", "-t", "y", "--force", *rounds, *close)
    found = json.loads(numbers.run("evaluate", "model.udg", "numbers.csv", "--json").stdout)
    assert 0.0 < found["crossing"] < 1.0
    said = f"crossed, and were sorted, in {found['crossing']:.1%} of the"
    assert f"Quantiles {said} rows.\n" in numbers.run("evaluate", "model.udg", "numbers.csv").stdout
    assert (
        f"note: quantiles {said} predictions"
        in numbers.run("predict", "model.udg", "numbers.csv").stderr
    )

"""The experiment on defaults: scores, ranks and verdicts by hand, cells, and its page."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

from experiments.defaults import __main__ as command
from experiments.defaults import inputs, report, runs, scores, verdicts, views
from experiments.defaults.kinds import BINARY, MULTICLASS, MULTILABEL, NUMBER, QUANTILES
from experiments.defaults.models import MODELS, SLOW_FOLDS
from experiments.defaults.tasks import CHECK, DEVELOPMENT, FOLDS, PAIRS, SHORT, TASKS, Task, find
from tests.experiments.corpus import DATA

with_data = pytest.mark.skipif(not (DATA / "uci").exists(), reason="the data are not here")
SLOW = {"ebm", "easy-ensemble"}


def test_every_source_is_in_one_half():
    for family, pairs in PAIRS.items():
        listed = [source for pair in pairs for source in pair if source]
        used = {task.source for task in find(family=family)}
        assert len(listed) == len(set(listed))
        assert set(listed) == used
    assert TASKS["imbalanced/glass0"].half == TASKS["uci/glass"].half == DEVELOPMENT
    assert TASKS["uci/breast-cancer-w"].source == TASKS["imbalanced/wisconsin"].source
    assert TASKS["imbalanced/ecoli4"].half == CHECK


def test_an_unknown_set_is_refused():
    with pytest.raises(SystemExit, match="no sets are called 'nothing': give one of imbalanced"):
        find(["nothing"])


@with_data
@pytest.mark.parametrize(
    "name", ["imbalanced/glass5", "uci/audiology", "multilabel/medical", "regression/german"]
)
def test_folds_part_the_rows(name):
    task = TASKS[name]
    folds = task.folds()
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == [*range(len(task.y))]
    assert len(folds) == FOLDS
    if task.kind in (BINARY, MULTICLASS):
        classes = np.arange(task.y.max() + 1).tolist()
        assert all(np.unique(task.y[test]).tolist() == classes for _, test in folds)


def test_cost_by_hand():
    y_train = np.repeat([0, 1], [30, 10])  # a false negative costs 3: yes above 1/4
    y = np.array([0, 0, 0, 1])
    assert scores.cost(y_train, y, np.array([0.1, 0.3, 0.2, 0.24])) == pytest.approx(4 / 3)
    assert scores.cost(y_train, y, np.array([0.1, 0.3, 0.2, 0.26])) == pytest.approx(1 / 3)


def test_balanced_error_by_hand():
    y_train = np.repeat([0, 1, 2], [8, 1, 1])
    y = np.array([0, 0, 1, 2])
    told = np.array([[0.9, 0.05, 0.05], [0.7, 0.2, 0.1], [0.7, 0.2, 0.1], [0.8, 0.1, 0.1]])
    found = scores.judge_classes(y_train, y, told.argmax(axis=1), told)
    assert found["cost"] == pytest.approx((0.5 + 0.0 + 1.0) / 3 * 3 / 2)
    assert found["f1"] == pytest.approx((4 / 6) / 3)


def test_a_label_that_is_constant_is_left_out():
    Y = np.array([[1, 0], [0, 0], [1, 0], [0, 0]])
    told = np.array([[0.9, 0.1], [0.2, 0.1], [0.8, 0.2], [0.1, 0.3]])
    found = scores.judge(MULTILABEL, Y, Y, scores.Predicted(told > 0.5, told))
    assert found["ap"] == found["f1"] == 1.0
    assert found["brier"] == pytest.approx((0.01 + 0.04 + 0.04 + 0.01) / 4)


def test_numbers_are_in_units_of_the_target():
    y = np.array([0.0, 20.0])
    unit = scores.judge(NUMBER, y, y, scores.Predicted(y + 5.0))
    assert unit == pytest.approx({"rmse": 0.5, "mae": 0.5})
    wide = np.column_stack([y - 10.0, y, y + 10.0])
    found = scores.judge(QUANTILES, y, y, scores.Predicted(wide))
    assert found == pytest.approx({"pinball": (0.1 + 0.0 + 0.1) / 3, "coverage": 1.0})


def view(values, measure="ap", kinds=(BINARY,)):
    """One task per source and kind, on which the models have these values (sources, models)."""
    names = [*MODELS][: len(values[0])]
    tasks, cells = {}, {}
    for place, row in enumerate(values):
        for kind in kinds:
            task = Task(f"uci/{place}-{kind}", kind, f"source {place}")
            tasks[task] = range(2)
            for model, value in zip(names, row, strict=True):
                for fold in range(2):
                    cells[runs.name(task.name, model, fold)] = {measure: value + 0.01 * fold}
    return views.View(cells, tasks, names)


def test_ranks_by_hand():
    values = [[0.9, 0.5, 0.7], [0.2, 0.2, 0.1]]
    assert view(values).ranks("ap").tolist() == [[1.0, 1.5], [3.0, 1.5], [2.0, 3.0]]
    assert view(values, "cost").ranks("cost").tolist() == [[3.0, 2.5], [1.0, 2.5], [2.0, 1.0]]
    assert view(values).means("ap") == pytest.approx([0.555, 0.355, 0.405])
    both = view(values, kinds=(BINARY, MULTICLASS))
    assert both.sources == ["source 0", "source 1"]
    assert both.ranks("ap").tolist() == view(values).ranks("ap").tolist()


def test_verdicts_by_hand():
    assert verdicts.verdict(np.array([1.0, 2.0, 1.0, 3.0, 1.0])) == verdicts.AHEAD
    assert verdicts.verdict(np.array([-1.0, -2.0, -1.0, -3.0, -1.0])) == verdicts.BEHIND
    assert verdicts.verdict(np.array([-1.0, 2.0, -1.0, 3.0, -1.0])) == verdicts.UNDECIDED
    assert verdicts.verdict(np.array([1.0, 2.0, 1.0])) == verdicts.UNDECIDED  # few sources


def test_folds_that_a_peer_has_not_finished_are_left_out():
    tasks = find(["uci/iris", "uci/labor"])
    cells = {
        runs.name(task.name, model, fold): {"ap": 0.5}
        for task in tasks
        for model in ("lightgbm", "xgboost", "adaboost")
        for fold in range(FOLDS)
    }
    assert views.complete(cells, tasks).tasks == tasks
    assert views.complete(cells, tasks).models == ["lightgbm", "xgboost", "adaboost"]
    del cells["uci/labor/adaboost/4"]
    assert views.complete(cells, tasks).models == ["lightgbm", "xgboost"]
    del cells["uci/iris/xgboost/1"]
    assert views.complete(cells, tasks).folds == {tasks[0]: [0, 2, 3, 4], tasks[1]: [*range(FOLDS)]}
    for fold in range(2, FOLDS):
        del cells[f"uci/iris/lightgbm/{fold}"]
    assert views.complete(cells, tasks).tasks == tasks[1:]


def test_folds_that_the_judged_model_has_not_finished_are_left_out():
    task = find(["uci/iris"])[0]
    cells = {
        runs.name(task.name, model, fold): {"ap": 0.5}
        for model in ("lightgbm", "underdog")
        for fold in range(FOLDS)
    }
    del cells["uci/iris/underdog/0"]
    found = views.complete(cells, [task])
    assert found.folds == {task: [1, 2, 3, 4]}
    assert found.models == ["lightgbm", "underdog"]


def test_a_slow_model_is_beside_the_others_on_its_folds():
    every = view([[0.9, 0.5, 0.7]])
    slow = every.models[-1]
    task = every.tasks[0]
    cells = {name: own for name, own in every.cells.items() if name != f"{task.name}/{slow}/1"}
    most = views.View(cells, every.folds, every.models[:-1])
    own = views.beside(most, slow)
    assert own.models == every.models
    assert own.folds == {task: [0]}


def test_columns_without_a_level_are_left_out():
    frame = pd.DataFrame({"a [b]": [1.0, 2.0], "c": [None, None], "d": ["x", None]})
    frame = frame.astype({"c": "category", "d": "category"})
    assert inputs.plain_names().fit_transform(frame).columns.tolist() == ["x0", "x1"]
    assert inputs.strings().fit_transform(frame)["d"].tolist() == ["x", inputs.MISSING]


@pytest.mark.parametrize("model", [model for model in MODELS if model not in SLOW])
def test_every_model_takes_categories_or_numbers(model):
    pytest.importorskip(MODELS[model].needs)
    classes = SHORT["short/iris"]
    task = classes if MODELS[model].takes(classes) else SHORT["short/diabetes"]
    found = runs.run(f"{task.name}/{model}/0")
    assert found["seconds"] > 0.0
    assert found["kB"] > 1.0
    assert found.get("f1", 1.0) > 0.9
    assert found.get("rmse", 0.0) < 0.9


@pytest.mark.parametrize("task", SHORT)
def test_every_kind_of_target_is_judged(task):
    model = "gradient-boosting"
    found = runs.run(f"{task}/{model}/1")
    assert found.keys() >= {*report.SHOWN[report.section_of(SHORT[task])], "seconds", "kB"}
    assert found.get("auc", 1.0) > 0.8


def test_slow_models_have_fewer_cells():
    names = [*runs.names(find(family="tables"), ["ebm"])]
    sources = {TASKS[name.rsplit("/", 2)[0]].source for name in names}
    assert len(sources) > 20
    assert len(names) == SLOW_FOLDS * len(sources)


def test_the_first_folds_alone_can_be_computed():
    tasks = find(["uci/iris"])
    assert [*runs.names(tasks, ["hist"], 2)] == ["uci/iris/hist/0", "uci/iris/hist/1"]


def test_the_command_computes_what_is_missing(tmp_path):
    tasks = [SHORT["short/wine"], SHORT["short/cancer"]]
    models = ["logistic-regression", "adaboost"]
    command.run(tasks, models, tmp_path, tmp_path / "cache", processes=1)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Defaults beside those of other libraries")
    assert "our AdaBoost is number 2" in page
    assert "| short/wine | new-thyroid | 0.9" in page


def test_the_page_is_what_the_cells_say(tmp_path):
    cells = {}
    for packed in command.HERE.glob("*.json.gz"):
        lines = gzip.decompress(packed.read_bytes()).decode().splitlines()
        cells |= {name: found for name, _, found in map(json.loads, lines)}
    report.write(tmp_path, cells, find())
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

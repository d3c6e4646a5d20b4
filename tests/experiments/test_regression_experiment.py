"""The experiment on regression: its measures and verdicts by hand, cells, and its short form."""

import numpy as np
import pytest

from experiments.cells import Cells
from experiments.regression import __main__ as command
from experiments.regression import data, report, runs
from tests.experiments.corpus import DATA
from underdog import GradientBoostingRegressor

SMALL = "diabetes"
with_data = pytest.mark.skipif(
    not all((DATA / "regression" / f"{name}.csv.gz").exists() for name in data.SETS),
    reason="the data are not here",
)
CELLS = [(kind, model) for kind, models in runs.MODELS.items() for model in models]


def test_folds_judge_every_row_once():
    judged = np.concatenate([test for _, test in data.folds(SMALL)])
    assert np.sort(judged).tolist() == list(range(len(data.load(SMALL)[1])))
    assert all(not set(train) & set(test) for train, test in data.folds(SMALL))


def test_measures_by_hand():
    y = np.array([0.0, 2.0])
    found = runs.judge_mean(y, np.array([0.0, 1.0]))
    assert found == pytest.approx({"rmse": 0.5**0.5, "mae": 0.5, "r2": 0.5})
    quantiles = np.array([[0.5, 1.0, 3.0], [1.0, 2.0, 3.0]])
    found = runs.judge_quantiles(y, quantiles)
    assert found["pinball_0.1"] == pytest.approx((0.9 * 0.5 + 0.1 * 1.0) / 2)
    assert found["pinball_0.5"] == pytest.approx(0.25)
    assert found["coverage"] == 0.5


def results(first, others):
    """Results with these values of every measure by fold: of the first model, of all others."""
    measures = {**runs.MEASURES, **runs.QUANTILE_MEASURES}
    cells = {
        runs.name(SMALL, kind, model, fold): dict.fromkeys(
            measures, first[fold] if model == runs.MODELS[kind][0] else others[fold]
        )
        for kind, model in CELLS
        for fold in range(data.FOLDS)
    }
    return report.Results(cells, [SMALL])


@pytest.mark.parametrize("kind", runs.MODELS)
def test_verdicts_by_hand(kind):
    others = np.linspace(1.0, 2.0, 5)
    model, peer = runs.MODELS[kind][0], "LightGBM"
    found = results(others - np.array([0.3, 0.31, 0.29, 0.3, 0.3]), others)
    assert found.verdict(SMALL, kind, model, peer) == report.BETTER
    assert found.verdict(SMALL, kind, peer, model) == report.WORSE
    assert found.verdict(SMALL, kind, peer, "HistGradientBoosting") == report.NOISE
    found = results(others + np.array([0.3, -0.3, 0.2, -0.3, 0.2]), others)
    assert found.verdict(SMALL, kind, model, peer) == report.NOISE


@pytest.mark.parametrize(("kind", "model"), CELLS)
def test_a_cell_is_better_than_a_constant(kind, model):
    if model in ("LightGBM", "XGBoost"):
        pytest.importorskip(model.lower())
    found = runs.run(runs.name(SMALL, kind, model, 0))
    if kind == runs.MEAN:
        assert 0.0 < found["r2"] < 1.0
        assert found["mae"] < found["rmse"]
    else:
        assert 0.3 < found["coverage"] < 1.0
        train, test = data.folds(SMALL)[0]
        y = data.load(SMALL)[1]
        constant = np.tile(np.quantile(y[train], runs.QUANTILES), (len(test), 1))
        without = runs.judge_quantiles(y[test], constant)
        assert found["pinball_0.5"] < without["pinball_0.5"]


@pytest.mark.parametrize("model", runs.OURS)
def test_ours_have_the_settings_that_the_page_lists(model):
    made, usual = runs.make(model).get_params(), GradientBoostingRegressor().get_params()
    changed = {name for name, value in made.items() if value != usual[name]}
    assert changed - {"n_jobs", "random_state"} == set(runs.OURS[model])


def test_the_short_form_runs(tmp_path):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    command.run(tmp_path, tmp_path / "cache", quick=True)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Regression beside other libraries")
    assert "| diabetes | 442 | 10 |" in page


@with_data
def test_the_page_is_what_the_cells_say(tmp_path, monkeypatch):
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    (tmp_path / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())

    def refuse(self, names, work, title):
        assert set(names) <= set(self)

    monkeypatch.setattr(Cells, "compute", refuse)
    command.run(tmp_path, tmp_path / "cache", quick=False)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

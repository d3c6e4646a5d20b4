"""The experiment on defaults: its ranks and verdicts by hand, a cell, and its short form."""

import numpy as np
import pytest

from experiments.cells import Cells
from experiments.costs.data import load
from experiments.defaults import __main__ as command
from experiments.defaults import report, runs
from experiments.nu import data
from tests.experiments.corpus import DATA

SMALL = "third wine"
with_archive = pytest.mark.skipif(
    not (DATA / data.tables.KEEL).exists(), reason="the data are not here"
)


def results(first, others):
    """Results with these values of every measure by table: of the first model, of all others."""
    cells = {
        f"{table}/{model}": {
            measure: [value - 0.1, value + 0.1] for measure in (*report.MEASURES, "seconds")
        }
        for table, values in enumerate(zip(first, others, strict=True))
        for model, value in zip(runs.MODELS, [values[0], *[values[1]] * 7], strict=True)
    }
    return report.Results(cells, range(len(first)))


def test_ranks_by_hand():
    found = results([0.9, 0.1, 0.5], [0.3, 0.3, 0.5])
    ranks = found.ranks("ap")
    assert ranks[:2].tolist() == [[1.0, 8.0, 4.5], [5.0, 4.0, 4.5]]
    assert found.ranks("log_loss")[0].tolist() == [8.0, 1.0, 4.5]


def test_verdicts_by_hand():
    other = np.linspace(0.2, 0.6, 12)
    found = results(other + np.linspace(0.01, 0.12, 12), other)
    name, peer = runs.MODELS[0], runs.PEERS[0]
    assert found.verdict(name, peer, "auc") == report.BETTER
    assert found.verdict(peer, name, "auc") == report.WORSE
    assert found.verdict(name, peer, "log_loss") == report.WORSE
    assert found.verdict(peer, runs.PEERS[1], "auc") == report.NOISE
    assert results(other + np.tile([0.1, -0.1], 6), other).verdict(name, peer, "ap") == report.NOISE


@pytest.mark.parametrize("model", runs.MODELS)
def test_a_cell_has_every_fold(model):
    if model in ("LightGBM", "XGBoost"):
        pytest.importorskip(model.lower())
    found = runs.run(f"{SMALL}/{model}")
    assert {len(values) for values in found.values()} == {data.FOLDS}
    assert min(found["auc"]) > 0.8  # of the rare class: below 0.5 if it were that of the other
    assert min(found["ap"]) > 0.6  # its share is a quarter


@pytest.mark.parametrize("model", runs.OURS)
def test_every_model_has_its_defaults(model):
    made, (kind, own) = runs.make(model), runs.OURS[model]
    usual = kind().get_params()
    assert {name for name, value in made.get_params().items() if value != usual[name]} == {
        "n_jobs",
        *own,
    }


def test_the_short_form_runs_without_the_archive(tmp_path, monkeypatch, capfd):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    monkeypatch.setenv("UNDERDOG_DATA", str(tmp_path / "nowhere"))
    command.run(tmp_path, tmp_path / "cache", quick=True)
    assert "stand in" in capfd.readouterr().err
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Defaults beside those of other libraries")
    assert f"| {SMALL} | {len(load(SMALL).y)} | 6 |" in page


@with_archive
def test_the_page_is_what_the_cells_say(tmp_path, monkeypatch):
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    (tmp_path / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())

    def refuse(self, names, work, title):
        assert set(names) <= set(self)

    monkeypatch.setattr(Cells, "compute", refuse)
    command.run(tmp_path, tmp_path / "cache", quick=False)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

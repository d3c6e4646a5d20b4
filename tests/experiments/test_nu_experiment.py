"""The experiment on nu: its numbers by hand, its rule, and its short form."""

import numpy as np
import pytest

from experiments.cells import Cells
from experiments.nu import __main__ as command
from experiments.nu import data, report, runs
from tests.experiments.corpus import DATA

SMALL = "third wine"
with_everything = pytest.mark.skipif(
    not all((DATA / name).exists() for name in (data.tables.KEEL, "text/reuters21578.tar.gz")),
    reason="the data are not here",
)


def test_folds_judge_every_example_once():
    found = list(data.splits(data.TABLES, SMALL))
    y = data.tables.load(SMALL).y
    assert len(found) == data.FOLDS
    assert sum(len(split.y_test) for split in found) == len(y)
    assert sum(int(split.y_test.sum()) for split in found) == y.sum()
    assert {len(split.y) + len(split.y_test) for split in found} == {len(y)}


@pytest.mark.parametrize(
    ("counts", "cost"),
    [([0, 0, 7, 30], 1.0), ([7, 30, 0, 0], 1.0), ([3, 0, 1, 9], 0.25), ([1, 5, 3, 5], 1.25)],
)
def test_costs_by_hand(counts, cost):
    """A miss costs as much as all negatives for each positive: the two error rates, added."""
    assert report.relative_cost(counts) == cost


def test_measures_by_hand():
    one = {"test": [1, 2, 1, 6], "training": [0, 0, 2, 8], "precision": 0.5}
    other = {"test": [2, 0, 0, 8], "training": [2, 0, 0, 8], "precision": 0.7}
    fits = report.Fits([[one, other], [one]])
    assert fits.measure("f1") == pytest.approx([6 / 9, 2 / 5])
    assert fits.measure("cost") == pytest.approx([0.375, 0.75])
    assert fits.measure("precision") == pytest.approx([0.6, 0.5])
    assert fits.training.tolist() == [1.0, 0.0, 1.0]
    assert fits.standing() == "0 + 0"
    always = {**one, "test": [2, 8, 0, 0]}
    worse = {**one, "test": [0, 1, 2, 7]}
    assert report.Fits([[always, worse, worse]]).standing() == "2 + 1"


@pytest.mark.filterwarnings("ignore")  # what they warn of is what is measured
@pytest.mark.parametrize("booster", runs.DEFAULTS)
@pytest.mark.parametrize("title", ["nu = share / 2", "balanced, nu = 0.1"])
@pytest.mark.parametrize("name", data.tables.BUILT_IN)
def test_the_automatic_nu_begins_where_the_page_says(booster, title, name):
    found = data.tables.load(name)
    make, own = runs.BOOSTERS[booster]
    given = runs.SETTINGS[title].parameters(make(), found.y)
    model = make(pos_label=1, n_estimators=1, class_weight=given["class_weight"], **own)
    assert model.fit(found.X, found.y).nu_ == pytest.approx(given["nu"], rel=1e-12)


def test_a_cell_has_every_setting_and_fold():
    found = runs.run(f"tables/{SMALL}/LPBoost", rounds=5)
    assert set(found) == set(runs.SETTINGS)
    for folds in found.values():
        assert np.sum([fold["test"] for fold in folds]) == len(data.tables.load(SMALL).y)


def test_the_short_form_runs_without_the_archive(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("UNDERDOG_DATA", str(tmp_path / "nowhere"))
    command.run(tmp_path, tmp_path / "cache", quick=True)
    assert "stand in" in capfd.readouterr().err
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Which nu to use")
    assert "## 2 imbalanced tables" in page


@with_everything
@pytest.mark.skipif(not (command.HERE / "cells.json.gz").exists(), reason="nothing is kept yet")
def test_the_page_is_what_the_cells_say(tmp_path, monkeypatch):
    kept = (command.HERE / "README.md").read_text(encoding="utf-8")
    (tmp_path / "cells.json.gz").write_bytes((command.HERE / "cells.json.gz").read_bytes())

    def refuse(self, names, work, title):
        assert set(names) <= set(self)

    monkeypatch.setattr(Cells, "compute", refuse)
    command.run(tmp_path, tmp_path / "cache", quick=False)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == kept

"""The experiment on readable models: its kept cells, verdicts by hand, and one cell again."""

from pathlib import Path

import pytest

from experiments.cells import Cells
from experiments.readable_rules import report, runs
from experiments.readable_rules.models import MODELS, PEERS, available
from tests.experiments.corpus import DATA

HERE = Path(report.__file__).parent
with_uci = pytest.mark.skipif(not (DATA / "uci").exists(), reason="the data are not here")


def cells_of(wrong):
    """Cells with so many wrong rows of ten for each set, and ten conditions for every model."""
    return {
        name: {"wrong": wrong(*name.split("/")[:2]), "rows": 10, "conditions": 10}
        for name in runs.names(runs.SETS)
    }


def test_all_cells_are_kept(tmp_path):
    cells = Cells(HERE / "cells.json.gz", runs.MARK, tmp_path)
    assert {*runs.names(runs.SETS)} == {*cells}


def test_verdicts_by_hand(tmp_path):
    """One model is always better by a tenth of the rows; beside another half of the sets differ."""
    bad = {"ADTree": 3, "SLIPPER": 2}
    cells = cells_of(lambda data, model: bad.get(model, 2) + (model == "FIGS" and data < "h"))
    report.write(tmp_path, cells)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert (
        "comparable to a whole ensemble of trees** (error at most 1 point higher): does not hold"
        in text
    )
    assert (
        "SLIPPER is accurate: beside boosted trees** (error at most 1 point higher): holds" in text
    )
    assert "+10.0 ± 0.0 points on 10 sets, a lower error on 0 of them" in text
    assert "| labor | 20.0 (10) | 30.0 (10) |" in text
    own = report.Results(cells).compare("SLIPPER", "FIGS")
    assert own is not None
    assert (own.sets, own.lower) == (10, 2)
    assert own.gap == pytest.approx(-2.0)
    assert own.half == pytest.approx(2.262 * (16.0 / 9.0 * 10.0) ** 0.5 / 10**0.5, rel=1e-3)


def test_a_failure_is_shown(tmp_path):
    cells = cells_of(lambda *_: 1)
    cells["labor/FIGS/3"] = {"failed": "ValueError: no"}
    del cells["german/IREP/0"]
    report.write(tmp_path, cells)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| labor | 10.0 (10) |" in text
    assert next(line for line in text.splitlines() if line.startswith("| labor")).endswith("| - |")
    assert "1 of 550 cells are not computed." in text


@with_uci
def test_a_cell_again():
    name = "labor/ADTree, 20 tests/0"
    kept = Cells(HERE / "cells.json.gz", runs.MARK, Path("/nonexistent"))
    assert runs.run(name) == kept[name]
    assert {*available()} >= {*MODELS} - {*PEERS}

"""The experiment on flipped labels: what is flipped, and what its page says of given cells."""

import numpy as np
import pytest

from experiments.wrong_labels import report, runs
from experiments.wrong_labels.data import SHARES, TEXT, load, split

FEW = ("AdaBoost", "random forest", "BrownBoost, 0.1")


def test_the_share_of_each_class_is_flipped_in_the_training_rows_only():
    _, y = load(TEXT)
    for share in (0.0, 0.2):
        data = split(TEXT, share, seed=1)
        assert len(data.y) == 1000
        assert len(data.y) + len(data.y_test) == len(y)
        true = np.where(data.flipped, 1 - data.y, data.y)
        for label in (0, 1):
            assert data.flipped[true == label].mean() == pytest.approx(share, abs=0.01)
        again = split(TEXT, share, seed=1)
        assert np.array_equal(data.y, again.y)


def test_a_cell_has_errors_and_detectors(monkeypatch):
    monkeypatch.setattr(runs, "MODELS", {name: runs.MODELS[name] for name in (*FEW, "logistic")})
    monkeypatch.setattr(runs, "ROUNDS", 5)
    monkeypatch.setattr(runs, "left_out", lambda *_: 0.5)
    runs.MODELS["gradient boosting"] = runs.MODELS["logistic"]
    found = runs.run(f"{TEXT}/0.1/0")
    assert set(found["errors"]) == set(runs.MODELS)
    assert all(0.0 <= error <= 0.3 for error in found["errors"].values())
    assert found["found"]["AdaBoost"] > 0.3


def test_the_page_says_what_the_cells_say(tmp_path):
    cells = {}
    for place, one in enumerate(("a", "b", "c")):
        for share in SHARES:
            errors = dict.fromkeys(runs.MODELS, 0.1 + 0.5 * share)
            errors["BrownBoost"] = 0.1 + 0.1 * share + 0.001 * place
            errors["random forest"] = 0.1 + 0.9 * share
            found = {"AdaBoost": 0.75} if share else {}
            cells[f"{one}/{share}/0"] = {"errors": errors, "found": found}
    report.write(tmp_path, cells)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| AdaBoost | 10.0 | 12.5 | 15.0 | 20.0 | 25.0 |" in text
    assert "| AdaBoost | 0.75 | 0.75 | 0.75 | 0.75 |" in text
    (brown,) = [line for line in text.splitlines() if line.startswith("| BrownBoost suffers")]
    assert brown.count("| holds |") == 2
    (forest,) = [line for line in text.splitlines() if "(after Dietterich 2000)" in line]
    assert "does not hold" in forest

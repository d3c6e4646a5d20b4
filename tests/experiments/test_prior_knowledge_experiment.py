"""The experiment on prior knowledge: its training sets, a cell, and what its page says."""

import numpy as np

from experiments.prior_knowledge import report, runs
from experiments.prior_knowledge.data import RULES, SETS, SMS, corpus, draw


def test_larger_training_sets_contain_the_smaller_ones_and_every_class():
    few, more = draw(SMS, 5, seed=1), draw(SMS, 50, seed=1)
    assert np.array_equal(few.y, more.y[:5])
    assert set(few.y) == {"ham", "spam"}
    assert len(few.y_test) + len(corpus(SMS, 1).y) == 5574


def test_a_cell_has_errors_and_a_weight(monkeypatch):
    monkeypatch.setattr(runs, "ROUNDS", 3)
    found = runs.run(f"{SMS}/40/0")
    assert set(found["errors"]) == set(found["losses"]) == set(runs.WAYS)
    assert found["errors"]["knowledge"] < 0.1
    assert found["weight"] >= 0.0


def test_the_page_says_what_the_cells_say(tmp_path):
    cells = {}
    for one in SETS:
        for size in (25, 50):
            for seed in range(3):
                errors = dict.fromkeys(runs.WAYS, 0.2 + 0.001 * seed)
                errors[report.BOTH] = 0.1 + 0.001 * seed + 0.2 * (size == 50)
                losses = dict.fromkeys(runs.WAYS, 0.5)
                cells[f"{one}/{size}/{seed}"] = {"errors": errors, "losses": losses, "weight": 3.0}
    report.write(tmp_path, cells)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "against data alone, in 4 cases: 2 better, 0 not decided, 2 worse." in text
    assert "| 25 | -10.0 ± 0.0 | better | -10.0 ± 0.0 | better | 3 |" in text
    assert all(RULES[one].strip() in text for one in SETS)
    assert (tmp_path / "error.png").stat().st_size < 100_000

"""The experiment on three boosters: what its page says of given curves, and a short run."""

import pytest

from experiments.three_boosters import report, runs
from tests.experiments.corpus import DATA

with_texts = pytest.mark.skipif(not (DATA / "text").exists(), reason="the data are not here")


def test_the_page_says_what_the_curves_say(tmp_path):
    curves = {"discrete MH": [0.5, 0.4], "discrete MR": [0.6, 0.3], "real MH": [0.4, 0.35]}
    cells = {
        f"{corpus}/{booster}": {
            "rounds": [1, 10], "train": test, "test": test,
            "classes": 6, "documents": 1000, "tested": 10,
        }
        for corpus in runs.CORPORA
        for booster, test in curves.items()
    }  # fmt: skip
    report.write(tmp_path, cells, runs.QUICK)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| TREC questions | discrete MR | 30.0 / 30.0 |" in text
    below = "the test error of real MH is below that of"
    assert f"{below} discrete MH after 2 of 2 rounds" in text
    assert f"{below} discrete MR after 1 of 2 rounds" in text
    assert "real MH is as good as discrete MH ever is after 1 rounds" in text
    assert "lowest after 10 rounds, 35.0 %" in text


@with_texts
@pytest.mark.parametrize("booster", runs.BOOSTERS)
def test_a_short_run(booster):
    plan = runs.Plan(8, 300)
    found = runs.run(f"TREC questions/{booster}", plan)
    assert found["rounds"] == plan.shown == list(range(1, 9))
    assert len(found["train"]) == len(found["test"]) == 8
    assert found["train"][-1] <= found["train"][0]
    assert (found["classes"], found["documents"], found["tested"]) == (6, 300, 500)

"""The experiment on flipped labels: what is flipped, and what its page says of given cells."""

import numpy as np
import pytest

from experiments.wrong_labels import digits, outliers, report, runs
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


@pytest.mark.filterwarnings("ignore:.*they mean little")
def test_cells_have_errors_and_detectors(monkeypatch):
    monkeypatch.setattr(runs, "ROUNDS", 5)
    few = {name: runs.MODELS[name] for name in (*FEW, "logistic", "gradient boosting")}
    monkeypatch.setattr(runs, "FIRST", few)
    errors = runs.run(f"{TEXT}/0.1/0")["errors"]
    assert set(errors) == set(few)
    for name in ("bagged C4.5-like", "AdaBoost, C4.5-like", "LPReg", "QPReg"):
        own = runs.run(f"{TEXT}/0.1/0/{name}")["errors"]
        assert list(own) == [name]
        errors |= own
    assert all(0.0 <= error <= 0.3 for error in errors.values())
    assert {name.count("/") for name in runs.names([TEXT], 1)} == {2, 3}
    found = outliers.run(f"{TEXT}/0.1/0")
    assert found["curves"]["AdaBoost, weight"][2][0] > 0.3
    precision, recall, listed = found["counts"]["logistic, left out"]
    assert precision * listed == pytest.approx(recall)


def test_the_page_says_what_the_cells_say(tmp_path):
    cells = {}
    for place, one in enumerate(("a", "b", "c")):
        for share in SHARES:
            errors = dict.fromkeys(runs.FIRST, 0.1 + 0.5 * share)
            errors["BrownBoost"] = 0.1 + 0.1 * share + 0.001 * place
            errors["random forest"] = 0.1 + 0.9 * share
            cells[f"{one}/{share}/0"] = {"errors": errors}
            for model in runs.MORE:
                own = 0.1 + (0.7 if model == "AdaBoost, C4.5-like" else 0.3) * share
                cells[f"{one}/{share}/0/{model}"] = {"errors": {model: own}}
        cells[f"{one}/0.0/1"] = {"errors": dict.fromkeys(runs.FIRST, 0.9)}  # not of all shares
    curve = [[1.0, 0.25], [0.9, 0.45], [0.75, 0.75], [0.5, 0.75], [0.4, 0.8], [0.3, 0.9]]
    one = {"curves": {"AdaBoost, weight": curve}, "counts": {"logistic, left out": [0.5, 0.8, 1.6]}}
    report.write(tmp_path, cells, dict.fromkeys(outliers.names(["a", "b"], 1), one))
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| AdaBoost | 10.0 | 12.5 | 15.0 | 20.0 | 25.0 | 1 |" in text
    assert "| AdaBoost, weight | 0.75 | 0.75 | 0.75 | 0.75 |" in text
    assert "| AdaBoost, weight | 1.00 / 0.25 | 0.90 / 0.45 |" in text
    assert "| logistic, left out | 0.50 / 0.80 (1.6) |" in text
    (brown,) = [line for line in text.splitlines() if line.startswith("| BrownBoost suffers")]
    assert brown.count("| holds |") == 2
    (forest,) = [line for line in text.splitlines() if "than a random forest" in line]
    assert "does not hold" in forest
    (bagged,) = [line for line in text.splitlines() if "(Dietterich 2000)" in line]
    assert "| -8.0 ± 0.0 | holds | 3 of 3 |" in bagged


def test_precision_and_recall_by_hand():
    flipped = np.array([True, False, True, False, True, True, False, False])
    order = [0, 1, 2, 3, 4, 5, 6, 7]
    found = dict(zip(outliers.LOOKED, outliers.measured(order, flipped), strict=True))
    assert found[0.25] == [1.0, 0.25]
    assert found[1.0] == [0.5, 0.5]
    assert found[3.0] == [0.5, 1.0]  # there are only two for each flipped label
    assert outliers.chosen([0, 1], flipped) == [0.5, 0.25, 0.5]


def test_captions_of_the_heaviest_digits():
    for pixels, caption in digits.heaviest(4, 3):
        assert pixels.shape == (8, 8)
        first, second = caption.partition(":")[2].split(",")
        shares = [float(part.split("/")[1]) for part in (first, second)]
        assert 1.0 >= shares[0] >= shares[1] > 0.0
        assert sum(shares) <= 1.01

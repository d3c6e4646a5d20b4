"""The reader in plain Python of docs/files.md, on models that the page does not show."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from tests.model.hand_made_trees import with_trees
from tests.pages import EXAMPLE
from underdog import AdaBoostClassifier, LPBoostClassifier

PAGE = Path(__file__).parents[2] / "docs" / "files.md"
READER = next(
    found[1]
    for found in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8"))
    if "def read(name)" in found[1]
)
X, Y = load_breast_cancer(return_X_y=True)


def models():
    trees = with_trees(AdaBoostClassifier(n_estimators=6).fit(X, Y))
    constant = AdaBoostClassifier(n_estimators=6).fit(np.ones_like(X), Y)
    margin = LPBoostClassifier(n_estimators=4, nu=0.3, tol=0.2).fit(X, Y)
    return {"trees": trees, "constant": constant, "margin": margin}


@pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
@pytest.mark.parametrize("name", ["trees", "constant", "margin"])
def test_the_reader_of_the_page(name, tmp_path):
    model = models()[name]
    model.save(tmp_path / "model.udg")
    code = compile(READER, str(PAGE), "exec")
    leaves = set()
    for row in islice(X, 0, None, 40):
        known = {"path": tmp_path / "model.udg", "X": row[np.newaxis], "model": model}
        exec(code, known)
        assert known["score"] == model.decision_function(row[np.newaxis])[0]
        leaves.add(known["score"])
    assert len(leaves) > 1 or name == "constant"

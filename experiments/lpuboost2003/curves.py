"""Learning curves: F1 on training and test documents after each round."""

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.lpuboost2003.data import Sample, corpus
from experiments.lpuboost2003.grid import BOOSTERS, Setting, counts, f1, name

SHOWN = ("earn", "ship")
"""A large topic and a small one."""


def names(
    cells: Mapping[str, Any], settings: Sequence[Setting], topics: Sequence[str]
) -> list[str]:
    """Cells of the setting that is best on the test documents, for each booster."""
    found = []
    for topic in (topic for topic in SHOWN if topic in topics):
        for booster in BOOSTERS:
            best = best_setting(cells, [s for s in settings if s.booster == booster], topic)
            if best is not None:
                found.append(f"{topic}/curve/{best.twin}")
    return found


def best_setting(
    cells: Mapping[str, Any], settings: Sequence[Setting], topic: str
) -> Setting | None:
    """The first setting with the best F1 on the test documents."""
    tried = [s for s in settings if "test" in cells.get(name(Sample(topic), s), {})]
    return max(tried, key=lambda s: f1(cells[name(Sample(topic), s)]["test"]), default=None)


def run(cell: str, documents: int | None = None) -> dict[str, Any]:
    """F1 after each round, on the training and on the test documents."""
    topic, _, how = cell.split("/")
    data, setting = corpus(documents), Setting.parse(how)
    y, y_test = data.label(topic), data.label_test(topic)
    model = setting.model(len(y)).fit(data.X, y)
    return {
        "train": [round(f1(counts(y, p)), 4) for p in model.staged_predict(data.X)],
        "test": [round(f1(counts(y_test, p)), 4) for p in model.staged_predict(data.X_test)],
    }

"""Alternating trees beside two published runs of JBoost.

python -m experiments.adtree            both runs, then README.md
python -m experiments.adtree --quick    spambase only, printed and not kept

Needs the folder `uci` of the shared data. Takes less than a minute.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.adtree import published, runs
from experiments.command import main
from experiments.tables import table
from underdog import UnderdogWarning

HERE = Path(__file__).resolve().parent
CLOSE = 1e-9
HEAD = """\
# Alternating trees beside JBoost's

`python -m experiments.adtree` writes this page. JBoost ships two runs with their results: an
alternating tree on spambase (AdaBoost, 10 rounds) and one on the letters F, I and J against all
others (logistic loss, weighted rows, tests under the root and under nodes without tests; 2,000
rounds, of which the first 30 are compared). `ADTreeClassifier` is trained on the same rows with
`max_bins=65535`, so that columns are cut between all values.
"""


def run(folder: Path, _: Path, *, quick: bool) -> None:
    """Fit both trees and write the page."""
    warnings.simplefilter("ignore", UnderdogWarning)  # weights of letter are no whole numbers
    parts = [HEAD, *_spambase(runs.spambase(), runs.spambase(runs.DEFAULT))]
    if not quick:
        parts += _letter(runs.letter())
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def differences(root: float, splits: Sequence[Any], known: dict[int, Any], wanted: float) -> Any:
    """(rounds with another test, values compared, their largest difference)."""
    others, gaps = [], [abs(root - wanted)]
    for number, split in known.items():
        column, threshold, low, high = splits[number - 1]
        if column != split.column or abs(threshold - split.threshold) > CLOSE:
            others.append(number)
        pairs = ((low, split.low), (high, split.high))
        gaps += [abs(own - value) for own, value in pairs if value is not None]
    return others, len(gaps), max(gaps)


def _spambase(exact: dict[str, Any], binned: dict[str, Any]) -> list[str]:
    known = dict(enumerate(published.SPAMBASE, 1))
    others, count, gap = differences(exact["root"], exact["splits"], known, published.SPAMBASE_ROOT)
    columns = (("bound", published.BOUND), ("train", published.TRAIN), ("test", published.TEST))
    rows = [
        [number, *(f"{exact[name][number]:.4f}" for name, _ in columns),
         *(f"{binned[name][number]:.4f}" for name, _ in columns)]
        for number in range(11)
    ]  # fmt: skip
    head = ["round", "bound", "training error", "test error"]
    head += [f"{name}, 255 bins" for name in head[1:]]
    wrong = sum(
        f"{exact[name][number]:.4f}" != f"{value:.4f}"
        for name, values in columns
        for number, value in enumerate(values)
    )
    changed = [
        number
        for number, (one, other) in enumerate(
            zip(exact["splits"], binned["splits"], strict=True), 1
        )
        if one[:2] != other[:2]
    ]
    cuts = "; ".join(
        f"round {number}: `{exact['splits'][number - 1][0]} > {exact['splits'][number - 1][1]:g}` "
        f"with all cuts, `{binned['splits'][number - 1][0]} > {binned['splits'][number - 1][1]:g}` "
        "with 255 bins"
        for number in changed
    )
    return [
        "## spambase",
        table(head, rows),
        f"```text\n{exact['model'].describe()}\n```",
        "## Verdicts",
        f"- **spambase is {_verdict(not others and gap <= CLOSE and not wrong)}**: of ten tests "
        f"{10 - len(others)} are the published ones, {count} values of nodes differ by at most "
        f"{gap:.0e}, and {33 - wrong} of 33 printed bounds and errors are equal to the last "
        f"printed digit.\n- **With 255 bins** other cuts are taken in rounds "
        f"{' and '.join(map(str, changed))} ({cuts}). The test error after ten rounds is "
        f"{binned['test'][-1]:.4f} and not {exact['test'][-1]:.4f}.",
    ]


def _letter(exact: dict[str, Any]) -> list[str]:
    others, count, gap = differences(
        exact["root"], exact["splits"], published.LETTER, published.LETTER_ROOT
    )
    rounds = len(published.LETTER)
    return [
        f"- **letter F, I, J is {_verdict(not others and gap <= CLOSE)}**: of the first 30 rounds, "
        f"{rounds} are shown in the published log. {rounds - len(others)} of their tests are the "
        f"same, and {count} values differ by at most {gap:.0e}. The other rounds are not checked "
        "by themselves, but all values after them depend on them."
    ]


def _verdict(same: bool) -> str:
    return "reproduced" if same else "not reproduced"


if __name__ == "__main__":
    main(__doc__, run, HERE)

"""The text experiment: its measures by hand, and a slice of the whole."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from experiments.boostexter.measures import Counts, first_round, ranking, top_errors

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
TEXTS = Path(os.environ.get("UNDERDOG_DATA") or SHARED) / "text"


def indicator(*rows):
    return np.array(rows, dtype=bool)


class TestLabels:
    # four topics: one found and one missed; a false alarm only; a miss only; nothing at all
    Y = indicator([1, 0, 1, 0], [1, 0, 0, 0])
    predicted = indicator([1, 1, 0, 0], [0, 0, 0, 0])
    counts = Counts.of(Y, predicted)

    def test_counts(self):
        assert self.counts.true.tolist() == [1, 0, 0, 0]
        assert self.counts.false.tolist() == [0, 1, 0, 0]
        assert self.counts.missed.tolist() == [1, 0, 1, 0]

    def test_micro_f1(self):
        assert self.counts.micro() == pytest.approx(2 / (2 + 1 + 2))

    def test_topics_without_documents_and_alarms_count_as_asked(self):
        assert self.counts.f1().tolist() == pytest.approx([2 / 3, 0, 0, 0])
        assert self.counts.macro() == pytest.approx(2 / 3 / 4)
        assert self.counts.macro(1.0) == pytest.approx((2 / 3 + 1) / 4)

    def test_topics_that_are_present(self):
        assert self.counts.macro_present() == pytest.approx((2 / 3 + 0) / 2)

    def test_nothing_found_is_zero(self):
        assert Counts.of(self.Y, np.zeros_like(self.Y)).micro() == 0.0

    def test_kept_and_read(self):
        again = Counts.read(json.loads(json.dumps(self.counts.kept())))
        assert again.micro() == self.counts.micro()
        assert again.f1().tolist() == self.counts.f1().tolist()


class TestRankings:
    def test_by_hand(self):
        Y = indicator([1, 0, 1], [0, 1, 0])
        scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
        found = ranking(Y, scores)
        assert found["one-error"] == 0.5
        assert found["coverage"] == pytest.approx((2 + 1) / 2)
        assert found["average precision"] == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)

    def test_a_tie_with_a_wrong_topic_is_an_error(self):
        scores = np.array([[1.0, 1.0, 0.0]])
        assert top_errors(indicator([1, 0, 0]), scores) == 1
        assert top_errors(indicator([1, 1, 0]), scores) == 0


def test_first_round():
    assert first_round([9, 5, 7, 5, 2], 5) == 2
    assert first_round([9, 5, 7, 5, 2], 6.5) == 2
    assert first_round([9, 5], 1) is None


@pytest.fixture(scope="module")
def slice_of_everything(tmp_path_factory):
    """The folder that the quick form of the experiment writes."""
    for name in ("reuters21578.tar.gz", "trec_questions.jsonl.gz"):
        if not (TEXTS / name).exists():
            pytest.skip(f"{name} is not on this machine")
    pytest.importorskip("matplotlib")
    pytest.importorskip("Stemmer")
    from experiments.boostexter.__main__ import PARTS, run

    folder = tmp_path_factory.mktemp("boostexter")
    run(list(PARTS), folder, folder, quick=True)
    return folder


class TestQuick:
    def test_readme_has_every_section_and_its_figures(self, slice_of_everything):
        text = (slice_of_everything / "README.md").read_text(encoding="utf-8")
        for title in ("Labels", "Seconds", "Rankings", "Ten topics", "Real against", "Pairs"):
            assert title in text
        for figure in ("labels.png", "reuters.png", "trec.png"):
            assert f"({figure})" in text
            assert (slice_of_everything / figure).stat().st_size > 0

    def test_cells_are_packed_and_errors_fall(self, slice_of_everything):
        packed = gzip.decompress((slice_of_everything / "cells.json.gz").read_bytes())
        cells = {name: cell for name, _, cell in map(json.loads, packed.decode().splitlines())}
        alone = cells.pop("reuters/words/apart")
        assert alone["rounds"] == 20
        assert len(cells) == 6
        for cell in cells.values():
            wrong = cell["train"]["wrong"]
            assert len(wrong) == cell["rounds"] == 20
            assert wrong[-1] < wrong[0]

    def test_figures_are_the_same_bytes_again(self, slice_of_everything, tmp_path):
        from experiments.boostexter import report

        packed = gzip.decompress((slice_of_everything / "cells.json.gz").read_bytes())
        cells = {name: cell for name, _, cell in map(json.loads, packed.decode().splitlines())}
        report.write(tmp_path, cells)
        for name in ("README.md", "labels.png", "reuters.png", "trec.png"):
            assert (tmp_path / name).read_bytes() == (slice_of_everything / name).read_bytes()

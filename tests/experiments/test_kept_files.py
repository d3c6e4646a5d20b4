"""What experiments write stays in the history for ever: it must be small."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments"
KEPT = {".png", ".csv", ".gz", ".md", ".svg"}
LARGEST = {".png": 100_000, ".csv": 100_000, ".md": 100_000, ".gz": 500_000}
WRITTEN = sorted(path for path in FOLDER.glob("*/*.*") if path.suffix in KEPT)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(FOLDER)))
def test_files_are_small(path):
    assert path.suffix in LARGEST, "pictures are PNG files, which experiments.figures.save writes"
    assert path.stat().st_size <= LARGEST[path.suffix]


def test_there_are_some():
    assert {path.suffix for path in WRITTEN} >= {".png", ".gz", ".md"}

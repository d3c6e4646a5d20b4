"""Where the real files are, for tests that run the short form of an experiment."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("UNDERDOG_DATA", ROOT.parent / "shared" / "data"))

with_reuters = pytest.mark.skipif(
    not (DATA / "text" / "reuters21578.tar.gz").exists(), reason="the corpus is not here"
)

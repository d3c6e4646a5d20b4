"""A million rows in little memory."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

MEASURED = (
    "import resource, sys; from underdog.cli.main import main\n"
    "try: main()\n"
    "finally: print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_a_million_rows_need_three_times_the_file(tmp_path):
    chance = np.random.default_rng(0)
    columns = {f"x{c}": chance.normal(size=1_000_000) for c in range(20)}
    columns["y"] = (columns["x0"] + chance.normal(size=1_000_000) > 2.2).astype(int)
    path = tmp_path / "big.csv"
    pl.DataFrame(columns).write_csv(path, float_precision=6)
    del columns
    command = [
        "train",
        path,
        "-t",
        "y",
        "-m",
        "adaboost",
        "--cv",
        "0",
        "--n-estimators",
        "100",
        "-q",
    ]
    found = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, command), "-o", tmp_path / "big.udg"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    assert int(found.stderr) <= 3 * path.stat().st_size

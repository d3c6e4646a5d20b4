"""The runner: every cell once, nothing lost, nothing of other data."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

from experiments.cells import Cells
from experiments.tables import table

ROOT = Path(__file__).resolve().parents[2]


def square(name):
    """Work that takes no time; leaves a trace, to see that it is done once."""
    folder, number = name.rsplit("/", 1)
    with open(f"{folder}/trace", "a", encoding="utf-8") as trace:
        trace.write(f"{number}\n")
    return {"square": int(number) ** 2}


def openmp_threads(name):
    """How many threads `HistGradientBoosting` uses, whose OpenMP is loaded with this module."""
    return {"threads": _openmp_effective_n_threads()}


def cells(folder, fingerprint="data"):
    return Cells(folder / "cells.json.gz", fingerprint, folder / "cache")


def names(folder, numbers):
    return [f"{folder}/{number}" for number in numbers]


def test_cells_are_computed_once_and_kept(tmp_path):
    first = cells(tmp_path)
    first.compute(names(tmp_path, [1, 2, 3, 2]), square, "Squares")
    assert {name.rsplit("/", 1)[1]: result["square"] for name, result in first.items()} == {
        "1": 1, "2": 4, "3": 9,
    }  # fmt: skip
    again = cells(tmp_path)
    again.compute(names(tmp_path, [1, 2, 3, 4]), square, "Squares")
    assert sorted((tmp_path / "trace").read_text().split()) == ["1", "2", "3", "4"]
    assert len(again) == 4


def test_packed_cells_are_the_same_bytes_and_are_enough(tmp_path):
    first = cells(tmp_path)
    first.compute(names(tmp_path, [2, 1]), square, "Squares")
    first.pack()
    packed = first.packed.read_bytes()
    (tmp_path / "cache" / f"{tmp_path.name}-cells.jsonl").unlink()
    again = cells(tmp_path)
    assert dict(again) == dict(first)
    again.pack()
    assert again.packed.read_bytes() == packed


def test_what_is_forgotten_is_computed_again(tmp_path):
    first = cells(tmp_path)
    first.compute(names(tmp_path, [1, 2]), square, "Squares", processes=1)
    first.pack()
    first.forget(names(tmp_path, [1]))
    again = cells(tmp_path)
    assert set(again) == set(names(tmp_path, [2]))
    again.compute(names(tmp_path, [1, 2]), square, "Squares", processes=1)
    assert sorted((tmp_path / "trace").read_text().split()) == ["1", "1", "2"]


def test_cells_of_other_data_are_not_taken_over(tmp_path):
    first = cells(tmp_path)
    first.compute(names(tmp_path, [1]), square, "Squares")
    first.pack()
    assert not len(cells(tmp_path, "other data"))


def test_a_line_that_was_cut_off_is_left_out(tmp_path):
    first = cells(tmp_path)
    first.compute(names(tmp_path, [1, 2]), square, "Squares")
    journal = tmp_path / "cache" / f"{tmp_path.name}-cells.jsonl"
    journal.write_text(journal.read_text()[:-5])
    assert len(cells(tmp_path)) == 1


def test_an_error_in_a_cell_is_not_hidden(tmp_path):
    with pytest.raises(ValueError, match="invalid literal"):
        cells(tmp_path).compute(names(tmp_path, ["no number"]), square, "Squares")


def test_a_cell_has_one_thread(tmp_path):
    done = cells(tmp_path)
    done.compute(["any"], openmp_threads, "Threads")
    assert done["any"] == {"threads": 1}


def test_an_interrupted_run_keeps_what_is_finished(tmp_path):
    """Ctrl-C after the first cell: it is kept, and the message says how to go on."""
    script = textwrap.dedent(
        f"""
        import os, signal
        from pathlib import Path
        from experiments import cells as module
        from tests.experiments.test_cells import cells, names, square

        def interrupt(self, count):
            if not hasattr(self, "asked"):
                self.asked = True
                os.kill(os.getpid(), signal.SIGINT)

        if __name__ == "__main__":
            module.Progress.add = interrupt
            folder = Path({str(tmp_path)!r})
            cells(folder).compute(names(folder, range(400)), square, "Squares")
        """
    )
    (tmp_path / "interrupted.py").write_text(script)
    done = subprocess.run(
        [sys.executable, tmp_path / "interrupted.py"], cwd=ROOT, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""}, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "run again to go on" in done.stderr
    assert 0 < len(cells(tmp_path)) < 400


def test_a_table_has_a_line_for_each_row():
    assert table(["a", "b"], [[1, "x"], [2, ""]]).splitlines()[2:] == ["| 1 | x |", "| 2 |  |"]

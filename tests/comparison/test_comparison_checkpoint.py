import numpy as np
import pytest

from tests.comparison.recorder import SEEN, Recorder
from underdog import Costs, compare
from underdog.comparison.checkpoint import Checkpoint, finished_in


def test_an_interrupted_comparison_goes_on(data, tmp_path):
    path = tmp_path / "kept.jsonl"
    # The interruption is no parameter of the model, so that both calls are the same.
    models = {"a": Recorder("a"), "b": Recorder("b")}
    fit = Recorder.fit

    def interrupted(self, X, y):
        if len(SEEN) == 3:
            raise KeyboardInterrupt
        return fit(self, X, y)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "fit", interrupted)
        with pytest.raises(KeyboardInterrupt, match="has 3 of 6 fits: repeat the call to continue"):
            compare(*data, models, cv=3, checkpoint=path)
    assert len(SEEN) == 3
    resumed = compare(*data, models, cv=3, checkpoint=path)
    assert len(SEEN) == len(set(SEEN)) == 6
    whole = compare(*data, models, cv=3)
    np.testing.assert_array_equal(resumed.results["f1"], whole.results["f1"])
    assert resumed.results["model"].tolist() == whole.results["model"].tolist()


def test_a_line_that_was_cut_off_is_computed_again(data, tmp_path):
    path = tmp_path / "kept.jsonl"
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    path.write_text(path.read_text()[:-10])
    SEEN.clear()
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    assert len(SEEN) == 1
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    assert len(SEEN) == 1


def test_stopped_before_anything_is_finished(data, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "fit", stopped)
    with pytest.raises(KeyboardInterrupt, match="nothing is saved"):
        compare(*data, [Recorder()], cv=3, checkpoint=tmp_path / "kept.jsonl")


def test_a_first_line_that_was_cut_off(data, tmp_path):
    path = tmp_path / "kept.jsonl"
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    path.write_text(path.read_text()[:40])
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    assert finished_in(path) == 3


def test_a_full_disk_takes_nothing_that_is_finished(data, tmp_path, monkeypatch):
    path = tmp_path / "kept.jsonl"
    compare(*data, [Recorder()], cv=3, checkpoint=path)
    path.write_text(path.read_text()[:-10])
    before = path.read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match=r"No space left on device: '.*kept\.jsonl'"):
            compare(*data, [Recorder()], cv=3, checkpoint=path)
    assert path.read_text() == before
    assert [each.name for each in tmp_path.iterdir()] == ["kept.jsonl"]


def test_what_is_finished_in_a_file(tmp_path):
    path = tmp_path / "kept.jsonl"
    assert finished_in(path) is None
    path.write_text("")
    assert finished_in(path) == 0
    Checkpoint(path, "0f").add({"error": ""})
    assert finished_in(path) == 1
    path.write_text(path.read_text() + "{")
    assert finished_in(path) == 1
    path.write_text("a letter")
    assert finished_in(path) is None


def test_failures_are_tried_again(data, tmp_path):
    path = tmp_path / "kept.jsonl"
    for _ in range(2):
        compare(*data, [Recorder(fails_without=0)], cv=3, checkpoint=path)
    assert len(SEEN) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"cv": 2},
        {"random_state": 1},
        {"costs": Costs(fn=2, fp=1)},
        {"pos_label": 0},
        {"models": [Recorder(noise=1.0)]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_file_of_another_comparison_is_refused(data, tmp_path, change):
    path = tmp_path / "kept.jsonl"
    call = {"models": [Recorder()], "cv": 3, "checkpoint": path}
    compare(*data, **call)
    before = path.read_text()
    with pytest.raises(ValueError, match="does not belong to this comparison"):
        compare(*data, **(call | change))
    assert path.read_text() == before


def test_other_data_and_other_files_are_refused(data, tmp_path):
    X, y = data
    path = tmp_path / "kept.jsonl"
    compare(X, y, [Recorder()], cv=3, checkpoint=path)
    with pytest.raises(ValueError, match="does not belong to this comparison"):
        compare(X + 1.0, y, [Recorder()], cv=3, checkpoint=path)
    path.write_text("a letter")
    with pytest.raises(ValueError, match="does not belong to this comparison"):
        compare(X, y, [Recorder()], cv=3, checkpoint=path)
    assert path.read_text() == "a letter"

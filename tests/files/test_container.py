"""The bytes: written completely or not at all, and read only if they are what was written."""

import contextlib
import gzip
import hashlib
import json
import os
import pickle
import stat
import tracemalloc
import zipfile

import numpy as np
import pytest
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

import underdog
from tests.files.models import numbers, two_classes
from underdog import AdaBoostClassifier
from underdog.files import BadFile, CannotStore, container, inspect, load, save
from underdog.files.container import check_size, pack, parse, unpack
from underdog.files.store import SCHEMA, to_bytes

X = numbers()
MODEL = AdaBoostClassifier(n_estimators=3, max_bins=8).fit(X, two_classes(X))


@pytest.fixture
def path(tmp_path):
    MODEL.save(tmp_path / "model.udg", notes={"by": "a test", "score": [0.5, float("nan")]})
    return tmp_path / "model.udg"


def rewritten(path, **changes):
    """The file with another header and the right digest."""
    header, arrays = unpack(path, path.read_bytes())
    path.write_bytes(pack({**header, **changes}, arrays))


def test_a_file_is_a_safetensors_file_with_a_json_header(path):
    data = path.read_bytes()
    assert set(load_arrays(data)) == {about["name"] for about in inspect(path)["arrays"]}
    size = int.from_bytes(data[:8], "little")
    header = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["underdog"])
    assert header["format"] == "underdog"
    assert (header["schema"], header["library"]) == (SCHEMA, underdog.__version__)
    blank = data.replace(header["sha256"].encode(), b"0" * 64)
    assert hashlib.sha256(blank).hexdigest() == header["sha256"]


def test_inspect_tells_what_is_there_and_makes_nothing(path, monkeypatch):
    monkeypatch.setattr("underdog.files.registry.import_module", None)
    found = inspect(path)
    assert list(found) == [
        "path", "bytes", "format", "schema", "library", "needs", "model", "notes", "arrays"
    ]  # fmt: skip
    assert found["bytes"] == path.stat().st_size
    assert found["notes"]["by"] == "a test"
    assert np.isnan(found["notes"]["score"][1])
    assert found["model"]["is"] == "AdaBoostClassifier"
    assert found["model"]["state"]["certificate"] == MODEL.certificate_.own
    steps = next(about for about in found["arrays"] if about["name"] == "model.steps")
    assert steps == {"name": "model.steps", "dtype": "float64", "shape": [6, 1], "bytes": 48}


def test_notes_are_plain_values(tmp_path):
    for notes in (np.ones(2), object(), {"a": np.ones(2)}, 2**70):
        with pytest.raises(CannotStore):
            save(MODEL, tmp_path / "model.udg", notes=notes)
    assert not list(tmp_path.iterdir())


def test_an_error_in_the_middle_leaves_the_old_file(path, monkeypatch):
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(container.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        MODEL.save(path, notes="new")
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("name", ["replace", "fsync"])
def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch, name):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(container.os, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        MODEL.save(tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_replaced_keeps_its_permissions(path):
    path.chmod(0o640)
    MODEL.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(path):
    link = path.parent / "latest.udg"
    link.symlink_to(path)
    MODEL.save(link, notes="through the link")
    assert link.is_symlink()
    assert inspect(path)["notes"] == "through the link"


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    for path in (pipe, link):
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        container.write(path, b"some bytes")
        assert os.read(reader, 100) == b"some bytes"
        os.close(reader)
        assert pipe.is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


def test_saving_where_there_is_no_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        MODEL.save(tmp_path / "nowhere" / "model.udg")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        MODEL.save(tmp_path)


def test_a_newer_file_says_which_version_it_needs(path):
    rewritten(path, schema=SCHEMA + 1, needs="99.1.0")
    message = rf"needs underdog >= 99\.1\.0; this is {underdog.__version__}"
    for read in (load, inspect):
        with pytest.raises(BadFile, match=message):
            read(path)


def test_so_does_a_file_of_this_format_that_an_older_library_cannot_read(path):
    rewritten(path, needs="99.1.0", library="99.2.0")
    with pytest.raises(BadFile, match=r"needs underdog >= 99\.1\.0"):
        load(path)


def test_a_newer_library_may_have_written_an_old_format(path):
    rewritten(path, library="99.2.0")
    np.testing.assert_array_equal(load(path).decision_function(X), MODEL.decision_function(X))


def test_a_kind_that_is_not_known_names_the_version_that_wrote_it(path):
    rewritten(path, library="9.9.9", model={"is": "NewBooster", "state": {}})
    with pytest.raises(BadFile, match=r"'NewBooster', which this version does not know.*9\.9\.9"):
        load(path)


def test_what_is_not_a_model(tmp_path):
    path = tmp_path / "thing"
    things = {
        "empty": b"",
        "a pickle": pickle.dumps({"a": 1}),
        "a gzip archive": gzip.compress(b"hello" * 20),
        "JSON text": b'{"a": 1, "b": [1, 2, 3]}',
        "something else": b"Dear model, how are you?",
    }
    for what, data in things.items():
        path.write_bytes(data)
        with pytest.raises(BadFile, match=f"not an underdog model: it is {what}"):
            load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(BadFile, match="it is a zip archive"):
        load(path)
    path.write_bytes(save_arrays({"a": np.ones(3)}))
    with pytest.raises(BadFile, match="not an underdog model"):
        load(path)


def test_paths_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.udg")
    with pytest.raises(BadFile, match="is a folder"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match="is not a file"):
        load(tmp_path / "pipe")


def test_a_file_without_permission(path, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refused)
    with pytest.raises(BadFile, match="cannot be read: Permission denied"):
        load(path)


def test_a_file_that_goes_on_for_ever_is_not_read(path):
    with path.open("r+b") as file:
        file.truncate(1 << 40)  # takes no room on the disk
    with pytest.raises(BadFile, match="bytes in place of"):
        load(path)


def test_a_header_that_claims_to_be_huge_is_not_read(tmp_path):
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write((1 << 39).to_bytes(8, "little"))
        file.truncate(1 << 40)
    with pytest.raises(BadFile, match="not an underdog model"):
        load(path)


def test_every_single_byte_counts(path):
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BadFile, match=r"damaged|not an underdog model|needs underdog"):
            load(path)


@pytest.mark.parametrize(
    "text",
    ["NaN", "[Infinity]", '{"a": 1, "a": 2}', "1e999", "1" * 30, "[" * 100_000, "{", '"\ud800', ""],
)
def test_json_that_is_not_quite_json(text):
    with pytest.raises((ValueError, RecursionError)):
        parse(text)


FLOODS = {
    "lists": "[" + "[]," * 3_000_000 + "[]]",
    "objects": "[" + "{}," * 200_000 + "{}]",
    "keys": "{" + ",".join(f'"{n}":1' for n in range(120_000)) + "}",
    "numbers": "[" + "1," * 1_100_000 + "1]",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_header_with_too_many_values_is_refused_before_it_is_parsed(flood, path):
    header, arrays = unpack(path, path.read_bytes())
    text = json.dumps({"sha256": "0" * 64, **header, "notes": None})
    text = text.replace('"notes": null', f'"notes": {FLOODS[flood]}')
    data = save_arrays(arrays, metadata={"underdog": text})
    path.write_bytes(data)
    del arrays, header, text
    tracemalloc.start()
    try:
        with pytest.raises(BadFile, match=r"cannot be read \(it has more than 1000000 values"):
            load(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(data)  # bytes, text, and nothing that is made of it


def test_brackets_and_commas_in_texts_are_none_of_a_header():
    check_size(json.dumps(["[{:" * 50_000, '\\"[[[[' * 50_000, ":" * 200_000]))
    check_size("[" * 200 + "]" * 200)
    for deep in ("[" * 201 + "]" * 201, '{"a":' * 201 + "1" + "}" * 201, "]["):
        with pytest.raises(ValueError, match="brackets do not match, or are more than 200 deep"):
            check_size(deep)


@pytest.mark.parametrize("tail", ["", "\\", "x" * 10, '\\"' * 10])
def test_a_text_without_an_end_is_looked_at_once(tail):
    # From every quote to the end would take hours.
    check_size('"' + '\\"' * 300_000 + tail)
    check_size("[]" + '1 ""' * 300_000 + tail)


def test_a_header_that_could_not_be_read_is_not_written(tmp_path):
    with pytest.raises(CannotStore, match="header cannot be written: it has more than 1000000"):
        save(MODEL, tmp_path / "model.udg", notes=[0] * 1_100_000)
    with pytest.raises(CannotStore, match="or more than 100000 lists, objects and keys"):
        save(MODEL, tmp_path / "model.udg", notes=[[]] * 110_000)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("limit", ["MAX_VALUES", "MAX_PLACES"])
def test_what_is_just_small_enough_to_be_written_can_be_read(limit, tmp_path, monkeypatch):
    written = []
    for most in range(50, 500, 5):
        monkeypatch.setattr(container, limit, most)
        with contextlib.suppress(CannotStore):
            save(MODEL, tmp_path / f"{most}.udg")
            load(tmp_path / f"{most}.udg")
            written.append(most)
    assert 50 < written[0] < 495


def test_arrays_that_nothing_asks_for(path):
    header, arrays = unpack(path, path.read_bytes())
    path.write_bytes(pack(header, {**arrays, "more": np.ones(3)}))
    with pytest.raises(BadFile, match="'more' belongs to nothing"):
        load(path)


def test_flags_that_are_neither_true_nor_false(path):
    header, arrays = unpack(path, path.read_bytes())
    flags = arrays["model.schema.missing"].view(np.uint8).copy()
    flags[0] = 2
    arrays["model.schema.missing"] = flags.view(bool)
    path.write_bytes(pack(header, arrays))
    with pytest.raises(BadFile, match="neither 0 nor 1"):
        load(path)


def test_a_model_is_small(path):
    assert len(to_bytes(MODEL)[0]) < 6_000

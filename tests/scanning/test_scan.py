"""Models from folders: the same bits as from memory, and what is refused."""

import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import underdog
from tests.together.data import FRAME, LABELS, REPEATS, TWO, VALUE, WORDS, N, assert_same
from tests.together.test_same_model import CASES, made
from underdog import scan
from underdog.memory import limit, memory_limit
from underdog.reading import read
from underdog.scanning import blocks, folder

LIMIT = "64MB"
NUMBERS = FRAME[["u", "v", "w"]].to_numpy()


@pytest.fixture
def some_rows_at_once(monkeypatch):
    """Blocks of 70 rows, so that 300 rows are five blocks."""
    for module in (blocks, __import__("underdog.scanning.files", fromlist=["files"])):
        monkeypatch.setattr(module, "rows_at_once", lambda *_: 70)


@pytest.fixture
def everything_on_disk(monkeypatch):
    """All arrays of at least 64 bytes are in the file."""
    monkeypatch.setattr(limit, "PIECES", 1 << 20)


pytestmark = pytest.mark.usefixtures("some_rows_at_once", "everything_on_disk")


def pieces(X, y, **given):
    """The rows of X in blocks, with weights if there are any."""
    for start in range(0, N, 90):
        rows = slice(start, start + 90)
        own = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
        yield (own, y[rows], *(value[rows] for value in given.values()))


@pytest.mark.parametrize("case", CASES)
def test_the_same_model_as_in_memory(case, tmp_path):
    name, parameters, X, y, given = CASES[case]
    weight = {k: v for k, v in given.items() if k == "sample_weight"}
    others = {k: v for k, v in given.items() if k != "sample_weight"}
    rows = scan(pieces(X, y, **weight), tmp_path, memory_limit=LIMIT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", underdog.UnderdogWarning)
        alone = made(name, parameters).fit(X, y, **given)
        other = made(name, parameters).fit(*rows, **others)
    assert_same(alone, other)
    predicted = alone.predict(X)
    assert np.array_equal(predicted, other.predict(rows.X))


def write_parquet(path):
    pl.from_pandas(FRAME.assign(y=TWO, weight=REPEATS)).write_parquet(path, row_group_size=40)


def write_arrow(path):
    pl.from_pandas(FRAME.assign(y=TWO, weight=REPEATS)).write_ipc(path)


def write_csv(path):
    FRAME.assign(y=TWO, weight=REPEATS).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.parquet", write_parquet), ("a.arrow", write_arrow), ("a.csv", write_csv)],
)
def test_files_of_columns(name, write, tmp_path):
    write(tmp_path / name)
    rows = scan(tmp_path / name, target="y", weight="weight", memory_limit=LIMIT)
    assert rows.X.folder == tmp_path / f"{name}.scan"
    assert rows.X.shape == (N, 4)
    assert rows.X.names == ("u", "v", "w", "level")
    alone = underdog.AdaBoostClassifier(n_estimators=5).fit(FRAME, TWO, REPEATS)
    assert_same(alone, underdog.AdaBoostClassifier(n_estimators=5).fit(*rows))
    again = scan(tmp_path / name, target="y", weight="weight", memory_limit=LIMIT)
    assert np.array_equal(again.y, TWO)
    opened = scan(tmp_path / f"{name}.scan")
    assert np.array_equal(opened.sample_weight, REPEATS)


def test_a_folder_of_files_and_several_labels(tmp_path):
    (tmp_path / "parts").mkdir()
    frame = pl.from_pandas(FRAME).with_columns(
        **{f"y{k}": pl.Series(LABELS[:, k]) for k in range(3)}
    )
    for number in range(3):
        frame[number * 100 : number * 100 + 100].write_parquet(
            tmp_path / "parts" / f"{number}.parquet"
        )
    rows = scan(tmp_path / "parts", tmp_path / "scan", target=["y0", "y1", "y2"])
    alone = underdog.AdaBoostMHClassifier(n_estimators=3).fit(FRAME, LABELS)
    assert_same(alone, underdog.AdaBoostMHClassifier(n_estimators=3).fit(*rows))


def test_svmlight(tmp_path):
    y = (VALUE > 0.7).astype(int)
    for zero_based in (True, False):
        path = tmp_path / f"{zero_based}.svm"
        dump_svmlight_file(sp.csr_matrix(WORDS), y, str(path), zero_based=zero_based)
        data = read(path)
        rows = scan(path, memory_limit=LIMIT)
        alone = underdog.AdaBoostClassifier(n_estimators=5).fit(data.matrix, data.target)
        assert_same(alone, underdog.AdaBoostClassifier(n_estimators=5).fit(*rows))


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_maps(order, tmp_path):
    np.save(tmp_path / "X.npy", np.asarray(NUMBERS, dtype=np.float32, order=order))
    np.save(tmp_path / "y.npy", VALUE)
    rows = scan(tmp_path / "X.npy", target=tmp_path / "y.npy", memory_limit=LIMIT)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    other = scan(mapped, tmp_path / "other", target=VALUE, memory_limit=LIMIT)
    booster = underdog.GradientBoostingRegressor(n_estimators=3)
    alone = booster.fit(NUMBERS.astype(np.float32), VALUE)
    for own in (rows, other):
        assert_same(alone, underdog.GradientBoostingRegressor(n_estimators=3).fit(*own))
    assert rows.X.groups[0].matrix.dtype == np.float32


def test_categories_that_are_missing_in_a_block_or_of_several_types(tmp_path):
    values = np.array([None] * 100 + ["a", "b"] * 50 + [None, "c"] * 50, dtype=object)
    mixed = np.array([True, 1, 1.5, "1", None] * 60, dtype=object)
    frame = pd.DataFrame({"a": values, "b": mixed, "u": NUMBERS[:, 0]})
    parts = ((frame.iloc[s : s + 100], VALUE[s : s + 100]) for s in (0, 100, 200))
    rows = scan(parts, tmp_path, categorical=["b"] and "from_dtype", memory_limit=LIMIT)
    alone = underdog.GradientBoostingRegressor(n_estimators=3).fit(frame, VALUE)
    other = underdog.GradientBoostingRegressor(n_estimators=3).fit(*rows)
    assert_same(alone, other)
    numbers = pd.DataFrame({"a": [1.0, 2.0]}), np.zeros(2)
    texts = pd.DataFrame({"a": ["x", "y"]}), np.zeros(2)
    with pytest.raises(ValueError, match="column 'a': there is a number here, 1, but"):
        scan([texts, numbers], tmp_path / "mixed")


def test_a_scan_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    write_parquet(tmp_path / "a.parquet")
    saved = []

    def save(path, piece):
        if len(saved) == 3:
            raise KeyboardInterrupt
        saved.append(path)
        real(path, piece)

    real = folder.save_piece
    monkeypatch.setattr(folder, "save_piece", save)
    with pytest.raises(KeyboardInterrupt):
        scan(tmp_path / "a.parquet", target="y", memory_limit=LIMIT)
    work = tmp_path / "a.parquet.scan" / folder.WORK
    before = {path.name: path.stat().st_mtime_ns for path in work.glob("*.npz")}
    assert len(before) == 3
    done = []
    monkeypatch.setattr(folder, "save_piece", lambda p, piece: (done.append(p), real(p, piece)))
    rows = scan(tmp_path / "a.parquet", target="y", memory_limit="32MB")
    assert len(done) == 2
    assert not work.exists()
    assert np.array_equal(rows.y, TWO)
    assert rows.X.shape == (N, 5)


def test_a_damaged_or_changed_folder_is_refused(tmp_path):
    place = tmp_path / "scan"
    scan(pieces(FRAME, TWO), place, memory_limit=LIMIT)
    numbers = place / "numbers.npy"
    content = bytearray(numbers.read_bytes())
    content[-5] ^= 1
    numbers.write_bytes(content)
    with pytest.raises(folder.DamagedScanError, match=r"numbers.npy is damaged, or was changed"):
        scan(place)
    numbers.unlink()
    with pytest.raises(folder.DamagedScanError, match="delete"):
        scan(place)
    manifest = place / folder.MANIFEST
    manifest.write_text(manifest.read_text().replace('"rows": 300', '"rows": 301'))
    with pytest.raises(folder.DamagedScanError, match=r"manifest.json is damaged"):
        scan(place)
    text = json.dumps({"format": 99})
    folder._write(manifest, json.loads(text))
    with pytest.raises(folder.DamagedScanError, match="no scan of this version"):
        scan(place)


def test_another_source_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path)
    scan(path, target="y")
    with pytest.raises(ValueError, match="a scan with other options"):
        scan(path, target="weight")
    with pytest.raises(ValueError, match="has a scan already, and whether it is the same"):
        scan(pieces(FRAME, TWO), tmp_path / "a.parquet.scan")
    with pytest.raises(ValueError, match="is a scan already: give nothing but"):
        scan(tmp_path / "a.parquet.scan", target="y")
    write_arrow(path)
    with pytest.raises(ValueError, match="the source has changed since"):
        scan(path, target="y", format="arrow")


def test_an_unfinished_scan_of_another_source_begins_anew(tmp_path):
    place = tmp_path / "scan"
    work = place / folder.WORK
    work.mkdir(parents=True)
    folder._write(work / folder.JOURNAL, {"made_from": "else", "memory": 1})
    shutil.copy(__file__, work / "000000000.npz")
    rows = scan(pieces(FRAME, TWO), place)
    assert len(rows.X) == N


@pytest.mark.parametrize(
    "booster",
    [
        underdog.LPBoostClassifier(),
        underdog.SoftBoostClassifier(),
        underdog.AdaBoostClassifier(learner=DecisionTreeClassifier()),
        underdog.AdaBoostR2Regressor(learner=LinearRegression()),
    ],
)
def test_what_needs_memory_is_refused_at_once(booster, tmp_path):
    rows = scan(pieces(FRAME, TWO), tmp_path, memory_limit=LIMIT)
    with pytest.raises(ValueError, match=r"needs all rows in memory, but X is on disk: give X"):
        booster.fit(*rows)


@pytest.mark.parametrize(
    ("source", "given", "error", "message"),
    [
        ("none.parquet", {}, FileNotFoundError, "does not exist"),
        (__file__, {"format": "xlsx"}, ValueError, "cannot be read in parts"),
        ("a.parquet", {"target": "z"}, ValueError, "there is no column 'z'"),
        ("a.parquet", {"memory_limit": "1KB"}, ValueError, "at least 16 MiB"),
        (NUMBERS, {"target": "y"}, ValueError, "an array has no column 'y'"),
        ([FRAME], {"target": VALUE}, ValueError, "give y in tuples"),
        ([], {}, ValueError, "no rows"),
        ([(FRAME, TWO[:5])], {}, ValueError, "X has 300 rows, but y has 5"),
        ([(FRAME, TWO), (FRAME, VALUE)], {}, ValueError, "of different kinds"),
        ([(FRAME, TWO), (NUMBERS, TWO)], {}, ValueError, "different columns"),
        ([(NUMBERS, TWO), (NUMBERS[:, :2], TWO)], {}, ValueError, "3 and 2 columns"),
        ([FRAME.assign(y=FRAME["level"])], {"target": "y"}, ValueError, "the target is missing"),
        ([FRAME.assign(level=pd.Timestamp(0))], {}, ValueError, "Datetime"),
    ],
)
def test_errors(source, given, error, message, tmp_path):
    write_parquet(tmp_path / "a.parquet")
    path = tmp_path / source if isinstance(source, str) else source
    with pytest.raises(error, match=message):
        scan(path, tmp_path / "scan", **given)
    if not isinstance(source, str):
        with pytest.raises(ValueError, match="folder is missing"):
            scan(path)


def test_sparse_columns_beside_others(tmp_path):
    def parts():
        for start in (0, 150):
            rows = slice(start, start + 150)
            yield underdog.Table.hstack([NUMBERS[rows], WORDS[rows]]), TWO[rows]

    rows = scan(parts(), tmp_path, memory_limit=LIMIT)
    alone = underdog.AdaBoostClassifier(n_estimators=5)
    alone.fit(underdog.Table.hstack([NUMBERS, WORDS]), TWO)
    assert_same(alone, underdog.AdaBoostClassifier(n_estimators=5).fit(*rows))


def test_early_stopping_and_a_warm_start(tmp_path):
    rows = scan(pieces(sp.csr_array(WORDS), TWO), tmp_path, memory_limit=LIMIT)
    half = underdog.AdaBoostClassifier(n_estimators=3, warm_start=True).fit(*rows)
    half.set_params(n_estimators=6).fit(*rows)
    whole = underdog.AdaBoostClassifier(n_estimators=6).fit(WORDS, TWO)
    assert_same(whole, half)
    with memory_limit("64MB"):  # an outer limit is used
        assert_same(whole, underdog.AdaBoostClassifier(n_estimators=6).fit(*rows))
    assert Path(rows.X.folder) == tmp_path

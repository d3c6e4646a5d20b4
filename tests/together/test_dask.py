"""Fits on the workers of a Dask cluster, some of which end in the middle."""

import os
import signal
import threading
import time

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from sklearn.base import clone

import underdog
from tests.together.data import FRAME, REPEATS, TWO, VALUE, WORDS, N, assert_same
from underdog.estimators.support.cluster import LostDataError

NUMBERS = FRAME[["u", "v", "w"]].to_numpy()


pytestmark = [
    # Dask's own: sockets and event loops that it leaves to the garbage collector
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed"),
    pytest.mark.xdist_group("dask"),
]


@pytest.fixture(scope="module")
def cluster():
    quiet = {"distributed.logging.distributed": "critical", "distributed.admin.tick.limit": "1h"}
    with (
        dask.config.set({**quiet, "distributed.scheduler.allowed-failures": 10}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with Client(cluster) as client:
        yield client


def as_frame(values, npartitions=5):
    return dd.from_pandas(pd.Series(values, FRAME.index), npartitions=npartitions)


@pytest.fixture
def frame(client):
    assert client.status == "running"
    return dd.from_pandas(FRAME, npartitions=5)


def test_frames_with_weights_and_early_stopping(frame):
    booster = underdog.AdaBoostClassifier(
        n_estimators=20, early_stopping=True, validation_fraction=0.3, n_iter_no_change=3
    )
    alone = clone(booster).fit(FRAME, TWO, REPEATS)
    joint = clone(booster).fit(frame, as_frame(TWO), as_frame(REPEATS))
    assert_same(alone, joint)
    assert joint.feature_names_in_.tolist() == list(FRAME.columns)
    assert joint.n_features_in_ == 4
    for method in ("predict", "decision_function", "predict_proba"):
        lazy = getattr(joint, method)(frame)
        assert hasattr(lazy, "__dask_graph__")
        assert np.array_equal(lazy.compute().to_numpy(), getattr(alone, method)(FRAME))


def test_arrays_and_sparse_blocks(client):
    assert client.status == "running"
    words = da.from_array(WORDS.toarray(), chunks=(70, 5)).rechunk((70, 12))
    sparse = words.map_blocks(type(WORDS))
    y = da.from_array(VALUE, chunks=100)
    booster = underdog.GradientBoostingRegressor(n_estimators=3, max_leaf_nodes=4)
    alone = clone(booster).fit(WORDS, VALUE)
    joint = clone(booster).fit(sparse, y)
    assert_same(alone, joint)
    lazy = joint.predict(words)
    assert lazy.chunks == (words.chunks[0],)
    assert np.array_equal(lazy.compute(), alone.predict(WORDS))
    proba = underdog.AdaBoostClassifier(n_estimators=3).fit(WORDS, TWO).predict_proba(words)
    assert proba.compute().shape == (N, 2)


def in_round(monkeypatch, number, act):
    """Call a function once, when the client has taken this many rounds."""
    from underdog import engine

    take, done = engine._take, []

    def watched(run, *rest):
        take(run, *rest)
        here = threading.current_thread() is threading.main_thread()
        if here and not done and len(run.history) == number:
            done.append(number)
            act()

    monkeypatch.setattr(engine, "_take", watched)
    return done


def kill_one(client):
    """End the process of a worker, as a machine that fails does."""
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


@pytest.mark.parametrize(
    "name",
    ["AdaBoostClassifier", pytest.param("GradientBoostingClassifier", marks=pytest.mark.slow)],
)
def test_a_worker_is_killed(name, client, frame, monkeypatch):
    booster = getattr(underdog, name)(
        n_estimators=8, early_stopping=True, validation_fraction=0.3, n_iter_no_change=6, tol=0.01
    )
    alone = clone(booster).fit(FRAME, TWO)
    client.wait_for_workers(2, timeout=60)
    done = in_round(monkeypatch, 4, lambda: kill_one(client))
    joint = clone(booster).fit(frame, as_frame(TWO))
    assert done
    assert_same(alone, joint)


def scale(cluster, client, count):
    """Start or end workers, and wait until there are this many."""
    cluster.scale(count)
    client.wait_for_workers(count, timeout=60)
    deadline = time.monotonic() + 60
    while len(client.scheduler_info(n_workers=-1)["workers"]) != count:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def parts_of_any_size(seed):
    """The same rows in no order, in partitions of very different sizes, one of them empty."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(N)
    pieces = np.split(order, [*np.sort(rng.integers(1, N, 5)), N])

    def framed(values):
        return dd.from_delayed([dask.delayed(values.iloc[rows]) for rows in pieces])

    return framed(FRAME), framed(pd.Series(TWO, FRAME.index))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_any_number_of_workers(count, cluster, client):
    scale(cluster, client, count)
    try:
        booster = underdog.AdaBoostClassifier(n_estimators=4, learner="tree")
        alone = clone(booster).fit(FRAME, TWO)
        X, y = parts_of_any_size(count)
        assert_same(alone, clone(booster).fit(X, y))
    finally:
        scale(cluster, client, 2)


def test_a_worker_joins(cluster, client, frame, monkeypatch):
    booster = underdog.AdaBoostClassifier(n_estimators=6)
    alone = clone(booster).fit(FRAME, TWO)

    done = in_round(monkeypatch, 3, lambda: scale(cluster, client, 3))
    assert_same(alone, clone(booster).fit(frame, as_frame(TWO)))
    assert done
    assert_same(alone, clone(booster).fit(frame, as_frame(TWO)))  # with three
    scale(cluster, client, 2)


def test_a_worker_is_slow(client, frame):
    def slow_down():
        import time

        from underdog.estimators.support import replica

        quick, calls = replica.Replica.exchange, []

        def slow(self, kind, own):
            calls.append(kind)
            time.sleep(1.5 if len(calls) == 8 else 0.02)  # longer than the client's patience
            return quick(self, kind, own)

        replica.Replica.exchange, replica.Replica.quick = slow, quick

    def speed_up():
        from underdog.estimators.support import replica

        replica.Replica.exchange = replica.Replica.quick

    slow_one = [next(iter(client.scheduler_info(n_workers=-1)["workers"]))]
    booster = underdog.AdaBoostClassifier(n_estimators=4)
    alone = clone(booster).fit(FRAME, TWO)
    client.run(slow_down, workers=slow_one)
    try:
        assert_same(alone, clone(booster).fit(frame, as_frame(TWO)))
    finally:
        client.run(speed_up, workers=slow_one)


def test_a_client_that_is_not_the_current_one_and_a_progress_bar(cluster, frame, capsys):
    with Client(cluster, set_as_default=False) as other:
        model = underdog.AdaBoostClassifier(n_estimators=3, verbose=1)
        model.fit(frame, as_frame(TWO), client=other)
        assert "] 3/3 rounds, loss" in capsys.readouterr().err
        assert_same(underdog.AdaBoostClassifier(n_estimators=3).fit(FRAME, TWO), model)
        with pytest.raises(ValueError, match="client was given, but X is a DataFrame"):
            model.fit(FRAME, TWO, client=other)


def test_the_client_is_interrupted_and_goes_on(client, frame, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    booster = underdog.AdaBoostClassifier(n_estimators=8, warm_start=True)
    alone = clone(booster).fit(FRAME, TWO)
    client.wait_for_workers(2, timeout=60)
    in_round(monkeypatch, 4, interrupt)
    with pytest.raises(KeyboardInterrupt):
        booster.fit(frame, as_frame(TWO))
    assert booster.stop_reason_ == "interrupted"
    assert booster.n_iter_ == 4
    assert np.isfinite(booster.certificate_["bound"])
    assert_same(alone, booster.fit(frame, as_frame(TWO)))


@pytest.mark.slow
def test_rows_that_cannot_be_loaded_again(client, monkeypatch, tmp_path):
    paths = []
    for number, rows in enumerate(np.array_split(np.arange(N), 3)):
        paths.append(tmp_path / f"{number}.npy")
        np.save(paths[-1], NUMBERS[rows])
    blocks = [da.from_delayed(dask.delayed(np.load)(path), (100, 3), dtype=float) for path in paths]
    X, y = da.concatenate(blocks), da.from_array(TWO, chunks=100)
    client.wait_for_workers(2, timeout=60)

    def lose():
        for path in paths:
            path.unlink()
        for process in client.run(os.getpid).values():
            os.kill(process, signal.SIGKILL)

    in_round(monkeypatch, 4, lose)
    booster = underdog.AdaBoostClassifier(n_estimators=8)
    with pytest.raises(LostDataError, match="after 4 rounds, which the model has: to go on"):
        booster.fit(X, y)
    assert booster.stop_reason_.endswith("after 4 rounds")
    alone = underdog.AdaBoostClassifier(n_estimators=4).fit(NUMBERS, TWO)
    assert np.array_equal(booster.predict_proba(NUMBERS), alone.predict_proba(NUMBERS))
    client.wait_for_workers(2, timeout=60)


@pytest.mark.parametrize(
    ("booster", "X", "y", "message"),
    [
        (underdog.LPBoostClassifier(), FRAME, TWO, "needs all rows in one place"),
        (underdog.AdaBoostClassifier(max_bins=1), FRAME, TWO, "max_bins"),
        (underdog.AdaBoostAClassifier(initial="zipf"), FRAME, TWO, "the order of all rows"),
        (
            underdog.GradientBoostingRegressor(loss="huber", early_stopping=True),
            FRAME,
            TWO,
            "the Huber loss needs all held-out rows",
        ),
        (
            underdog.GradientBoostingClassifier(prior_knowledge=["otherwise: 1 0.9"]),
            FRAME,
            TWO,
            "prior_knowledge needs all rows",
        ),
        (underdog.AdaBoostClassifier(), FRAME, None, "give y as a Dask collection"),
        (underdog.AdaBoostClassifier(), FRAME, as_frame(TWO, 2), "numbers of partitions differ"),
        (underdog.AdaBoostClassifier(), FRAME.assign(u=pd.Timestamp(0)), TWO, "Datetime"),
    ],
)
def test_refused_at_once(client, booster, X, y, message):
    assert client.status == "running"
    y = TWO if y is None else as_frame(y) if isinstance(y, np.ndarray) else y
    with pytest.raises(ValueError, match=message):
        booster.fit(dd.from_pandas(X, npartitions=5), y)

"""A fit whose rows are dealt to several threads, each of which is a process of the collective."""

import copy
import threading
import warnings

import numpy as np

from underdog.data.conversion import take_rows
from underdog.estimators.support.weights import FitArguments
from underdog.workers.collective import combine


class Threads:
    """One of several threads; `exchange` waits for all of them."""

    def __init__(self, number, shared):
        self.number, self.shared = number, shared

    def exchange(self, kind, own):
        parts, barrier, messages = self.shared
        parts[self.number] = kind, copy.deepcopy(own)  # as if it were sent
        barrier.wait(60)
        kinds = {each for each, _ in parts}
        assert kinds == {kind}, kinds
        result = combine(kind, [part for _, part in parts])
        if self.number == 0:
            messages.append((kind, result))
        barrier.wait(60)
        return result


def deal(n_rows, n_parts, seed=0):
    """The rows of each part, of very different sizes and in no order."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(1, n_rows, n_parts - 1))
    return np.split(rng.permutation(n_rows), cuts)


def fit_together(booster, X, y, n_parts, seed=0, **given):
    """The same fit in several threads, the first of which has no rows; also its messages."""
    parts = deal(len(y), n_parts, seed)
    shared = [None] * (n_parts + 1), threading.Barrier(n_parts + 1), []
    errors, models = [], [copy.deepcopy(booster) for _ in range(n_parts + 1)]

    def run(number):
        collective = Threads(number, shared)
        try:
            if number == 0:
                none = {name: np.empty(0) for name in given}
                models[0]._fit(None, None, FitArguments(collective=collective, **none))
                return
            own = parts[number - 1]
            values = {name: np.asarray(value)[own] for name, value in given.items()}
            models[number]._fit(
                take_rows(X, own), y[own], FitArguments(collective=collective, **values)
            )
        except BaseException as error:
            shared[1].abort()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(n_parts + 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for error in errors:
        if not isinstance(error, threading.BrokenBarrierError):
            raise error
    return models[0], shared[2]

"""Threads that meet in compiled code."""

import numba
import numpy as np
import pytest

from underdog.kernels import barrier
from underdog.workers import Team, Workers

pytestmark = pytest.mark.skipif(not barrier.can_meet(), reason="only compiled threads can meet")


class Released(Team):
    """Tasks that wait at a barrier with this counter."""

    def __init__(self, counter):
        self.counter = counter

    def release(self):
        barrier.release(self.counter)


@numba.njit(nogil=True)
def pass_on(counter, thread, n_threads, rounds, seen, met):
    """In every round each thread writes what the next one reads."""
    for round_ in range(rounds):
        seen[thread] = round_
        if not barrier.wait(counter, n_threads):
            return
        if seen[(thread + 1) % n_threads] == round_:
            met[thread] += 1
        if not barrier.wait(counter, n_threads):
            return


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_nobody_passes_before_all_have_arrived(n_threads):
    counter, seen, met = (np.zeros(size, dtype=np.int64) for size in (1, n_threads, n_threads))
    with Workers(n_threads) as workers:
        workers.together(
            lambda thread: pass_on(counter, thread, n_threads, 2000, seen, met),
            n_threads,
            Released(counter),
        )
    assert met.tolist() == [2000] * n_threads
    if n_threads > 1:
        assert counter.tolist() == [2 * 2000 * n_threads]


def test_threads_that_wait_can_be_released():
    counter, seen, met = (np.zeros(size, dtype=np.int64) for size in (1, 2, 2))

    def task(thread):
        if thread == 0:
            raise OverflowError("never arrives")
        pass_on(counter, thread, 2, 10, seen, met)

    with Workers(2) as workers, pytest.raises(OverflowError):
        workers.together(task, 2, Released(counter))
    assert met.tolist() == [0, 0]


@numba.njit(nogil=True)
def claim_all(places, claims):
    """Claim every place that nobody has claimed yet."""
    for place in range(places.shape[0]):
        if barrier.exchange(places[place], np.int64(-1), np.int64(place)):
            claims[place] += 1


def test_a_place_is_claimed_once():
    places, claims = np.full((20_000, 1), -1), np.zeros((3, 20_000), dtype=np.int64)
    with Workers(3) as workers:
        workers.together(lambda thread: claim_all(places, claims[thread]), 3, Team())
        workers.settle()
    assert claims.sum(axis=0).tolist() == [1] * 20_000
    assert places[:, 0].tolist() == list(range(20_000))


@numba.njit(nogil=True)
def take_all(counter, n_threads, taken):
    """Take three numbers at a time."""
    first = barrier.take(counter, 3, n_threads)
    while first < taken.shape[0]:
        for number in range(first, min(first + 3, taken.shape[0])):
            taken[number] += 1
        first = barrier.take(counter, 3, n_threads)


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_every_number_is_taken_once(n_threads):
    counter, taken = np.zeros(1, dtype=np.int64), np.zeros(10_001, dtype=np.int64)
    with Workers(n_threads) as workers:
        workers.together(lambda _: take_all(counter, n_threads, taken), n_threads, Team())
    assert taken.tolist() == [1] * len(taken)


@numba.njit(nogil=True)
def answer(box, counter, seen):
    """Add up the numbers that are put in the box, until 0 is put there."""
    while barrier.changes(box, -1, counter):
        given = barrier.look(box)
        if given == 0:
            return
        seen[0] += given
        barrier.put(box, -1)


@numba.njit(nogil=True)
def ask(box, counter, rounds):
    """Put 1, ..., rounds in the box, each when the one before was taken, and then 0."""
    for number in range(1, rounds + 1):
        barrier.put(box, number)
        barrier.changes(box, number, counter)
    barrier.put(box, 0)


def test_a_thread_that_waits_for_another_sees_all_that_it_is_given():
    box, counter, seen = np.full(1, -1), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)

    def task(thread):
        if thread == 0:
            ask(box, counter, 1000)
        else:
            answer(box, counter, seen)

    with Workers(2) as workers:
        workers.together(task, 2, Released(counter))
    assert seen.tolist() == [1000 * 1001 // 2]


def test_a_thread_that_waits_for_a_change_can_be_released():
    box, counter = np.full(1, -1), np.zeros(1, dtype=np.int64)
    barrier.release(counter)
    assert not barrier.changes(box, -1, counter)
    assert barrier.changes(box, 3, counter)


def test_a_place_is_written_only_if_it_is_what_is_expected():
    place = np.array([3, 7])
    assert barrier.exchange(place, 3, 4)
    assert not barrier.exchange(place, 3, 5)
    assert place.tolist() == [4, 7]

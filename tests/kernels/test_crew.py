"""Threads that stay in compiled code between two trees."""

import threading
import time

import numba
import numpy as np
import pytest

from underdog.kernels import barrier, crew
from underdog.workers import Team, Workers

pytestmark = pytest.mark.skipif(not barrier.can_meet(), reason="only compiled threads can meet")

IDLE = -1


@numba.njit(nogil=True)
def help_out(box, counter, seen):
    """Count the calls; each is over when the box says so."""
    while True:
        seen[0] += 1
        if not barrier.changes(box, IDLE, counter):
            return
        if barrier.look(box) != crew.PAUSE or not crew.stays(box, counter):
            return


@numba.njit(nogil=True)
def lead(mail, message):
    """Tell the others that this call is over."""
    for thread in range(1, mail.shape[0]):
        box = mail[thread]
        while barrier.look(box) != IDLE:
            barrier.offer(1000)
        barrier.put(box, message)


class Staying(Team):
    """Threads that count how often they were started and called."""

    def __init__(self, n_threads):
        self.mail = np.full((n_threads, 8), crew.GONE)
        self.counter = np.zeros(1, dtype=np.int64)
        self.seen = np.zeros((n_threads, 8), dtype=np.int64)
        self.started = 0

    def start(self):
        self.started += 1
        self.mail.fill(IDLE)
        self.counter[0] = 0

    def call(self):
        return bool(crew.call(self.mail, self.counter, IDLE))

    def dismiss(self):
        crew.dismiss(self.mail, self.counter)

    def release(self):
        barrier.release(self.counter)

    def task(self, thread, message=crew.PAUSE):
        if thread == 0:
            lead(self.mail, message)
        else:
            help_out(self.mail[thread], self.counter, self.seen[thread])


@pytest.mark.parametrize("n_threads", [2, 3, 5])
def test_every_thread_takes_part_in_every_call(n_threads):
    team = Staying(n_threads)
    with Workers(n_threads) as workers:
        for _ in range(300):
            workers.together(team.task, n_threads, team)
    assert team.seen[1:, 0].tolist() == [300] * (n_threads - 1)


def test_a_thread_leaves_after_a_while_and_is_started_again():
    team = Staying(2)
    with Workers(2) as workers:
        for _ in range(3):
            workers.together(team.task, 2, team)
            while team.mail[1, 0] != crew.GONE:
                time.sleep(0.001)
    assert team.started == 3
    assert team.seen[1, 0] == 3


def test_those_who_wait_make_room_for_others():
    first, second, done = Staying(3), Staying(3), []
    with Workers(3) as workers:
        for _ in range(50):
            workers.together(first.task, 3, first)
            workers.together(second.task, 3, second)
            workers.run(lambda start, stop: done.append((start, stop)), 3, 10**9)
    assert first.seen[1:, 0].tolist() == second.seen[1:, 0].tolist() == [50, 50]
    assert first.started == second.started == 50
    assert sorted(done) == sorted([(0, 1), (1, 2), (2, 3)] * 50)


def test_nobody_waits_after_an_error():
    team = Staying(2)

    def fails(thread):
        if thread == 0:
            raise OverflowError("before it tells the others")
        team.task(thread)

    with Workers(2) as workers:
        workers.together(team.task, 2, team)
        with pytest.raises(OverflowError):
            workers.together(fails, 2, team)
        team.counter[0] = 0
        workers.together(team.task, 2, team)
    assert team.seen[1, 0] == 3


def test_some_have_left_when_all_are_called():
    team = Staying(3)
    team.mail[1, 0], team.mail[2, 0] = crew.WAITING, crew.GONE
    assert not team.call()
    assert team.mail[1:, 0].tolist() == [crew.GONE, crew.GONE]


def test_an_error_of_another_thread_is_raised_and_the_next_call_works():
    team = Staying(2)

    def fails(thread):
        if thread == 1:
            raise OverflowError("before it is idle again")
        while team.counter[0] < barrier.RELEASED:
            time.sleep(0.001)

    with Workers(2) as workers:
        with pytest.raises(OverflowError):
            workers.together(fails, 2, team)
        for _ in range(3):
            workers.together(team.task, 2, team)
    assert team.started == 2
    assert team.seen[1, 0] == 3


@pytest.mark.parametrize("ending", ["call", "dismiss"])
@pytest.mark.parametrize("box", [crew.PAUSE, crew.WAITING, IDLE])
def test_nobody_waits_for_a_thread_that_was_released(ending, box):
    """It leaves as soon as it sees the release, perhaps before it sees what is in its box."""
    team, answers = Staying(2), []
    team.mail[1, 0] = box
    team.release()
    waiting = threading.Thread(target=lambda: answers.append(getattr(team, ending)()), daemon=True)
    waiting.start()
    waiting.join(60)
    ended = not waiting.is_alive()
    team.mail[1, 0] = crew.GONE  # else it would wait for ever
    waiting.join()
    assert ended
    assert not answers[0]

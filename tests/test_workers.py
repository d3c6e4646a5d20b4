"""Work handed to threads covers everything once."""

import threading
import time

import numpy as np
import pytest

from underdog.workers import MIN_WORK, TO_START, Team, Workers


def covered(jobs, size, work=100 * MIN_WORK):
    seen = np.zeros(size, dtype=np.int64)

    def task(start, stop):
        seen[start:stop] += 1

    with Workers(jobs) as workers:
        workers.run(task, size, work)
    return seen


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_every_place_is_visited_once(jobs, size):
    assert (covered(jobs, size) == 1).all()


def test_little_work_is_one_piece():
    ranges = []
    Workers(4).run(lambda start, stop: ranges.append((start, stop)), 10, MIN_WORK)
    assert ranges == [(0, 10)]


def test_threads_are_started_for_more_work_than_they_are_used_for():
    ranges = []
    with Workers(2) as workers:
        for work in (2 * MIN_WORK, TO_START * MIN_WORK, 2 * MIN_WORK):
            workers.run(lambda start, stop: ranges.append((start, stop)), 10, work)
    assert ranges[0] == (0, 10)
    assert sorted(ranges[1:]) == [(0, 5), (0, 5), (5, 10), (5, 10)]


def test_other_pieces_are_finished_when_the_first_fails():
    done = []

    def task(start, stop):
        if start == 0:
            raise KeyboardInterrupt
        time.sleep(0.05)
        done.append(start)

    with Workers(2) as workers:
        with pytest.raises(KeyboardInterrupt):
            workers.run(task, 10, 10 * MIN_WORK)
        assert done == [5]


@pytest.mark.parametrize("failing", [0, 5])
def test_an_error_in_any_piece_is_raised(failing):
    def task(start, stop):
        if start == failing:
            raise ZeroDivisionError("piece")

    with pytest.raises(ZeroDivisionError, match="piece"), Workers(2) as workers:
        workers.run(task, 10, 10 * MIN_WORK)


class Meeting(Team):
    """Tasks that wait for each other at a barrier."""

    def __init__(self, count):
        self.barrier = threading.Barrier(count, timeout=60)

    def release(self):
        self.barrier.abort()


def test_tasks_that_run_together_can_wait_for_each_other():
    meeting = Meeting(3)
    seen = []
    with Workers(4) as workers:
        workers.together(lambda number: (meeting.barrier.wait(), seen.append(number)), 3, meeting)
    assert sorted(seen) == [0, 1, 2]


def test_the_others_are_released_if_one_task_fails():
    meeting = Meeting(2)

    def task(number):
        if number == 0:
            raise OverflowError("here")
        with pytest.raises(threading.BrokenBarrierError):
            meeting.barrier.wait()

    with Workers(2) as workers, pytest.raises(OverflowError, match="here"):
        workers.together(task, 2, meeting)


@pytest.mark.parametrize("returns", [True, False])
def test_the_error_of_another_task_is_raised(returns):
    meeting = Meeting(2)

    def task(number):
        if number == 1:
            raise OverflowError("there")
        try:
            meeting.barrier.wait()
        except threading.BrokenBarrierError:
            if not returns:
                raise

    with Workers(2) as workers, pytest.raises(OverflowError, match="there"):
        workers.together(task, 2, meeting)


def test_more_tasks_than_threads_are_refused():
    with (
        Workers(2) as workers,
        pytest.raises(ValueError, match="3 tasks cannot run at the same time on 2 threads"),
    ):
        workers.together(print, 3, Team())

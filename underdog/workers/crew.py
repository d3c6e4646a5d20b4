"""Threads that stay in compiled code between one task and the next."""

from __future__ import annotations

from underdog.kernels import crew
from underdog.kernels.barrier import release
from underdog.types import Integers
from underdog.workers import Team


class Crew(Team):
    """The threads of a task that is done again and again; see `kernels.crew`.

    Parameters
    ----------
    mail : [thread, place]
        What each of them is told; a thread has a cache line.
    counter : (1,)
        See `kernels.barrier`.
    """

    def __init__(self, mail: Integers, counter: Integers) -> None:
        self.mail, self.counter = mail, counter
        self.stays = True
        """Whether the threads wait for the next task after this one."""
        self.in_the_way = False
        """Whether they were sent home because their threads were needed in between."""

    def start(self) -> None:
        self.mail.fill(crew.IDLE)
        self.counter[0] = 0

    def call(self) -> bool:
        return self.stays and bool(crew.call(self.mail, self.counter, crew.IDLE))

    def dismiss(self) -> None:
        crew.dismiss(self.mail, self.counter)
        self.in_the_way = True

    def release(self) -> None:
        release(self.counter)

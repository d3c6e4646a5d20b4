"""The threads that grow a tree together."""

from __future__ import annotations

from underdog.kernels import crew
from underdog.kernels.barrier import release
from underdog.kernels.tree_arrays import IDLE, Shared
from underdog.workers import Team


class Growers(Team):
    """The threads that grow a tree; between two trees they may stay in compiled code.

    Parameters
    ----------
    shared : Shared
    """

    def __init__(self, shared: Shared) -> None:
        self.mail, self.counter = shared.mail, shared.counter
        self.stays = False
        """Whether the threads wait for the next tree after this one."""
        self.in_the_way = False
        """Whether they were sent home because their threads were needed between two trees."""

    def start(self) -> None:
        self.mail.fill(IDLE)

    def call(self) -> bool:
        return self.stays and bool(crew.call(self.mail, IDLE))

    def dismiss(self) -> None:
        crew.dismiss(self.mail)
        self.in_the_way = True

    def release(self) -> None:
        release(self.counter)

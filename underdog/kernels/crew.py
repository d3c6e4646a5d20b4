"""Threads that stay in compiled code between one tree and the next.

To hand a tree to a thread from Python takes as long as to split ten small nodes. So a thread that
has helped to grow a tree waits for the next one for a while, by looking at its box in `mail`. The
first thread calls it again, or sends it home.
"""

import numpy as np

from underdog.kernels.barrier import RELEASED, exchange, look, offer, put
from underdog.kernels.jit import kernel

IDLE, PAUSE, WAITING, CALLED, GONE = -1, -4, -5, -6, -7
"""What is in a box: a thread has nothing to do yet, is told to wait, does so, is called, or has
left."""
PATIENCE = 4000
"""How often a thread offers its processor to others before it leaves, about two milliseconds."""


@kernel
def stays(box, counter):
    """Wait for the next tree; False if there is none."""
    put(box, np.int64(WAITING))
    tries = 0
    while True:
        now = look(box)
        if now not in (WAITING, CALLED):
            return now != GONE  # else the next tree may have gone further than the call
        if look(counter) >= RELEASED:
            return False
        tries += 1
        offer(tries)
        if tries >= PATIENCE and exchange(box, np.int64(WAITING), np.int64(GONE)):
            return False


@kernel
def pauses(box, counter):
    """Wait until a thread does what PAUSE asks for; False if it has left or is released."""
    tries = 0
    while look(box) == PAUSE:
        if look(counter) >= RELEASED:
            return False  # it may have left without a look at its box
        tries += 1
        offer(tries)
    return look(box) == WAITING


@kernel
def call(mail, counter, idle):
    """Tell all threads but the first that there is another tree; False if one of them has left."""
    there = look(counter) < RELEASED
    for thread in range(1, mail.shape[0]):
        box = mail[thread]
        there = there and pauses(box, counter)
        there = there and exchange(box, np.int64(WAITING), np.int64(CALLED))
    for thread in range(1, mail.shape[0]):
        box = mail[thread]
        if there:
            put(box, idle)
        elif not exchange(box, np.int64(CALLED), np.int64(GONE)):
            dismiss_one(box, counter)
    return there


@kernel
def dismiss_one(box, counter):
    """Send a thread home that waits."""
    if pauses(box, counter):
        exchange(box, np.int64(WAITING), np.int64(GONE))


@kernel
def dismiss(mail, counter):
    """Send all threads but the first home, if they wait."""
    for thread in range(1, mail.shape[0]):
        dismiss_one(mail[thread], counter)

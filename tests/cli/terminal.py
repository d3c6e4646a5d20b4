"""A real terminal of any width."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

PROGRAM = [sys.executable, "-c", "from underdog.cli.main import main; main()"]
CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def in_terminal(columns, *command, program=PROGRAM):
    """Exit code and what a terminal of this width gets."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    running = subprocess.Popen(
        [*program, *command], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        env={**environment, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # how Linux says that nobody is at the other end
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    return running.wait(60), b"".join(parts).decode()


def lines_of(shown):
    """What stays on the screen: the last state of each line."""
    lines = shown.replace("\r\n", "\n").split("\n")
    return [CODE.sub("", line).rsplit("\r", 1)[-1] for line in lines]

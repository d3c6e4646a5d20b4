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
CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
PIECE = re.compile(rf"{CODE.pattern}|\r|\n|[^\x1b\r\n]+")


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
    """What stays on the screen: texts may be written over, and lines may be erased."""
    lines, row, column = [""], 0, 0
    for piece in PIECE.finditer(shown):
        text, number, code = piece[0], piece[1], piece[2]
        if text == "\n":
            row += 1
            if row == len(lines):
                lines.append("")
        elif text == "\r":
            column = 0
        elif code == "A":
            row = max(0, row - int(number or 1))
        elif code == "K":
            lines[row] = "" if number == "2" else lines[row][:column]
        elif code is None:
            line = lines[row].ljust(column)
            lines[row] = line[:column] + text + line[column + len(text) :]
            column += len(text)
    return lines

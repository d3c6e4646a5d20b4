"""What a command shows: results on standard output, all else on standard error."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import textwrap
import traceback
import warnings
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

FAILED, BAD_OPTION, BAD_DATA, BAD_MODEL, INTERRUPTED = 1, 2, 3, 4, 130
"""Exit codes; 0 is success."""
EXPECTED = (ValueError, OSError, MemoryError, ImportError, typer.BadParameter)
"""Errors that are not faults of the program."""
PIPE_WIDTH = 160


class Stopped(KeyboardInterrupt):
    """The user has had enough; the message says what is kept and how to go on."""


class Screen:
    """Where a command writes to. As a context it turns errors into one sentence and an exit code.

    Parameters
    ----------
    as_json : bool
        Whether the result is one JSON object, for machines.
    quiet : bool
        Whether to write nothing but the result and errors.
    verbose : bool
        Whether an error shows where it came from.
    """

    def __init__(self, as_json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.verbose = verbose
        self._out, self._err = _console(sys.stdout), _console(sys.stderr)
        self._warnings = warnings.catch_warnings()

    def say(self, text: str = "") -> None:
        """Tell how it goes."""
        if not self.quiet:
            self._print(self._err, text)

    def note(self, text: str) -> None:
        """Tell something that the user should know."""
        self.say(f"note: {text}")

    def show(self, *parts: Any) -> None:
        """A part of the result for people: text, or a table."""
        if self.as_json:
            return
        for part in parts:
            if isinstance(part, str):
                self._print(self._out, part)
            else:
                self._out.print(part)

    def give(self, result: dict[str, Any]) -> None:
        """The result for machines."""
        if self.as_json:
            self._out.file.write(as_json(finite(result), indent=2) + "\n")

    def progress(self, what: str, total: int, done: int = 0) -> Bar:
        """A bar on a terminal, and nothing elsewhere."""
        return Bar(self._err, what, total, done, hidden=not self.shows_progress)

    @property
    def width(self) -> int:
        """Characters that fit into a line of the result."""
        return self._out.width if self._out.is_terminal else sys.maxsize

    @property
    def shows_progress(self) -> bool:
        """Whether somebody looks."""
        return self._err.is_terminal and not self.quiet

    def __enter__(self) -> Screen:
        self._warnings.__enter__()
        # Not "always": what a fit warns of in every fold is told once.
        warnings.simplefilter("default")
        shown: set[str] = set()

        def tell(message: Warning | str, *_: Any, **__: Any) -> None:
            text = str(message).strip()
            if text not in shown:
                shown.add(text)
                self.note(text)

        warnings.showwarning = tell
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._warnings.__exit__(None, None, None)
        if error is None:
            try:  # see a closed pipe or a full disk now, and not when the interpreter ends
                sys.stdout.flush()
            except OSError as failure:
                error = failure
            else:
                return
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:
            self._leave_output(error)
        if isinstance(error, KeyboardInterrupt):
            self._print(self._err, str(error) or "stopped")
            raise typer.Exit(INTERRUPTED)
        if isinstance(error, Exception) and not isinstance(error, typer.Exit):
            self._report(error)
            raise typer.Exit(_code(error)) from None

    def _leave_output(self, error: OSError) -> NoReturn:
        """Nobody takes the result: fail, and let the interpreter not try it again at its end.

        A reader who has seen enough, as in `... | head`, need not be told.
        """
        if not isinstance(error, BrokenPipeError):
            self._print(self._err, f"error: the result cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(FAILED)

    def _report(self, error: Exception) -> None:
        text = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, OSError) and error.strerror and error.filename is not None:
            text = f"{error.filename}: {error.strerror}"
        elif not isinstance(error, EXPECTED):
            text = f"{type(error).__name__}: {text} (a fault of underdog: --verbose shows where)"
        if self.as_json:
            self._out.file.write(as_json({"error": text, "exit_code": _code(error)}) + "\n")
        self._print(self._err, f"error: {text}")
        if self.verbose:
            self._print(self._err, "".join(traceback.format_exception(error)))

    def _print(self, console: Console, text: str) -> None:
        """Lines that are too long for a terminal go on below, further to the right."""
        text = clean(text)
        if console.is_terminal:
            text = "\n".join(fold(line, console.width) for line in text.split("\n"))
        console.print(text, soft_wrap=True)


class Bar:
    """Progress of some steps."""

    def __init__(self, console: Console, what: str, total: int, done: int, hidden: bool) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=hidden,
            transient=True,
        )
        self._task = self._bar.add_task(what, total=total, completed=done)

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def add(self, what: str) -> None:
        """One more is done; now comes this."""
        self._bar.update(self._task, advance=1, description=what)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table whose first column is text and the others numbers; an empty head is not shown."""
    made = Table(box=None, pad_edge=False, show_header=any(head))
    for number, name in enumerate(head):
        made.add_column(clean(name), justify="right" if number else "left", overflow="fold")
    for row in rows:
        made.add_row(*(clean(cell) for cell in row))
    return made


def fold(line: str, width: int) -> str:
    """A line in pieces of at most this width, cut between words."""
    if len(line) <= width:
        return line
    first = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line.lstrip(), width, initial_indent=first, subsequent_indent=f"{first}    ",
        break_on_hyphens=False,
    )  # fmt: skip


def columns_that_fit(text: str, width: int) -> str:
    """A table up to the last column that fits; what follows an empty line is not of the table."""
    body, gap, rest = text.partition("\n\n")
    head, _, _ = body.partition("\n")
    ends = [name.end() for name in re.finditer(r"\S+(?: \S+)*", head)]
    if ends[-1] <= width:
        return text
    end = max([each for each in ends if each <= width], default=width)
    return "\n".join(line[:end].rstrip() for line in body.split("\n")) + gap + rest


def clean(text: str) -> str:
    """Without control characters: a data file must not be able to command a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON with letters that can be read; what is not printable is escaped, as a terminal needs it.

    Examples
    --------
    >>> from underdog.cli.screen import as_json
    >>> print(as_json({"Zoë": "\\x9b2J\\u202e"}))
    {"Zoë": "\\u009b2J\\u202e"}
    """
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    # Between values there are spaces and ends of lines only.
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    """As JSON writes it: by its one or two numbers in UTF-16."""
    digits = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{digits[i : i + 4]}" for i in range(0, len(digits), 4))


def finite(value: Any) -> Any:
    """With null for numbers that JSON does not have."""
    if isinstance(value, dict):
        return {str(key): finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if hasattr(value, "tolist"):
        return finite(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _code(error: Exception) -> int:
    from underdog.files import BadFile
    from underdog.frames.errors import BadData

    if isinstance(error, typer.BadParameter):
        return BAD_OPTION
    if isinstance(error, BadFile):
        return BAD_MODEL
    return BAD_DATA if isinstance(error, BadData | OSError) else FAILED


def _console(stream: Any) -> Console:
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)

"""What a command prints: results on standard output, messages on standard error."""

from __future__ import annotations

import json
import math
import os
import sys
import textwrap
import traceback
import warnings
from types import TracebackType
from typing import Any, NamedTuple, NoReturn

import typer
from rich.console import Console

from underdog.kernels.quiet import QUIET

FAILED, BAD_OPTION, BAD_DATA, BAD_MODEL, INTERRUPTED = 1, 2, 3, 4, 130
"""Exit codes; 0 is success."""
EXPECTED = (ValueError, OSError, MemoryError, ImportError, typer.BadParameter)
"""Errors that are not bugs of the program."""
PIPE_WIDTH = 160
"""Characters in a line where there is no terminal."""


class Stopped(KeyboardInterrupt):
    """The user has stopped the program; the message says what is kept and how to continue."""


class Paragraph(NamedTuple):
    """Text that is broken into lines of the same indent on a terminal."""

    text: str
    indent: int = 0


class Screen:
    """Where a command prints. As a context it turns errors into one sentence and an exit code.

    Parameters
    ----------
    as_json : bool
        Whether the result is one JSON object, for programs.
    quiet : bool
        Whether to print nothing but the result and errors.
    verbose : bool
        Whether an error is printed with its traceback.
    """

    def __init__(self, as_json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.verbose = verbose
        self._out, self._err = _console(sys.stdout), _console(sys.stderr)
        self._warnings = warnings.catch_warnings()

    def message(self, text: str = "") -> None:
        """What the program does."""
        if not self.quiet:
            self._write(self._err, text)

    def note(self, text: str) -> None:
        """Something about the data that the user should know."""
        self.message(f"note: {text}")

    def print(self, *parts: Any) -> None:
        """A part of the result for people: texts, paragraphs, tables, lines of tables."""
        if self.as_json:
            return
        for part in parts:
            if isinstance(part, str):
                self._write(self._out, part)
            elif isinstance(part, Paragraph):
                indent = " " * part.indent
                self._write(self._out, indent + part.text, indent)
            else:
                lines = part if isinstance(part, list) else self.lines(part)
                self._out.file.write("".join(f"{line}\n" for line in lines))

    def lines(self, table: Any) -> list[str]:
        """A table as it is printed."""
        with self._out.capture() as captured:
            self._out.print(table)
        # Cells are padded to the width of their column, also in the last one.
        return [line.rstrip() for line in captured.get().splitlines()]

    def print_json(self, result: dict[str, Any]) -> None:
        """The result for programs, if the user wants it as JSON."""
        if self.as_json:
            self._out.file.write(as_json(finite(result), indent=2) + "\n")

    def progress(self, what: str, total: int, done: int = 0) -> Bar:
        """A progress bar on a terminal, and nothing elsewhere."""
        return Bar(self._err, what, total, done, hidden=not self.shows_progress)

    def erase_line(self) -> None:
        """Remove the line on which the library has shown progress."""
        if self.shows_progress:
            self._err.file.write("\x1b[1A\x1b[2K")
            self._err.file.flush()

    @property
    def width(self) -> int:
        """Characters that fit into a line of the result."""
        return self._out.width

    @property
    def is_terminal(self) -> bool:
        """Whether the result goes to a terminal, where people read it."""
        return self._out.is_terminal

    @property
    def shows_progress(self) -> bool:
        """Whether to show progress: on a terminal, unless the user wants it quiet."""
        return self._err.is_terminal and not self.quiet

    def __enter__(self) -> Screen:
        self._warnings.__enter__()
        if self.quiet:
            os.environ[QUIET] = "1"
        # Not "always": a warning that every fold gives is printed once.
        warnings.simplefilter("default")
        shown: set[str] = set()

        def show_once(message: Warning | str, *_: Any, **__: Any) -> None:
            text = " ".join(str(message).split())
            if text not in shown:
                shown.add(text)
                self.note(text)

        warnings.showwarning = show_once
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._warnings.__exit__(None, None, None)
        if self.quiet:
            os.environ.pop(QUIET, None)
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
            self._write(self._err, str(error) or "stopped")
            raise typer.Exit(INTERRUPTED)
        if isinstance(error, Exception) and not isinstance(error, typer.Exit):
            self._report(error)
            raise typer.Exit(_code(error)) from None

    def _leave_output(self, error: OSError) -> NoReturn:
        """Standard output cannot be written: fail, and do not try again when Python exits.

        A reader that stops early, as in `... | head`, is not an error to report.
        """
        if not isinstance(error, BrokenPipeError):
            self._write(self._err, f"error: the result cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(FAILED)

    def _report(self, error: Exception) -> None:
        text = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, OSError) and error.strerror and error.filename is not None:
            text = f"{error.filename}: {error.strerror}"
        elif not isinstance(error, EXPECTED):
            text = f"{type(error).__name__}: {text} (a bug in underdog: --verbose shows where)"
        if self.as_json:
            self._out.file.write(as_json({"error": text, "exit_code": _code(error)}) + "\n")
        self._write(self._err, f"error: {text}")
        if self.verbose:
            self._write(self._err, "".join(traceback.format_exception(error)))

    def _write(self, console: Console, text: str, indent: str | None = None) -> None:
        """Lines that are too long for a terminal continue on the next line, indented."""
        text = clean(text)
        if console.is_terminal:
            lines = text.split("\n")
            text = "\n".join(fold(line, console.width, indent) for line in lines)
        console.print(text, soft_wrap=True)


class Bar:
    """Progress of some steps."""

    def __init__(self, console: Console, what: str, total: int, done: int, hidden: bool) -> None:
        from rich.progress import (  # slow to import, and only needed here
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

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
        """One more step is done; `what` describes the next."""
        self._bar.update(self._task, advance=1, description=what)


def fold(line: str, width: int, indent: str | None = None) -> str:
    """A line in pieces of at most this width, broken between words.

    They are indented by `indent`; by default, by four spaces more than the line.
    """
    if len(line) <= width:
        return line
    first = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line.lstrip(),
        width,
        initial_indent=first,
        subsequent_indent=f"{first}    " if indent is None else indent,
        break_on_hyphens=False,
    )


def clean(text: str) -> str:
    """Without control characters: a data file must not be able to control a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON with readable letters; what is not printable is escaped, to be safe on a terminal.

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
    """As JSON writes it: by its one or two code units in UTF-16."""
    digits = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{digits[i : i + 4]}" for i in range(0, len(digits), 4))


def finite(value: Any) -> Any:
    """The same with null for numbers that JSON does not have."""
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

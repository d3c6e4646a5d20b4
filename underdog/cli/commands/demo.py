"""`underdog demo`: a real example that ships with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.screen import Screen

NEXT = """
Now with the same messages, or with a file of yours:

  {0} demo --write sms.csv
  {0} train sms.csv --target label -o sms.udg
  {0} explain sms.udg"""


def demo(
    write: Annotated[
        Path | None, typer.Option(help="Only write its messages to this file, as CSV.")
    ] = None,
) -> None:
    """Learn to tell spam from ham, and read what was learned."""
    with Screen() as screen:
        if write is not None:
            _write_messages(write)
            screen.say(f"wrote {write}")
            return
        from underdog.cli.spam_demo import main

        main()
        # As it was called: the program of an environment may be on no path.
        called = sys.argv[0]
        screen.show(NEXT.format(called if Path(called).name == "underdog" else "underdog"))


def _write_messages(path: Path) -> None:
    import polars as pl

    from underdog.cli.saving import writing
    from underdog.datasets import load_sms_spam
    from underdog.files.container import write

    messages, labels = load_sms_spam()
    frame = pl.DataFrame({"label": list(labels), "message": list(messages)})
    with writing(path):
        write(path, frame.write_csv().encode())

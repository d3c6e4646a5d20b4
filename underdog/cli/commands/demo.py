"""`underdog demo`: a real example that ships with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.screen import Screen

NEXT = """
Now try the same messages, or a file of your own:

  {0} demo --write sms.csv
  {0} train sms.csv --target label --model adaboost -o sms.udg
  {0} explain sms.udg"""


def demo(
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Only write the messages to this file, as CSV."),
    ] = None,
) -> None:
    """Train on messages that are spam or not, and show the rules and measures."""
    with Screen() as screen:
        if write is not None:
            _write_messages(write)
            screen.message(f"wrote {write}")
            return
        from underdog.cli.spam_demo import main

        main()
        # As it was called: the program of an environment may not be on the path.
        called = sys.argv[0]
        screen.print(NEXT.format(called if Path(called).name == "underdog" else "underdog"))


def _write_messages(path: Path) -> None:
    import polars as pl

    from underdog.cli.saving import writing
    from underdog.datasets import load_sms_spam
    from underdog.files.container import write

    messages, labels = load_sms_spam()
    frame = pl.DataFrame({"label": list(labels), "message": list(messages)})
    with writing(path):
        write(path, frame.write_csv().encode())

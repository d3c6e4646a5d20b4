"""The program `underdog`."""

from __future__ import annotations

import importlib.util
import sys

WANTED = ("typer", "rich", "polars")


def main() -> None:
    """Run a command; without the packages that it needs, say how to install them."""
    missing = [name for name in WANTED if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(
            f"underdog: the command line needs {', '.join(missing)}: "
            'install it with pip install "underdog[cli]"'
        )
    from underdog.cli.app import app

    app()

"""The commands of docs/cli.md, in order, with the output that the page shows."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.M)


def commands(block):
    """(command, expected output) in order."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def every_command():
    """All of the page."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [pair for block in blocks for pair in commands(block)]

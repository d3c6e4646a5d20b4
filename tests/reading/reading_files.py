"""What the tests of reading share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from underdog.reading import BadData, Data, read

Write = Callable[..., Path]


def refused(path: Path, sentence: str, **options: Any) -> BadData:
    """The error, whose whole sentence after the path is this pattern."""
    with pytest.raises(BadData) as caught:
        read(path, **options)
    message = str(caught.value)
    assert re.fullmatch(re.escape(str(path)) + sentence, message), message
    return caught.value


def rows(data: Data) -> list[tuple[Any, ...]]:
    return list(data.frame.rows())

"""What all results share: a short repr, a page for notebooks, and a data frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from underdog.inspection.frames import make_frame
from underdog.model import markup

BASELINE = "(baseline)"
"""In a data frame: the baseline of a score."""


class Result(ABC):
    """A result that says what it is in one line, and where to see more of it."""

    _see: ClassVar[str] = "text(), to_dict(), to_frame()"
    """The methods that show more."""

    @abstractmethod
    def _about(self) -> str:
        """What it is, in a few words."""

    @abstractmethod
    def _frame_columns(self) -> dict[str, Any]:
        """Name and values of each column of the data frame."""

    @abstractmethod
    def _html_parts(self) -> Sequence[str]:
        """What the page shows, as HTML."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._about()}); see {self._see}"

    def _repr_html_(self) -> str:
        title = markup.title(f"{type(self).__name__}: {self._about()}")
        return markup.block(title, *self._html_parts())

    def to_frame(self, *, backend: str | None = None) -> Any:
        """The same as a data frame, with every number as it is in the model.

        Parameters
        ----------
        backend : "pandas" or "polars", optional
            By default pandas, or polars if pandas is not installed.
        """
        return make_frame(self._frame_columns(), backend)

"""New data beside the training data: what differs, for people and for programs."""

from __future__ import annotations

from typing import Any, NamedTuple

from underdog.checks import to_python
from underdog.cli.loading import Loaded
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import table
from underdog.frames.errors import counted, listed
from underdog.frames.profile import LARGE, SOME, ColumnDrift, DataProfile
from underdog.inspection.unwrap import unwrap
from underdog.reading import Data

SHOWN = 15
"""Columns in the table."""
NAMED = 3
"""Columns in a note."""
RULE = (
    f"PSI: population stability index. By the usual rule of thumb, below {SOME} is little drift, "
    f"above {LARGE} much; what chance explains is not drift."
)
CANNOT = (
    "The model file does not say what its training data looked like, so the data are not compared "
    "with it. Files of underdog train do, for data with named columns."
)


class DataCheck(NamedTuple):
    """How new data differ from the training data.

    Attributes
    ----------
    columns : how each column differs
    score : the same of the score, or None
    extra : columns that the model does not use
    """

    columns: list[ColumnDrift]
    score: ColumnDrift | None
    extra: list[str]

    @property
    def unusual(self) -> list[ColumnDrift]:
        """Columns to look at, the one that differs most first."""
        found = [each for each in self.columns if each.is_unusual]
        return sorted(found, key=lambda each: (-each.index * each.differs, -each.new, each.name))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "columns": [each.to_dict() for each in self.columns],
            "score": None if self.score is None else self.score.to_dict(),
            "extra_columns": self.extra,
        }


def class_score(scores: Any, decided: Any, classes: Any) -> Any:
    """(n,) scores of two classes; of more, the names of the predicted classes."""
    if scores.ndim == 1:
        return scores
    return [str(to_python(label)) for label in classes[decided]]


def compare_data(loaded: Loaded, data: Data, score: Any, rows: Any) -> DataCheck | None:
    """How rows of a file differ from the training data; None if the file of the model cannot say.

    Parameters
    ----------
    loaded : the model
    data : the file
    score : scores or predictions of these rows, or None
    rows : their positions
    """
    profile = DataProfile.from_dict(loaded.profile)
    if profile is None or not loaded.takes_frames or data.frame is None:
        return None
    roles = loaded.model[0].roles_
    schema = unwrap(loaded.last).booster.model_.schema
    levels = {
        schema.name(column): {str(level) for level in known}
        for column, known in schema.categories.items()
    }
    found = profile.compare(data.frame[rows], roles, levels)
    moved = None if score is None else profile.compare_score(score)
    target = loaded.named_target(None)
    extra = [name for name in data.frame.columns if name not in roles and name != target]
    return DataCheck(found, moved, extra)


def show_check(screen: Screen, check: DataCheck | None) -> None:
    """Which columns differ from the training data, and whether the score does."""
    screen.print("\nThe data beside the training data")
    if check is None:
        screen.print(Paragraph(CANNOT))
        return
    unusual, score = check.unusual, check.score
    about = [f"The model does not use {listed(check.extra)}."] if check.extra else []
    if unusual:
        rows = [_line(each) for each in unusual[:SHOWN]]
        screen.print(table(["", "PSI", "drift", ""], rows, texts=(0, 3), names=(2,)))
        if len(unusual) > SHOWN:
            screen.print(f"... and {len(unusual) - SHOWN:,} more columns")
        screen.print("")
    else:
        about.insert(0, f"No drift in {counted(len(check.columns), 'column')}.")
    if score is not None:
        about.append(_about_score(score))
    if unusual or (score is not None and score.differs):
        about.append(RULE)
    screen.print(*map(Paragraph, about))


def note_of(check: DataCheck | None) -> str:
    """What to know before predictions are used, in one sentence; empty if nothing is unusual."""
    unusual = [] if check is None else check.unusual
    if not unusual:
        return ""
    named = [
        f"{each.name} ({'; '.join(_reasons(each)) or f'PSI {each.index:.2g}'})"
        for each in unusual[:NAMED]
    ]
    more = f", and {len(unusual) - NAMED:,} more" if len(unusual) > NAMED else ""
    return f"columns that differ from the training data: {', '.join(named)}{more}"


def _line(each: ColumnDrift) -> list[str]:
    return [each.name, f"{each.index:.3f}", each.size, "; ".join(_reasons(each))]


def _reasons(each: ColumnDrift) -> list[str]:
    """What is unusual, besides the index."""
    found = []
    if each.new:
        found.append(f"{counted(each.new, 'row')} with new levels, such as {each.example!r:.20}")
    if each.is_often_missing:
        found.append(f"{each.missing:.1%} missing, {each.missing_before:.1%} in training")
    if each.is_often_outside:
        found.append(f"{counted(each.outside, 'row')} outside the range of the training data")
    return found


def _about_score(score: ColumnDrift) -> str:
    drift = {"little": "does not drift", "some": "drifts", "large": "drifts strongly"}[score.size]
    return f"The score {drift} (PSI {score.index:.2g})."

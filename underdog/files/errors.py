"""What can go wrong with a model file."""

from __future__ import annotations


class BadFile(ValueError):  # noqa: N818
    """A file that cannot be read as a model: damaged, hostile, too new, or something else."""


class CannotStore(TypeError):  # noqa: N818
    """Something that has no place in a model file."""

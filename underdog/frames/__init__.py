"""From a data frame to a table: what the columns are, and the transformer."""

from underdog.frames.encoder import FrameEncoder
from underdog.frames.errors import BadData
from underdog.frames.leaks import leaks
from underdog.frames.roles import ROLES, Role

__all__ = ["ROLES", "BadData", "FrameEncoder", "Role", "leaks"]

"""From a data file to a frame."""

from underdog.frames.errors import BadData
from underdog.reading.data import Data
from underdog.reading.read import FORMATS, read

__all__ = ["FORMATS", "BadData", "Data", "read"]

"""From a data file to a frame."""

from underdog.frames.errors import BadData
from underdog.reading.data import Data
from underdog.reading.formats import FORMATS
from underdog.reading.header import column_names
from underdog.reading.read import read

__all__ = ["FORMATS", "BadData", "Data", "column_names", "read"]

"""Data that are larger than memory: read once, kept in a folder column by column."""

from underdog.scanning.scan import Scanned, scan

__all__ = ["Scanned", "scan"]

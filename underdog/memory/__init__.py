"""Arrays that are larger than memory: NumPy keeps them in a file, and nobody else need know."""

from __future__ import annotations

from underdog.memory.limit import active, available, bytes_of, memory_limit

__all__ = ["active", "available", "bytes_of", "memory_limit"]

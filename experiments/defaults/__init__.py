"""Models with their defaults beside those of other libraries."""

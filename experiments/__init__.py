"""Published results, tried again."""

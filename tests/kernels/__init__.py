"""Every kernel against a plain twin."""

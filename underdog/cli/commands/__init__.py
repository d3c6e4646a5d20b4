"""One light file per command: its options and help. The work is done by the modules beside."""

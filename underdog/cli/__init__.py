"""The program `underdog`: its commands, and the modules that do their work."""

"""The tool in pi: a small extension of pi, and the process that it asks."""

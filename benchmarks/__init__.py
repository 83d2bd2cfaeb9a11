"""What native-web-search costs, beside what others cost for the same work.

    python -m benchmarks                 everything; rewrites docs/benchmarks.md and its figures
    python -m benchmarks guard-10 crowd  these alone; prints and rewrites nothing
    python -m benchmarks --quick         a round of each at its smallest size: does it still run?

Both sides of a measure run in turns (ours, theirs, ours, ...) in a process of that measure's own,
so that a busy machine is busy for both. Both have to come to the same answer.
"""

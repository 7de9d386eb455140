"""The rivals' half of the benchmark: the same games in other people's engines, and how they were timed.

`python -m bench.rivals` measures every row and prints a table. From Python, `bench.rivals.rows` lists the
rows, and `bench.rivals.isolated` measures one in a process of its own, pinned to one core.

A rate means nothing when the games differ. So every row also reports what its games look like (mean length
and mean return with standard errors) and how many positions its rules reach; `bench.rivals.facts` holds what
those numbers must be.
"""

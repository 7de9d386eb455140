"""Games for the benchmark, written on the kernel like any other; not offered at the table. Connect Four is our
example of a game from outside (`outside.py`).

Each is one small file: the box, the record, the seven functions, the laws, and the little that a match shows.
"""

"""Studies: the questions designers ask of a game, answered by bots that play it many times.

`playing.py` plays matches and notes what the game declares (`kernel/studies.py`); `keeping.py` writes them down as
they end, so that an interrupted study goes on; `counting.py` and `comparing.py` make numbers with their doubt
(`doubt.py`) of them; `findings.py` puts the largest into headlines; `charts.py`, `ink.py` and `page.py` draw them.
No module here knows a game by name.
"""

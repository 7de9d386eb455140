"""boardgame.io under the same load as our own server: `python -m bench.rivals.boardgameio`.

`game.js` is a comparable game, `server.js` their own server with it; `sockets.py` is a client as lean as ours, and
`__main__.py` puts the load on both.
"""

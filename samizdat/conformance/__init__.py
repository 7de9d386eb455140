"""The conformance suite: what every game is held to, ours and those of packages outside ours, in two tiers.

    python -m samizdat.conformance connect_four              both tiers, on an installed package
    python -m samizdat.conformance examples/connect_four     the same on a folder that is not installed
    python -m samizdat.conformance liars-dice --tier lab     a game by its name, the first tier alone

`lab`: the rules. Interpreted and compiled code agree byte by byte; laws and bounds hold; matches end within their
bound; every option changes how some match ends; nothing secret reaches a seat by any channel; files, undo and the
research faces work. `table`: what people meet. Every decision is on the board and in the list, in every language;
pages show no secret; rule numbers exist.

It is written for pytest; our own `make test` runs it on all our games.
"""

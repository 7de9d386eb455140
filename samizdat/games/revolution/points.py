"""Revolution!: the decision points, in the order in which they come in a round."""

from __future__ import annotations

from samizdat.games.revolution import rules
from samizdat.games.revolution.state import APOTHECARY, EXCHANGE, MOVES, OVER, PERSUASION, SPY
from samizdat.kernel.points import Point, Points
from samizdat.kernel.telling import template

POINTS = Points(
    MOVES,
    Point(
        PERSUASION,
        "persuasion",
        ("R5.1", "R5.2", "R5.3", "R5.4", "R5.5", "R5.8", "A-26"),
        who=rules.unsealed,
        offers=rules.offer_persuasion,
        takes={"bid": rules.lay_token, "done": rules.announce_completion},
        asks=template("now everybody lays tokens on the townspeople."),
    ),
    Point(
        SPY,
        "spy",
        ("R6.4", "A-7", "A-8"),
        who=rules.winner_decides,
        offers=rules.offer_places,
        takes={"pass": rules.leave_idle, "take": rules.replace_follower},
        asks=template("now the Spy replaces a follower, or is left idle."),
    ),
    Point(
        APOTHECARY,
        "apothecary",
        ("R6.5", "A-9", "A-10", "A-30"),
        who=rules.winner_decides,
        offers=rules.offer_places,
        takes={"pass": rules.leave_idle, "take": rules.begin_exchange},
        asks=template("now the Apothecary lets two change places, or is left idle."),
    ),
    Point(
        EXCHANGE,
        "exchange",
        ("R6.5", "R6.6", "A-9"),
        who=rules.winner_decides,
        offers=rules.offer_places,
        takes={"take": rules.exchange},
        asks=template("the exchange has begun; name the follower that changes places with the first."),
    ),
    over=OVER,
    then=rules.go_on,
)

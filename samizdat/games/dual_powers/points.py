"""Dual Powers: the decision points, in the order in which they come in a round."""

from __future__ import annotations

from samizdat.games.dual_powers import rules, rules_actions, rules_bonus
from samizdat.games.dual_powers import state as st
from samizdat.kernel.points import Point, Points
from samizdat.kernel.telling import template

POINTS = Points(
    st.MOVES,
    Point(
        st.OBJECTIVE,
        "objective",
        ("D4.1", "A-51"),
        who=rules.without_objective,
        offers=rules.offer_objective,
        takes={"objective": rules.put_objective},
        asks=template("first everyone puts a command card face down as objective."),
    ),
    Point(
        st.CARD,
        "card",
        ("D5.2", "D5.3", "A-15"),
        who=rules.who_decides,
        offers=rules.offer_card,
        takes={"play": rules.play_command, "lead": rules.play_leader},
        asks=template("play a card first."),
    ),
    Point(
        st.ACTION,
        "action",
        ("D5.9", "D6.1", "D6.2", "D6.3", "D6.4", "A-15"),
        who=rules.who_decides,
        offers=rules_actions.offer_action,
        takes={
            "recruit": rules_actions.recruit,
            "move": rules_actions.choose_token,
            "refresh": rules_actions.refresh_token,
            "pass": rules_actions.decline_action,
        },
        asks=template("the command card gives Recruit or the action that it prints."),
    ),
    Point(
        st.RECRUITING,
        "recruiting",
        ("D5.9", "D6.1", "A-31", "A-52"),
        who=rules.who_decides,
        offers=rules_actions.offer_another_unit,
        takes={"recruit": rules_actions.recruit, "pass": rules_actions.stop_recruiting},
        asks=template("you have begun to recruit; the card gives one or the other, not both."),
    ),
    Point(
        st.MOVING,
        "moving",
        ("D6.2", "D6.3", "A-25"),
        who=rules.who_decides,
        offers=rules_actions.offer_destinations,
        takes={"to": rules_actions.move_there},
        asks=template("the token is chosen; say where it goes."),
    ),
    Point(
        st.LEADING,
        "leading",
        ("D5.9", "D6.5", "D6.6", "D6.7", "D6.8", "A-5"),
        who=rules.who_decides,
        offers=rules_actions.offer_leading,
        takes={
            "place": rules_actions.place_leader,
            "protest": rules_actions.mobilize_protest,
            "spy": rules_actions.espionage,
            "inspire": rules_actions.inspire,
            "pass": rules_actions.decline_rest,
        },
        asks=template("a leader card offers Leader Recruit and its special action only."),
    ),
    Point(
        st.BONUS,
        "bonus",
        ("D6.9", "S7", "A-13", "A-14", "A-15"),
        who=rules.who_decides,
        offers=rules_bonus.offer_bonus,
        takes={
            "recruit": rules_bonus.choose_bonus_unit,
            "move": rules_bonus.choose_bonus_token,
            "refresh": rules_bonus.bonus_refresh,
            "draw": rules_bonus.bonus_draw,
            "organize": rules_bonus.organize,
            "pass": rules_bonus.decline_bonus,
        },
        asks=template("take one bonus action, or decline it."),
    ),
    Point(
        st.BONUS_RECRUITING,
        "bonus_recruiting",
        ("D6.9", "A-13", "A-32"),
        who=rules.who_decides,
        offers=rules_bonus.offer_regions,
        takes={"to": rules_bonus.bonus_recruit},
        asks=template("say into which region the unit goes."),
    ),
    Point(
        st.BONUS_MOVING,
        "bonus_moving",
        ("D6.2", "D6.9"),
        who=rules.who_decides,
        offers=rules_bonus.offer_bonus_steps,
        takes={"to": rules_bonus.bonus_move},
        asks=template("the token is chosen; say where it goes."),
    ),
    Point(
        st.UNREST,
        "unrest",
        ("D8.1", "D6.9", "A-44", "A-45"),
        who=rules.who_decides,
        offers=rules_bonus.offer_unrest,
        takes={
            "recruit": rules_bonus.choose_bonus_unit,
            "move": rules_bonus.choose_bonus_token,
            "refresh": rules_bonus.bonus_refresh,
            "draw": rules_bonus.bonus_draw,
            "score": rules_bonus.take_points,
        },
        asks=template("take the points or one bonus action."),
    ),
    over=st.OVER,
    then=rules.go_on,
)

# Steps between them that ask nobody anything, as scenes name them.
STEPS = {st.NEXT_ROUND: "next_round", st.NEXT_TURN: "next_turn", st.SCORING: "scoring", st.REVEALING: "revealing"}

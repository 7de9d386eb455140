"""Mali Powstańcy: the decision points, in the order in which they come in a game."""

from __future__ import annotations

from samizdat.games.mali_powstancy import (
    rules,
    rules_actions,
    rules_movement,
    rules_objectives,
    rules_soldier,
    rules_time,
    rules_turn,
    state,
)
from samizdat.kernel.points import Point, Points
from samizdat.kernel.telling import template

POINTS = Points(
    state.MOVES,
    # 2.10 Set-up, extended variant
    Point(
        state.OBJECTIVE,
        "objective",
        ("2.10.3", "S3"),
        who=rules.not_ready,
        offers=rules_objectives.offer_objective,
        takes={"keep": rules_objectives.keep_objective},
        asks=template("first everybody chooses objectives."),
        rare=True,
    ),
    # 2.5, 2.6 Movement phase
    Point(
        state.CARD,
        "card",
        ("2.5.1", "2.5.9"),
        who=rules.not_ready,
        offers=rules_turn.offer_card,
        takes={"card": rules_turn.choose_card},
        asks=template("now everybody chooses a movement card."),
    ),
    Point(
        state.ENTRY,
        "entry",
        ("2.5.4", "A21"),
        who=rules.the_chooser,
        offers=rules_turn.offer_entry,
        takes={"enter": rules_turn.put_back},
        asks=template("the escaped scout must first be put back on the board."),
        rare=True,
    ),
    Point(
        state.TURN,
        "turn",
        ("2.5.3", "2.5.5", "2.6.1", "2.6.3", "2.11.1", "A1", "A2", "A20", "A55", "A56", "A58"),
        who=rules.the_chooser,
        offers=rules_turn.offer_turn,
        takes={
            "end": rules_turn.end_turn,
            "take": rules_turn.take_order,
            "drop": rules_turn.drop_order,
            "step": rules_movement.step,
            "jump": rules_movement.jump,
            "pals": rules_actions.swap_pals,
            "squad": rules_actions.go_with_squad,
            "exchange": rules_actions.begin_exchange,
            "gossip": rules_actions.hear_gossip,
        },
        asks=template("now you spend movement points, take and drop orders, or end your turn."),
    ),
    # 2.11 Movement cards, extended variant
    Point(
        state.EXCHANGE,
        "exchange",
        ("2.11.4", "A35", "A36", "S2"),
        who=rules.the_chooser,
        offers=rules_actions.offer_with,
        takes={"with": rules_actions.exchange_orders},
        asks=template("the exchange has begun; name the order it changes places with."),
        rare=True,
    ),
    # 2.7 Soldier phase
    Point(
        state.HUNT,
        "hunt",
        ("2.7.3", "S4"),
        who=rules.the_chooser,
        offers=rules_soldier.offer_hunt,
        takes={"hunt": rules_soldier.hunt},
        asks=template("several of your scouts are equally near; choose one of them."),
        rare=True,
    ),
    Point(
        state.WAY,
        "way",
        ("A13", "2.7.4"),
        who=rules.the_chooser,
        offers=rules_soldier.offer_way,
        takes={"way": rules_soldier.march},
        asks=template("choose where the soldier's way leads."),
        rare=True,
    ),
    Point(
        state.RED,
        "red",
        ("A17", "2.7.5", "A16", "S6"),
        who=rules.the_chooser,
        offers=rules_soldier.offer_red,
        takes={
            "end": rules_soldier.stop_running,
            "step": rules_soldier.run_a_step,
            "jump": rules_soldier.run_a_jump,
        },
        asks=template("after a red number the scout walks, and takes no order."),
        rare=True,
    ),
    # 2.8, 2.12 Time phase
    Point(
        state.FAILURE,
        "failure",
        ("A9", "2.8.1", "A53"),
        who=rules.the_chooser,
        offers=rules_time.offer_failure,
        takes={"fail": rules_time.choose_failure},
        asks=template("several orders have failed; choose the one to resolve first."),
        rare=True,
    ),
    Point(
        state.TOKEN,
        "token",
        ("2.8.3", "2.12.2", "A8", "A9"),
        who=rules.the_chooser,
        offers=rules_time.offer_token,
        takes={"block": rules_time.choose_route},
        asks=template("choose the route for the small token."),
        rare=True,
    ),
    Point(
        state.REFUGE,
        "refuge",
        ("2.8.6", "2.12.3c", "A10", "A11", "A52"),
        who=rules.the_chooser,
        offers=rules_time.offer_refuge,
        takes={"refuge": rules_time.choose_refuge},
        asks=template("choose where the scout flees to."),
        rare=True,
    ),
    over=state.OVER,
)

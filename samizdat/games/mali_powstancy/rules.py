"""Mali Powstańcy: Warszawa 1944 by Filip Miłuński, for 2 to 4 players, base and extended variant.

Every player leads three scouts who carry orders through Warsaw in August 1944. Orders that come too late close
routes and lose districts; too many of them, and all players lose together. Otherwise most points win.

Options (default in brackets): max_jumps_per_turn [0, no limit], A2; deliver_by_forced_move [yes], A18;
red_move_may_jump [no, base only], A16.

The numbers are those of `rulebook/en.md`: 2.x.y for rules, A for rulings of the dossier, S for our own. What a
decision point offers stands next to what taking it does; `points.py` lists the points. The chapters are `rules_map`
(2.1), `rules_objectives` (2.10.3), `rules_orders` (2.3, 2.4, 2.6), `rules_movement` and `rules_turn` (2.5, 2.6),
`rules_actions` (2.11), `rules_soldier` (2.7), `rules_time` (2.8, 2.12), `rules_scoring` (2.9, 2.13) and `guess`
(2.15); each phase of a round ends by beginning the next. This file holds the set-up, and who decides.
"""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.guess import guess, hide
from samizdat.games.mali_powstancy.rules_objectives import deal_again_if_poor, secret_objectives
from samizdat.games.mali_powstancy.rules_orders import begin_round
from samizdat.games.mali_powstancy.rules_scoring import score
from samizdat.games.mali_powstancy.state import DRAWS, EXTENDED, IN_DECK, NO_VICTORY, NONE, SCOUTS, STARTS, State
from samizdat.kernel.luck import EVERYONE, Luck, draw, tell
from samizdat.kernel.rule import rule

RULES_VERSION = 1

__all__ = ["deal_again_if_poor", "guess", "hide", "score", "setup"]  # scenes call the first


# --- 2.2, 2.10 Set-up -----------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """2.2, 2.10: scouts on their places, the deck, the soldier or the objectives, a start player (A46)."""
    s.start_player = draw(luck, s.seats)
    s.first = NONE
    s.resolving = NONE
    for i in range(DRAWS):
        s.top[i] = NONE
    for seat in range(s.seats):
        s.order[seat] = seat
        s.chosen[seat] = NONE
        s.hand[seat] = (1 << box.cards) - 1  # 2.2.1
        for scout in range(SCOUTS):
            s.at[seat, scout] = box.begins[seat, scout]
            s.carries[seat, scout] = NONE
    tell(luck, EVERYONE, STARTS, s.start_player)
    if s.variant == EXTENDED:
        s.soldier = NONE  # 2.10.1
        s.victory = IN_DECK
        s.under = box.under_victory[s.seats]
        s.above = box.orders - s.under
        secret_objectives(box, s, luck)
    else:
        s.soldier = box.soldier
        s.victory = NO_VICTORY
        s.above = box.base_deck[s.seats]
        begin_round(box, s, luck)


# --- Who decides ----------------------------------------------------------------------------------------------


@rule
def not_ready(s: State) -> int:
    """2.5.1, 2.10.3: everybody who has not made the secret choice yet."""
    return ((1 << s.seats) - 1) & ~s.ready


@rule
def the_chooser(s: State) -> int:
    """Whoever acts (2.5.2), is hunted (2.7.3), flees (2.8.6), or moved last (A9)."""
    return 1 << s.chooser

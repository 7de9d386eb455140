"""Revolution!: the first game, step by step."""

from __future__ import annotations

from typing import Any

from samizdat.games.revolution.show import TOKEN_WORDS, gains, tokens_of
from samizdat.games.revolution.state import TIES, WINS
from samizdat.games.revolution.status import laid, left_to_lay
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Phrase, Word, template
from samizdat.kernel.tours import FIRST, Slip, Step, Tour

SHOWN = ("printer", "priest")  # whose rewards are read out: points alone, and points with a follower

# What becomes of a first offer, by the strongest token in it.
WHAT_BEATS = {
    "force": template("Only Force can touch it now."),
    "blackmail": template("Any Force beats it, and so does more Blackmail."),
    "gold": template("Any Blackmail or Force beats it, and so does more Gold."),
}


def _character(id: str) -> Word:
    return Word("characters", id)


def _number_laid(seen: Seen) -> int:
    return sum(offer.total() for offer in laid(seen).values())


def _opened(game: Game, seen: Seen) -> bool:
    return bool(seen.view["round"] > 1 or seen.view["point"] != "persuasion")


def _aim(game: Game, seen: Seen) -> Slip:
    spaces = sum(row["spaces"] for row in game.box.text.tables["areas"])
    return Slip(
        Phrase("The aim"),
        (
            Phrase("Each area pays its value to whoever has the most followers in it."),
            Phrase("When all {spaces} spaces are full, the game ends.", {"spaces": spaces}),
        ),
        ("R8.1", "R8.3"),
        ("town",),
        goal=Phrase("Own the most points when the last space is taken."),
    )


def _tokens(game: Game, seen: Seen) -> Slip:
    held = seen.view["players_at_table"][seen.seat]["held"]
    return Slip(
        Phrase("Your tokens"),
        (
            Phrase("**One Force beats any pile of Blackmail; one Blackmail beats any pile of Gold.**"),
            Phrase("All {number} must be laid every round: nothing can be saved.", {"number": sum(held.values())}),
        ),
        ("R2.2", "R5.2"),
        tuple(f"arm-{word}" for word in TOKEN_WORDS),
        todo=Phrase("Pick up a token."),
    )


def _auctions(game: Game, seen: Seen) -> Slip:
    known = game.box.names["characters"]
    said = []
    for id in SHOWN:
        if id in known:
            row = game.box.text.row("characters", id)
            values = {"character": _character(id), "reward": gains(row["vp"]), "area": Word("areas", row["area"])}
            plain = Phrase("The {character} brings {reward}.", values)
            placed = Phrase("The {character} brings {reward} and a follower in the {area}.", values)
            said.append(placed if row["area"] else plain)
    return Slip(
        Phrase("Twelve people, twelve auctions"),
        (*said, Phrase("Whoever offers most gets it all; the others get nothing.")),
        ("R6.2", "R6.3"),
        tuple(f"ch-{id}" for id in SHOWN[:1] if id in known) or ("bid",),
        todo=Phrase("Lay the token on anybody with red corners."),
    )


def _first_offer(game: Game, seen: Seen) -> Slip:
    offers = laid(seen)
    title = Phrase("Your first offer")
    tie = Phrase("If somebody else offers just as much, you are tied, and **a tie gives nobody anything**.")
    rules = ("R2.2", "R6.2")
    if not offers:
        return Slip(title, (tie,), rules, ("bid",))
    character, offer = next(iter(offers.items()))
    strongest = next(word for word in TOKEN_WORDS if offer[word])
    tokens = Listing(
        [tokens_of(number, offer[word]) for number, word in enumerate(TOKEN_WORDS) if offer[word]], template("and")
    )
    return Slip(
        title,
        (Phrase(WHAT_BEATS[strongest]), tie),
        rules,
        (f"ch-{character}",),
        done=Phrase("You offer the {character} {tokens}.", {"character": _character(character), "tokens": tokens}),
    )


def _refusers(game: Game, seen: Seen) -> Slip:
    refusing = [row["id"] for row in game.box.text.tables["characters"] if row["no_force"] or row["no_blackmail"]]
    return Slip(
        Phrase("Some refuse"),
        (
            Phrase("A crossed-out sign: this person does not take it."),
            Phrase("Grey people refuse what you hold in your hand just now."),
        ),
        ("R5.5",),
        tuple(f"ch-{id}" for id in refusing[:1]),
    )


def _spread(game: Game, seen: Seen) -> Slip:
    most = game.box.text.constants["most_characters"]
    return Slip(
        Phrase("Spread or pile up?"),
        (
            Phrase("At most {most} people.", {"most": most}),
            Phrase("Few and strong wins surely; many and weak wins where nobody else looked."),
        ),
        ("R5.3",),
        ("status",),
    )


def _seal(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Seal it"),
        (Phrase("Once sealed, nothing can be changed; then all bids are opened together."),),
        ("R5.8",),
        ("status",),
        done=Phrase("All your tokens are laid.") if not left_to_lay(seen).total() else None,
        todo=Phrase("Press **Seal**, or take a token back and lay it elsewhere."),
    )


def _opening(game: Game, seen: Seen) -> Slip:
    names = game.box.names["characters"]
    won = [names[one.args[0]] for one in seen.last if one.event == WINS and one.args[1] == seen.seat]
    tied = [names[one.args[0]] for one in seen.last if one.event == TIES]
    done = None
    if won:
        done = Phrase("You won: {people}.", {"people": Listing([_character(id) for id in won])})
    elif seen.last and any(one.event in (WINS, TIES) for one in seen.last):
        done = Phrase("You won nobody this time.")
    return Slip(
        Phrase("The opening"),
        (
            Phrase("One person at a time, from the first to the last. A tick is a win, = is a tie."),
            Phrase("The others' tokens are gone as well, whether they won or not."),
        ),
        ("R6.1", "R6.7"),
        tuple(f"ch-{id}" for id in (won or tied)[:1]) or ("bid",),
        done=done,
    )


def _own_areas(seen: Seen) -> list[dict[str, Any]]:
    return [area for area in seen.view["areas"] if seen.seat is not None and area["followers"][seen.seat]]


def _follower(game: Game, seen: Seen) -> Slip:
    title = Phrase("Your follower")
    tie = Phrase("A tie would pay nobody.")
    mine = _own_areas(seen)
    if not mine or seen.seat is None:
        return Slip(
            title, (Phrase("A follower in an area pays only whoever has the most there."), tie), ("R8.3",), ("town",)
        )
    area = max(mine, key=lambda one: one["leads"] == seen.seat)
    worth = next(row["vp"] for row in game.box.text.tables["areas"] if row["id"] == area["id"])
    values = {
        "area": Word("areas", area["id"]),
        "mine": area["followers"][seen.seat],
        "theirs": max(number for seat, number in enumerate(area["followers"]) if seat != seen.seat),
        "worth": worth,
    }
    if area["leads"] == seen.seat:
        said = (
            Phrase("You lead in the {area}, {mine} : {theirs}.", values),
            Phrase("If that stays so, it pays you {worth} at the end.", values),
            tie,
        )
    else:
        said = (
            Phrase("You do not lead in the {area} yet: {mine} : {theirs}.", values),
            Phrase("At the end it pays {worth} to whoever has the most there.", values),
            tie,
        )
    return Slip(title, said, ("R6.3", "R8.3"), (f"name-{area['id']}",))


def _next_round(game: Game, seen: Seen) -> Slip:
    values = {"floor": game.box.text.constants["token_floor"]}
    return Slip(
        Phrase("The next round"),
        (
            Phrase("All tokens are gone. You keep what you have just won, and Gold fills you up to {floor}.", values),
            Phrase("So the people who give Force are strength for tomorrow."),
            Phrase("Now you know it all. Stuck? **Hint** shows good bids on the board."),
        ),
        ("R6.7", "R7.2"),
        ("tray",),
    )  # fmt: skip


TOURS = {
    FIRST: Tour(
        4,
        (
            Step("aim", _aim),
            Step("tokens", _tokens, pressed=tuple(f"arm-{word}" for word in TOKEN_WORDS)),
            Step("auctions", _auctions),
            Step("first_offer", _first_offer, lambda game, seen: _number_laid(seen) >= 1),
            Step("refusers", _refusers, lambda game, seen: _number_laid(seen) >= 2),
            Step("spread", _spread, lambda game, seen: _number_laid(seen) >= 3),
            Step("seal", _seal, lambda game, seen: seen.draft is not None and not left_to_lay(seen).total()),
            Step("opening", _opening, _opened),
            Step("follower", _follower, lambda game, seen: _opened(game, seen) and bool(_own_areas(seen))),
            Step("next_round", _next_round, lambda game, seen: seen.view["round"] > 1),
        ),
        minutes=4,
    )
}

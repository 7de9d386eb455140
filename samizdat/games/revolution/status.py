"""Revolution!: the status line, and what a bid in the making holds."""

from __future__ import annotations

from collections import Counter

from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.show import TOKEN_WORDS, tokens_of
from samizdat.kernel.boards import Seen, Status
from samizdat.kernel.game import Game
from samizdat.kernel.prompts import Prompts
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template


def _spying(game: Game, seen: Seen) -> Status:
    view = seen.view
    chooser = view["players_at_table"][view["turn"][0]]
    stock = Many("{n} follower", "{n} followers", chooser["followers_in_stock"])
    return Status(
        Phrase("You have won the {character}: choose another player's follower to replace.", _won(seen)),
        Phrase(
            "It goes back to its owner and one of yours takes its place; you have {stock} in stock. Or leave it.",
            {"stock": stock},
        ),
    )


def _mixing(game: Game, seen: Seen) -> Status:
    return Status(
        Phrase("You have won the {character}: choose the first of two that change places.", _won(seen)),
        Phrase("Begin with the area that has the smaller number; the second comes from a later one. Or leave it."),
    )


def _won(seen: Seen) -> dict[str, Word]:
    return {"character": Word("characters", seen.view["settling"])}


def _exchanging(game: Game, seen: Seen) -> Status:
    view = seen.view
    first = game.notation.read(view["exchange_from"])
    place = {"area": Word("areas", first.args["area"]), "owner": Word("owners", first.args["owner"])}
    return Status(
        Phrase("Choose what changes places with {owner} in the {area}.", place),
        Phrase("It must be another colour in a later area, or nothing would change."),
    )


def _bidding(game: Game, seen: Seen) -> Status:
    constants = game.box.text.constants
    mine = laid(seen)
    left = left_to_lay(seen)
    held = seen.view["players_at_table"][seen.seat]["held"] if seen.seat is not None else left
    writing = [
        Word("owners", player["colour"])
        for seat, player in enumerate(seen.view["players_at_table"])
        if seat != seen.seat and not player["sealed"]
    ]
    counts = {
        "left": Phrase("{left} of {all} tokens left", {"left": left.total(), "all": sum(held.values())}),
        "people": Phrase(
            "{used} of {most} townspeople used", {"used": len(mine), "most": constants["most_characters"]}
        ),
        "others": Phrase("still writing: {names}", {"names": Listing(writing)})
        if writing
        else Phrase("everybody else has sealed"),
    }
    if not left.total():
        return Status(
            Phrase("All your tokens are laid: seal your bid, or take some back."),
            Phrase("{people} · {others}", counts),
        )
    tokens = Listing(
        [tokens_of(token, left[word]) for token, word in enumerate(TOKEN_WORDS) if left[word]], template("and")
    )
    return Status(
        Phrase("Your bid: lay {tokens} on the townspeople.", {"tokens": tokens}),
        Phrase("{left}, all must be laid · {people} · {others}", counts),
    )


PROMPTS = Prompts(
    POINTS,
    {"persuasion": _bidding, "spy": _spying, "apothecary": _mixing, "exchange": _exchanging},
)
status = PROMPTS.status


def laid(seen: Seen) -> dict[str, Counter[str]]:
    """The viewer's own tokens on the townspeople, those of its draft included."""
    mine: dict[str, Counter[str]] = {}
    if seen.seat is None:
        return mine
    for character, offer in (seen.view["players_at_table"][seen.seat]["bid"] or {}).items():
        mine[character] = Counter(offer)
    for notation in seen.draft.chosen if seen.draft else ():
        _, character, token = notation.split()
        mine.setdefault(character, Counter())[token] += 1
    return mine


def left_to_lay(seen: Seen) -> Counter[str]:
    left = Counter(dict.fromkeys(TOKEN_WORDS, 0))
    left.update(seen.view["left_to_lay"] or {})
    left.subtract(notation.split()[2] for notation in (seen.draft.chosen if seen.draft else ()))
    return left

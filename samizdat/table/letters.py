"""Messages in words: which table, with whom, and where to go; nothing of the match itself."""

from __future__ import annotations

from dataclasses import dataclass

from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Listing, Phrase
from samizdat.table.language import language
from samizdat.table.rendering import AND, called, sentence
from samizdat.table.store.messages import (
    BEGUN,
    CONFIRM,
    ENDED,
    LATE,
    MAIL,
    OUT,
    OVERDUE,
    PLEA,
    REMINDER,
    TAKEN,
    TRIAL,
    TURN,
    Letter,
    Outbox,
)
from samizdat.table.store.store import Store

TITLES = {
    TURN: Phrase("It is your turn: {game}"),
    BEGUN: Phrase("The match begins: {game}"),
    ENDED: Phrase("The match is over: {game}"),
    REMINDER: Phrase("Your time is nearly over: {game}"),
    LATE: Phrase("Your time was over: {game}. You have as much again, once."),
    TAKEN: Phrase("Your time is over: {game}. A bot sits in your seat; you may take it back."),
    OUT: Phrase("Your time is over: {game}. The others may end the match; decide while you can."),
    OVERDUE: Phrase("Somebody's time is over: {game}. You may end the match, or let it go on."),
    PLEA: Phrase("Somebody asks to take a decision back: {game}. Do you agree?"),
    TRIAL: Phrase("This is how you are told that it is your turn."),
    CONFIRM: Phrase("Do you want to be told here when it is your turn?"),
}
ASKED = Phrase(
    "Somebody, probably you, gave this address at a table for games. Nothing more is sent unless you confirm it."
)
WITH = Phrase("With {names}.")
SEVERAL = Phrase("Tables that wait for you: {count}")
STOP = Phrase("No more of these letters:")


@dataclass(frozen=True)
class Words:
    """A message as it is read."""

    title: str
    body: str
    link: str
    base: str
    stop: str
    tag: str  # what comes later of the same table takes the place of what came before


def words_of(store: Store, letter: Letter) -> Words:
    """A message in the language of the one it goes to."""
    code = letter.reach.language if letter.reach is not None else "en"
    base = letter.reach.base if letter.reach is not None else ""
    title, body, link = "", "", base
    if letter.table is None:
        title = sentence(TITLES[letter.kind], code)
        if letter.kind == CONFIRM:
            body, link = sentence(ASKED, code), f"{base}/confirm/{letter.way.secret}"
    else:
        row = store.table(letter.table)
        assert row is not None, "its messages go with a table"
        known = definitions().get(row.game)
        game = language(code).title(known).partition(":")[0] if known else row.game
        title = sentence(Phrase(TITLES[letter.kind].text, {"game": game}), code)
        body, link = _with(store, letter, code), f"{base}/table/{letter.table}"
        if letter.way.kind == MAIL and letter.kind == TURN:
            waiting = sum(Outbox(store).still_to_act(letter.player, one.id) for one in store.turns_of(letter.player))
            if waiting > 1:
                body, link = sentence(Phrase(SEVERAL.text, {"count": waiting}), code), f"{base}/"
    tag = f"{letter.table or letter.kind}"
    return Words(title, body, link, base, sentence(STOP, code), tag)


def _with(store: Store, letter: Letter, code: str) -> str:
    """Who else sits there."""
    assert letter.table is not None
    mine = store.held_by(letter.player, [letter.table]).get(letter.table, set())
    others = [called(row.name, code) for row in store.seats(letter.table) if row.seat not in mine and row.name]
    return sentence(Phrase(WITH.text, {"names": Listing(others, AND)}), code) if others else ""

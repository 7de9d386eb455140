"""Sending messages: whichever process takes one sends it, tries again later if it must, and writes down what went
wrong for the one it was meant for."""

from __future__ import annotations

import asyncio
import logging
import time
from email.message import EmailMessage
from typing import Any

from samizdat.table.chores import Chore
from samizdat.table.clocks import LIVE
from samizdat.table.house import House
from samizdat.table.letters import Words, words_of
from samizdat.table.outgoing import Unreachable
from samizdat.table.quiet import quiet_until
from samizdat.table.rendering import sentence
from samizdat.table.settings import Settings
from samizdat.table.store.clocks import stored_clock
from samizdat.table.store.messages import (
    CONFIRM,
    MAIL,
    OUT,
    OVERDUE,
    PLEA,
    PUSH,
    REMINDER,
    TRIAL,
    TURN,
    Letter,
    Outbox,
)
from samizdat.table.transports import Gone, NotTaken, send_hook, send_mail, send_push

log = logging.getLogger("samizdat.messages")

EVERY = 2.0  # seconds between two looks
AT_ONCE = 20
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0  # seconds until what failed is tried again, longer each time
MOST_FAILURES = 6
LETTER_EVERY = 24 * 3600.0  # seconds between two letters that say whose turn it is


class Postman(Chore):
    """Sends what is in the outbox."""

    def __init__(self, house: House, settings: Settings) -> None:
        self.house, self.settings = house, settings
        self.outbox = Outbox(house.store)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.go_round()
            except Exception as error:  # a busy database, say
                log.error("messages cannot be sent (%s)", type(error).__name__)

    async def go_round(self) -> int:
        """Send everything that is due; how many messages were taken."""
        letters = await asyncio.to_thread(self.outbox.take, AT_ONCE)
        await asyncio.gather(*(asyncio.to_thread(self._deliver, letter) for letter in letters))
        return len(letters)

    # --- one message -------------------------------------------------------------------------------------

    def _deliver(self, letter: Letter) -> None:
        due = self._when(letter)
        if due is None:
            self.outbox.drop(letter)
        elif due > time.time():
            self.outbox.postpone(letter, due)
        else:
            self._send(letter)

    def _when(self, letter: Letter) -> float | None:
        """When a message may be sent; None if there is nothing to tell any more."""
        now, way = time.time(), letter.way
        if letter.kind == CONFIRM:
            return now if way.confirmed is None else None
        if way.confirmed is None or (letter.reach is not None and letter.reach.stopped):
            return None
        if letter.kind == TRIAL or letter.table is None:
            return now
        if letter.kind in (TURN, REMINDER) and not self.outbox.still_to_act(letter.player, letter.table):
            return None
        if letter.kind == PLEA and not self.outbox.still_asked(letter.player, letter.table):
            return None
        if letter.kind in (TURN, PLEA) and way.kind == PUSH and self._looks_on(letter.player, letter.table):
            return None
        clock = stored_clock(self.house.store, letter.table, 0)
        if letter.kind in (OUT, OVERDUE) and not (clock and clock.out):
            return None
        if clock is not None and clock.terms.kind == LIVE:
            return now  # who plays against a running clock is awake
        if way.kind == MAIL and letter.kind == TURN and way.used is not None and way.used + LETTER_EVERY > now:
            return float(way.used + LETTER_EVERY)
        return quiet_until(letter.reach, now) or now

    def _looks_on(self, player: str, id: str) -> bool:
        """Whether somebody has the table before their eyes, as far as this process knows."""
        table = self.house.tables.get(id)
        return table is not None and any(table.listeners.get(seat) for seat in table.held_by(player))

    def _send(self, letter: Letter) -> None:
        begun = False
        try:
            words = words_of(self.house.store, letter)
            begun = self.outbox.begin(letter)
            if begun:
                self._hand_over(letter, words)
                self.outbox.sent(letter)
        except Gone:
            self.outbox.gone(letter.way.id)
        except NotTaken as error:
            self.outbox.failed(letter, str(error), self._again(letter) if error.passing else None)
        except Unreachable as error:
            self.outbox.failed(letter, sentence(error.args[0], "en"), self._again(letter))
        except OSError as error:
            kind = error.strerror or type(error).__name__
            self.outbox.failed(letter, f"The server cannot be reached ({kind}).", self._again(letter))
        except Exception as error:  # one that nobody thought of must not keep the others waiting
            log.error("a message could not be sent (%s)", type(error).__name__)
            if not begun:  # that was a try, too
                self.outbox.begin(letter)
            self.outbox.failed(letter, f"It could not be sent ({type(error).__name__}).", self._again(letter))

    @staticmethod
    def _again(letter: Letter) -> float | None:
        """When it is tried again; None if it was tried often enough."""
        if letter.failures + 1 >= MOST_FAILURES:
            return None
        return time.time() + min(LONGEST_PAUSE, FIRST_PAUSE * 4.0**letter.failures)

    def _hand_over(self, letter: Letter, words: Words) -> None:
        way, settings = letter.way, self.settings
        if way.kind == PUSH:
            send_push(way, words, self.vapid(), settings.private_hooks)
        elif way.kind == MAIL:
            send_mail(settings, letter_to(way, words, settings.mail_from))
        else:
            send_hook(way, letter, words, settings.private_hooks)

    def vapid(self) -> str:
        """The key by which the services of browsers know this house."""
        from samizdat.table.transports import fresh_vapid

        return self.outbox.key("vapid", fresh_vapid())


def letter_to(way: Any, words: Words, sender: str) -> EmailMessage:
    """A message as a letter; every one can be stopped with one click."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, way.address, words.title
    stop = f"{words.base}/stop/{way.secret}"
    mail["List-Unsubscribe"], mail["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("\n\n".join(filter(None, (words.title, words.body, words.link, f"{words.stop}\n{stop}"))))
    return mail

"""A profile in words and plots: the matches of somebody, how often they win, and how many points they make."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from samizdat.kernel.game import definitions
from samizdat.kernel.plain_board import PlainBoard
from samizdat.kernel.telling import Phrase
from samizdat.table.figures import ENOUGH, Finished, Share, bars, shares
from samizdat.table.language import Language, Speaker, language, seat_word
from samizdat.table.opening import level_name
from samizdat.table.plots import bar_plot, share_plot
from samizdat.table.ratings import Rating
from samizdat.table.rendering import called, sentence
from samizdat.table.store.store import Store
from samizdat.table.versions import OtherRules, game_of

TOO_FEW = Phrase("{n} of 10 needed")
MEAN = Phrase("mean {n}")


def day(when: float, speech: Language) -> str:
    return speech.day(datetime.fromtimestamp(when, UTC))


def ago(when: float | None, speech: Language) -> str:
    return "" if when is None else speech.ago(max(1, int(time.time() - when)))


@dataclass(frozen=True)
class Plotted:
    """A plot, what it says, and the same in numbers."""

    title: str
    caption: str
    plot: Markup
    shares: Sequence[Share] = ()
    counts: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True)
class MatchLine:
    """One match in the list."""

    id: str
    title: str
    glyph: str
    kind: str  # "won", "lost", or "all" where everybody lost
    place: str
    others: str
    seat: str
    points: str
    rating: str
    when: str
    moment: str


class ProfileReader:
    """Turns matches into words and plots, in one language."""

    def __init__(self, store: Store, code: str) -> None:
        self.store, self.code, self.speech = store, code, language(code)

    def say(self, thing: Any) -> str:
        return sentence(thing, self.code)

    def title(self, game: str) -> str:
        known = definitions().get(game)
        return self.speech.title(known).partition(":")[0] if known else game

    def glyph(self, game: str) -> str:
        known = definitions().get(game)
        return str((known.board if known else PlainBoard).GLYPH)

    def seat(self, one: Finished) -> str:
        """The seat by its name; a game that this program no longer has gives it none."""
        try:
            game = game_of(one.row, self.store.printed)
        except OtherRules:
            return str(one.seat + 1)
        return Speaker(self.speech, game)(seat_word(game, one.seat))

    def opponents(self, one: Finished) -> list[str]:
        return [
            self.say(Phrase("bots, {level}", {"level": level_name(other.level)})) if other.level
            else called(other.name, self.code)
            for other in one.others
        ]  # fmt: skip

    # --- the list ----------------------------------------------------------------------------------------

    def line(self, one: Finished, rated: Mapping[str, Rating]) -> MatchLine:
        row, known = one.row, rated.get(one.row.game)
        kind = "all" if one.lost_by_all else "won" if one.rank == 1 else "lost"
        others = ", ".join(called(other.name, self.code) for other in one.others)
        points = str(one.score) if one.best_other is None else f"{one.score} : {one.best_other}"
        change = known.change(row.id) if known else None
        counted = self.say(Phrase("unrated") if change is None else Phrase("rated"))
        if known and known.now and change is not None:
            counted = f"{change:+d}"
        return MatchLine(
            row.id, self.title(row.game), self.glyph(row.game), kind, f"{one.rank}/{row.players}", others,
            self.seat(one), points, counted, ago(row.changed, self.speech),
            day(row.changed, self.speech),
        )  # fmt: skip

    # --- the plots ---------------------------------------------------------------------------------------

    def figures(self, played: list[Finished], own: bool) -> list[Plotted]:
        """How often, by game, seat and opponent, and how many points. Nothing where all of it would be chance."""
        if len(played) < ENOUGH:
            return []
        fair = self.say(Phrase("share of the win; hatched: 95 % sure; dashed: fair share"))
        found = [self._shares(Phrase("How often you win") if own else Phrase("How often they win"), fair,
                              shares(played, lambda one: [self.title(one.row.game)]))]  # fmt: skip
        by_game: dict[str, list[Finished]] = {}
        for one in played:
            by_game.setdefault(one.row.game, []).append(one)
        often = sorted((those for those in by_game.values() if len(those) >= ENOUGH), key=lambda those: -len(those))
        if often:
            found.append(self._points(often[0]))
        for those in often[:2]:
            words = Phrase("Seat by seat, {game}", {"game": self.title(those[0].row.game)})
            found.append(self._shares(words, self._number(those), shares(those, lambda one: [self.seat(one)])))
        together = self.say(Phrase("matches won by you, of those played together"))
        against = [one for one in shares(played, self.opponents) if one.enough]
        if own and against:
            found.append(self._shares(Phrase("Against whom"), together, against))
        return found

    def _number(self, played: Sequence[Finished]) -> str:
        words = self.speech.ngettext("%(num)s match", "%(num)s matches", len(played))
        return words % {"num": len(played)}

    def _shares(self, title: Phrase, caption: str, rows: Sequence[Share]) -> Plotted:
        return Plotted(
            self.say(title), caption, share_plot(rows, self.say(title), self.speech.gettext(TOO_FEW.text)), rows
        )

    def _points(self, played: Sequence[Finished]) -> Plotted:
        title = self.say(Phrase("Points in {game}", {"game": self.title(played[0].row.game)}))
        told = bars([one.score for one in played])
        mean = self.say(Phrase(MEAN.text, {"n": round(told.mean)}))
        edges = [told.first + n * told.step for n in range(len(told.counts))]
        counts = [
            (str(edge) if told.step == 1 else f"{edge}–{edge + told.step - 1}", n)
            for edge, n in zip(edges, told.counts, strict=True)
        ]
        return Plotted(title, self._number(played), bar_plot(told, title, mean), counts=counts)

"""House rules: options as the form of a new table offers them, and as a table that plays with them says them."""

from __future__ import annotations

from dataclasses import dataclass

from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.options import Option, Value
from samizdat.kernel.telling import Phrase, Word
from samizdat.table.language import Speaker, language

FEW = 12  # numbers that stand in a list; more are typed
HOUSE_RULE = "house-"  # before the name of an option, in the form
MOST_OPEN = 6  # house rules that stand open in the form; the others are behind one line


@dataclass(frozen=True)
class Offer:
    """An option that makes a difference: in which variants, and what there is to choose from."""

    option: Option
    variants: tuple[str, ...]
    values: tuple[Value, ...]

    @property
    def switch(self) -> bool:
        """Whether it is a house rule that is on or off."""
        return isinstance(self.option.default, bool)

    @property
    def typed(self) -> bool:
        return not self.option.listed and len(self.values) > FEW


def offers(definition: Definition, *boxes: Box) -> list[Offer]:
    """What can be chosen when a table of a game is opened with one of these boxes, or else with everybody's, in the
    order of its definition: sensible ones first. An option that can matter with none of them is not there."""
    found = []
    for option in definition.options:
        values = {
            (variant, number): option.values(box.record, variant)
            for variant in definition.variants
            for number, box in enumerate(boxes or [definition.standard_box])
        }
        there = dict.fromkeys(variant for (variant, _), some in values.items() if some)
        if there:
            found.append(Offer(option, tuple(there), max(values.values(), key=len)))
    return found


class OptionWords:
    """How the options of a game are said in the form, in one language."""

    prefix = HOUSE_RULE
    most = MOST_OPEN

    def __init__(self, game: str, code: str) -> None:
        self.game = game
        self._speech = language(code)

    def around(self, offer: Offer) -> tuple[str, str]:
        """The sentence of an option: what stands before its value, and after it, less its full stop."""
        words = self._speech.gettext(offer.option.help, self.game)
        before, found, after = words.partition("{n}")
        return (before, after.removesuffix(".")) if found or offer.switch else (f"{before}:", "")

    def value(self, option: Option, value: Value) -> str:
        """One value to choose; the usual one of a house rule is marked."""
        if isinstance(value, str):
            return self._speech.word(self.game, Word(f"{option.name}s", value))
        if option.setup or value != option.default:
            return str(value)
        usual = self._speech.gettext(option.usual, self.game) if option.usual else str(value)
        return Speaker(self._speech, None)(Phrase("{value} (as ruled)", {"value": usual}))


def agreed(game: Game, code: str) -> list[tuple[str, str]]:
    """The house rules that a match is played with, in one language: each one's sentence and its rule."""
    say = Speaker(language(code), game)
    return [(say(line), line.rule) for line in game.house_rules]

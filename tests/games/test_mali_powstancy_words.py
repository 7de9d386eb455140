"""Mali Powstańcy: what the log says, and which rules it cites."""

from __future__ import annotations

from pathlib import Path

import pytest

import samizdat
from samizdat.games.mali_powstancy.state import DEALS
from samizdat.kernel.luck import EVERYONE
from samizdat.kernel.telling import Told
from samizdat.table.language import LANGUAGES
from samizdat.table.rendering import sentence
from tests.games.warsaw import NAME, cites
from tests.rulebook import RECORDED


@cites(NAME, "2.3", "2.4.1", "2.4.2", "2.8.1", "2.12.1", "2.13.1", "2.13.3")
@pytest.mark.parametrize("path", sorted((RECORDED / NAME).glob("*.json")), ids=lambda path: path.stem)
def test_the_log_cites_the_rules_of_its_variant(path: Path) -> None:
    """Recorded matches of both variants, every line that both can tell but by different rules."""
    match = samizdat.loads(path.read_text(encoding="utf-8"))
    extended = match.game.variant == "extended"
    victory_is_out = False
    met = set()
    for line in match.log(0):
        text = str(line)
        victory_is_out |= "The Victory card appears" in text
        if "has failed." in text:
            assert line.rule == ("2.12.1" if extended else "2.8.1")
        elif text == "No order is revealed.":
            assert line.rule == ("2.13.1" if victory_is_out else "2.4.2")
        elif text.startswith("New order"):
            assert line.rule == "2.4.1" or (extended and line.rule in ("2.12.2", "2.12.3b", "A32", "A51"))
        elif "for returned scouts" in text or ("scores" in text and " order" in text and "objective" not in text):
            assert line.rule == ("2.13.3" if extended else "2.9.2")
        elif "is the new start player" in text:
            assert line.rule == ("2.12.5" if extended else "2.8.7")
        else:
            continue
        met.add(line.rule)
    assert len(met) > 2


@cites(NAME, "2.3", "2.4.1", "2.4.2")
@pytest.mark.parametrize("path", sorted((RECORDED / NAME).glob("*.json")), ids=lambda path: path.stem)
def test_every_round_is_told_and_one_without_orders_says_so(path: Path) -> None:
    match = samizdat.loads(path.read_text(encoding="utf-8"))
    lines = [str(line) for line in match.log(None)]
    begun = [text for text in lines if text.startswith("Round ") and text.endswith(" begins.")]
    assert begun == [f"Round {number} begins." for number in range(1, match.view(None)["round"] + 1)]
    for at, text in enumerate(lines):
        if text in begun:
            first, second = (one.startswith(("New order", "The Victory", "Order ")) for one in lines[at + 1 : at + 3])
            assert first or (lines[at + 1] == "No order is revealed." and not second), lines[at : at + 3]
            assert not first or lines[at + 2] != "No order is revealed."


IN_WORDS = {
    "en": "You are dealt the objective “most orders from Wola”.",
    "it": "Ricevi l'obiettivo «più ordini dal distretto Wola».",
    "de": "Du erhältst das Ziel „die meisten Befehle aus Wola“.",
    "pl": "Dostajesz cel „najwięcej rozkazów z dzielnicy Wola”.",
}


@cites(NAME, "2.10.3")
@pytest.mark.parametrize("code", LANGUAGES)
def test_an_objective_is_dealt_in_a_whole_sentence(code: str) -> None:
    game = samizdat.game(NAME, variant="extended")
    wola = next(i for i, row in enumerate(game.box.text.tables["objectives"]) if row["district"] == "wola")
    line = game.definition.show.tell(game, [Told(EVERYONE, DEALS, (wola, 0, 0, 0, 0, 0))], 0)[0]
    assert sentence(line, code, game) == IN_WORDS[code]

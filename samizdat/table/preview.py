"""One position of a random match as a page on disk, to look at a board while drawing it.

    python -m samizdat.table.preview GAME [--seed 7] [--plies 60] [--seat 0] [--lang en]
        [--theme dark] [--out page.html]

The seat is the first one to act unless given; -1 is a spectator. Options are written as name=value.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from samizdat.kernel.boards import Seen
from samizdat.kernel.game import definition, definitions
from samizdat.kernel.match import Match
from samizdat.table.board_files import board_file, board_of
from samizdat.table.language import language
from samizdat.table.page_parts import draw
from samizdat.table.rendering import page
from samizdat.table.scripts import STATIC, carried, needed
from samizdat.table.viewing import Log, PageView, SeatView

NAMES = ("Ludmila", "Oskar", "Irena", "Nadia", "Pavel", "Zofia")


def random_match(name: str, seed: int, plies: int, options: dict[str, object]) -> Match:
    match = definition(name).choose(**options).match(seed)  # type: ignore[arg-type]
    dice = random.Random(seed)
    while not match.over and match.plies < plies:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def position(match: Match, seat: int | None, draft: tuple[str, ...] = ()) -> PageView:
    """The position as one seat sees it."""
    legal = tuple(str(move) for move in match.legal(seat)) if seat is not None else ()
    module = board_of(match.game.name)
    composed = None
    if seat is not None and legal:
        composed = module.compose(match.game, match.sight(seat, memory=False).state, seat, draft)
    told = match.observations(seat)[-1].told
    return PageView(
        game=match.game,
        seen=Seen(match.view(seat), seat, legal, composed, told),
        chairs=[SeatView(NAMES[i], *(("person",) if i == 0 else ("bot", "novice"))) for i in range(match.seats)],
        log=Log(match.game, seat),
        heard=match.observations(seat),
        version=match.plies,
        can_undo=seat is not None and match.can_undo(seat),
        over=match.over,
        reveals=module.reveals(match.game, list(told), -1 if seat is None else seat),
    )


def whole_page(shown: PageView, code: str, theme: str, static: str, boards: str) -> str:
    drawn = draw(shown, code)
    return page(
        "table.html.jinja", code, theme=theme, static=static, boards=boards, game=shown.game.name,
        title=language(code).title(shown.game.definition), parts=drawn["parts"], opens=drawn["opens"],
        table=None, seat=shown.seen.seat, version=shown.version, change=0, held=[], host=False, fingerprint="",
        scripts=static, needed=needed, helps=True, revelations="all", pace="normal", back="/",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(definitions()))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--seat", type=int)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--draft", action="append", default=[])
    parser.add_argument("--out", type=Path, default=Path("page.html"))
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    options = {
        name: int(value) if value.isdigit() else value for name, _, value in (o.partition("=") for o in given.options)
    }
    match = random_match(given.game, given.seed, given.plies, options)
    seat = given.seat if given.seat is not None else (match.turn or (0,))[0]
    shown = position(match, None if seat < 0 else seat, tuple(given.draft))
    language(given.lang)
    html = carried(whole_page(shown, given.lang, given.theme, str(STATIC), "/boards"))
    style = board_file(definition(given.game), "board.css")
    given.out.write_text(html.replace(f"/boards/{given.game}/board.css", str(style)), encoding="utf-8")
    print(f"{given.out}: {len(html)} characters; seat {seat}, {len(shown.seen.legal)} decisions")


if __name__ == "__main__":
    main()

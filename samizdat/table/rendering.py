"""Rendering: templates in a reader's language, whole pages, and sentences and names as that reader has them."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from markupsafe import Markup

from samizdat.kernel.game import Game, definitions
from samizdat.kernel.telling import template
from samizdat.table.board_files import PLAIN
from samizdat.table.fast_jinja import COMPILED, Absent, FastEnvironment, speech
from samizdat.table.house_rules import agreed
from samizdat.table.language import LANGUAGES, Speaker, language
from samizdat.table.names import SOMEBODY

HERE = Path(__file__).parent
MOST_GLYPHS = 4000  # kept, with their labels
FREE_SEAT = template("free seat")
NAMELESS = template("Somebody")  # SOMEBODY of names.py, in words
UNNAMED = template("Player")  # what somebody is called who gave no name; at one screen with a number
AND = template("and")  # before the last of several names


@functools.cache
def environment(code: str, game: str = "") -> Environment:
    """The templates in one language, a game's in its own words; `<game>/board.html.jinja` is the one in that game's
    folder, or the plain one."""
    spoken = language(code)
    games = {name: FileSystemLoader([definition.folder, PLAIN]) for name, definition in definitions().items()}
    env = FastEnvironment(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), PrefixLoader(games)]),
        autoescape=True,
        undefined=Absent,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        bytecode_cache=COMPILED,
    )
    env.install_gettext_callables(  # type: ignore[attr-defined]
        functools.partial(spoken.gettext, game=game), functools.partial(spoken.ngettext, game=game), newstyle=True
    )
    env.filters["called"] = functools.partial(called, code=code)
    env.globals |= {
        "language": spoken,
        "languages": LANGUAGES,
        "glyph": glyph,
        "house_rules": functools.partial(agreed, code=code),
        "shelf": list(definitions()),
        **speech(spoken, game),
    }
    return env


@functools.lru_cache(MOST_GLYPHS, typed=True)  # a label that is markup is no text
def glyph(name: str, label: str = "", cls: str = "") -> Markup:
    """One of our pictures; with a label it speaks, without one it is decoration beside its word."""
    voice = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="g{}" {}><use href="#g-{}"/></svg>').format(f" {cls}" if cls else "", voice, name)


@functools.cache
def macros(code: str, name: str) -> tuple[Any, Any]:
    """The macros of the frame and of a game's board, in one language."""
    frame: Any = environment(code).get_template("parts.html.jinja").module
    game: Any = environment(code, name).get_template(f"{name}/board.html.jinja").module
    return frame, game


def named(names: Sequence[str], code: str) -> list[str]:
    """Names of seats to be shown: one that was freed has none of its own."""
    free = language(code).gettext(FREE_SEAT)
    return [called(name, code) or free for name in names]


@functools.cache
def _unnamed() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(language(code).gettext(UNNAMED) for code in LANGUAGES)})( [0-9]+)?")


def called(name: str, code: str) -> str:
    """A person's name for a reader: whoever gave none was called so in the language of that moment, and everybody
    reads it in their own; and so it is with those who took their names off."""
    if name == SOMEBODY:
        return language(code).gettext(NAMELESS)
    found = _unnamed().fullmatch(name)
    return f"{language(code).gettext(UNNAMED)}{found[1] or ''}" if found else name


def sentence(thing: Any, code: str, game: Game | None = None, names: Sequence[str] = ()) -> str:
    """Anything that is told, in one language."""
    return Speaker(language(code), game, names)(thing)


def page(template: str, code: str, **context: Any) -> str:
    """A whole page."""
    return environment(code).get_template(template).render(**context)

"""Warm pages: what the first visitor of each page would wait for is made ready while the server begins to serve.

Compiling a board's templates takes 0.2 to 0.4 seconds, reading a language 0.05: all of it would otherwise happen on
the event loop, in the middle of somebody's decision.
"""

from __future__ import annotations

from samizdat.kernel.game import definitions
from samizdat.table.language import LANGUAGES
from samizdat.table.rendering import environment, macros


def warm_pages() -> None:
    """Compile every template and read every language; in a thread, since pages may already be asked for."""
    for code in LANGUAGES:
        pages = environment(code)
        for name in pages.list_templates(filter_func=_of_a_page):
            pages.get_template(name)
        for name, found in definitions().items():
            macros(code, name)
            if (found.folder / "pictures.html.jinja").is_file():
                environment(code, name).get_template(f"{name}/pictures.html.jinja")


def _of_a_page(name: str) -> bool:
    """Our own templates, and the pictures they include; boards have words of their own."""
    return "/" not in name or name.endswith(("/poster.svg", "/glyphs.svg"))

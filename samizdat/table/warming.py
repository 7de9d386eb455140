"""Warm pages: what the first visitor of each page would wait for is made ready while the server begins to serve.

Compiling a board's templates takes 0.2 to 0.4 seconds, reading a language 0.05, and a full collection of garbage
walks over everything that was ever imported: all of it would otherwise happen on the event loop, in the middle of
somebody's decision.
"""

from __future__ import annotations

import gc

from samizdat.kernel.game import definitions
from samizdat.table.language import LANGUAGES
from samizdat.table.rendering import environment, macros

# Matches are freed by counting references; collections are for the few cycles. Young objects are looked through
# often, everything that lives (some 500 objects a table, walked in one go) only when a million more were made.
THRESHOLDS = (2_000, 20, 25)


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


def settle() -> None:
    """What is here now stays for as long as the server runs: the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

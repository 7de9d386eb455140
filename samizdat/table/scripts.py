"""The scripts of our pages: modules that import one another, and how a browser finds all of them at once.

Browsers may keep static files for long, so an address must change with what lies behind it. A module names others
relative to itself: they are found under `/static/v-FINGERPRINT/`, and no name has to be rewritten.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^import (?:[^"]*? from )?"\./([\w.-]+)";$', re.M)
VERSIONED = re.compile(r"v-\w*/")


@functools.cache
def fingerprint() -> str:
    """Changes with any of our static files."""
    digest = hashlib.sha256()
    for file in sorted(STATIC.rglob("*.*")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


def imports(name: str) -> list[str]:
    """The modules that one names."""
    return IMPORT.findall((STATIC / name).read_text(encoding="utf-8"))


@functools.cache
def needed(entry: str) -> tuple[str, ...]:
    """All modules behind one, each after those it imports; a browser told of them fetches them side by side."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        for other in imports(name):
            visit(other)
        found.setdefault(name)

    visit(entry)
    return tuple(found)


def carried(html: str) -> str:
    """A page to be read from disk, where browsers load no modules: it carries its own."""
    entries = re.findall(r'<script type="module" src="[^"]*?([\w.-]+)"></script>', html)
    order = list(dict.fromkeys(name for entry in entries for name in needed(entry)))
    sources = {name: (STATIC / name).read_text(encoding="utf-8") for name in order}
    html = re.sub(r'<link rel="modulepreload"[^>]*>\n?|<script type="module" src=[^>]*></script>\n?', "", html)
    told = json.dumps(sources).replace("<", "\\u003c")
    loader = f"""<script type="module">const made = {{}};
for (const [name, source] of Object.entries({told})) {{
  const found = source.replace(/"\\.\\/([\\w.-]+)"/g, (_, other) => JSON.stringify(made[other]));
  made[name] = URL.createObjectURL(new Blob([found], {{ type: "text/javascript" }}));
}}
for (const entry of {json.dumps(entries)}) await import(made[entry]);</script>"""
    return html.replace("</body>", f"{loader}\n</body>")


class Static(StaticFiles):
    """Our static files, with a version in front of their names or without."""

    async def get_response(self, path: str, scope: Any) -> Response:
        return await super().get_response(VERSIONED.sub("", path, count=1) if VERSIONED.match(path) else path, scope)

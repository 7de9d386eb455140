"""Reading files that a person named: bounded in size and in what they cost to parse."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from samizdat.kernel.arguments import printable, shorten
from samizdat.kernel.errors import BoxError, SamizdatError
from samizdat.kernel.telling import Phrase

KB = 1024
LONGEST_NAME = 300

MOST_PARTS = 16  # of a dotted key: the parser needs memory for the square of their number
# Texts and remarks of a TOML file; one without an end reaches to where it must end.
QUOTED = re.compile(
    r"""
    \"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z) | '{3}.*?(?:'{3}|\Z) | "(?:\\[^\n]|[^"\\\n])*"? | '[^'\n]*'? | \#[^\n]*
    """,
    re.DOTALL | re.VERBOSE,
)
DOTTED = re.compile(rf'(?<![\w-])(?:[\w-]+|"")(?:[ \t]*\.[ \t]*(?:[\w-]+|"")){{{MOST_PARTS},}}')
LONG_NUMBER = re.compile(r"(?<![0-9_])[0-9](?:_?[0-9]){999,}")
SHORT_ENOUGH = 40


def name_of(path: Path) -> str:
    """A file in an error: its name, and of a long way to it the end."""
    name = printable(str(path))
    return name if len(name) <= LONGEST_NAME else "…" + name[-LONGEST_NAME:]


def read_text(path: Path, most: int, refusal: type[SamizdatError]) -> str:
    """A text of at most so many characters; anything else is refused by its name, and no more of it is read."""
    name = {"file": name_of(path)}
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(most + 1)
    except OSError as error:
        raise refusal(Phrase("{file}: cannot be read: {why}.", {**name, "why": error.strerror})) from None
    except UnicodeDecodeError:
        raise refusal(Phrase("{file}: not a text file in UTF-8.", name)) from None
    except ValueError:
        raise refusal(Phrase("{file}: no file can have this name.", name)) from None
    if len(text) > most:
        raise refusal(Phrase("{file}: larger than {most} KB, which no such file is.", {**name, "most": most // KB}))
    return text


def parse_box(raw: str, path: Path) -> dict[str, Any]:
    """The TOML of a box file as plain data.

    A number that is too long for Python to read is cut to one that is still far too great for any field of a box: so
    it is refused where it stands.
    """
    name = {"file": name_of(path)}
    bare = QUOTED.sub(lambda found: "" if found[0][0] == "#" else '""' + "\n" * found[0].count("\n"), raw)
    if dotted := DOTTED.search(bare):
        line = bare.count("\n", 0, dotted.start()) + 1
        words = {**name, "line": line, "most": MOST_PARTS}
        raise BoxError(
            Phrase("{file}, line {line}: a key of more than {most} parts; no table of a box has such.", words)
        )
    try:
        return tomllib.loads(LONG_NUMBER.sub(lambda found: found[0][:SHORT_ENOUGH], raw))
    except ValueError as error:
        what, at, place = str(error).rpartition(" (at ")
        what = f"{shorten(what, 100)}{at}{place}"
        raise BoxError(Phrase("{file}: not valid TOML: {what}", {**name, "what": what})) from None
    except RecursionError:
        raise BoxError(Phrase("{file}: not a box file: its values are nested too deeply.", name)) from None

"""Collects every text that a person can read, and tells which language lacks it.

python -m tests.texts                   list what is missing, untranslated or no longer used; fails if anything is
python -m tests.texts --update FOLDER   write the texts of a folder into its locale/*.po, keeping translations
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from samizdat.table.language import LANGUAGES, LOCALE, folders, read_catalogue

# Python's own calls and Jinja's; a number says which argument is a text, a pair which two are singular and plural.
KEYWORDS = {
    "Line": (2,),
    "Option": (3,),
    "Phrase": (1,),
    "Described": (1,),
    "Many": (1, 2),
    "template": (1,),
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
}
METHODS = [("**.py", "python"), ("**.jinja", "jinja2.ext:babel_extract")]
OPTIONS = {"**.jinja": {"trimmed": "true", "encoding": "utf-8"}}
HEADER = (
    'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n"Plural-Forms: {plurals}\\n"\n'
    '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
)
TRANSLATED = [code for code in LANGUAGES if code != "en"]

Text = str | tuple[str, str]


def collect(folder: Path) -> dict[Text, str]:
    """Every text of a folder and where it stands first; those of scenes and puzzles are data."""
    found: dict[Text, str] = {}
    for file, line, message, _, _ in extract_from_dir(
        folder, METHODS, OPTIONS, KEYWORDS, directory_filter=lambda path: Path(path).name != "scenes"
    ):
        text: Text = message if isinstance(message, str) else (message[0], message[1])
        if text and (isinstance(text, str) or text[0]):
            found.setdefault(text, f"{file}:{line}")
    for file in sorted((folder / "scenes").glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        for words in (data["title"], data["ask"], *(step["say"] for step in data["step"] if "say" in step)):
            found.setdefault(words, f"scenes/{file.name}")
    if (folder / "puzzles.json").is_file():
        for puzzle in json.loads((folder / "puzzles.json").read_text(encoding="utf-8")):
            found.setdefault(puzzle["title"], f"puzzles.json {puzzle['name']}")
            found.setdefault(puzzle["ask"], f"puzzles.json {puzzle['name']}")
    return found


def update(folder: Path) -> None:
    texts = collect(folder)
    (folder / LOCALE).mkdir(exist_ok=True)
    for code in TRANSLATED:
        file = folder / LOCALE / f"{code}.po"
        old = read_catalogue(file) if file.is_file() else Catalog(locale=code)
        new = Catalog(locale=code)
        for text in texts:
            known = old.get(text if isinstance(text, str) else text[0])
            string = known.string if known is not None and isinstance(known.id, str) == isinstance(text, str) else ""
            new.add(text, string=string or None, locations=())
        with file.open("wb") as stream:
            stream.write(HEADER.format(code=code, plurals=new.plural_forms).encode())
            write_po(stream, new, omit_header=True, width=0)


def problems(folder: Path) -> Iterator[str]:
    """What is wrong with the catalogues of a folder, one sentence each."""
    texts = collect(folder)
    for code in TRANSLATED:
        file = folder / LOCALE / f"{code}.po"
        if not file.is_file():
            if texts:
                yield f"{file}: missing"
            continue
        known = {
            message.id if isinstance(message.id, str) else tuple(message.id): message
            for message in read_catalogue(file)
        }
        for text, place in texts.items():
            message = known.get(text)
            if message is None or not message.string or not all(message.string):
                yield f"{file.name} {folder.name}: no words for {text!r} ({place})"
            elif message.fuzzy:
                yield f"{file.name} {folder.name}: uncertain words for {text!r}"
        for text in known:
            if text and text not in texts:
                yield f"{file.name} {folder.name}: nobody says {text!r} any more"


def main() -> None:
    if sys.argv[1:2] == ["--update"]:
        for name in sys.argv[2:]:
            update(Path(name))
        return
    found = [problem for folder in folders().values() for problem in problems(folder)]
    print("\n".join(found) or "Every text is there in every language.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()

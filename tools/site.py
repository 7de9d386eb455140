"""What the site of the documentation is made of besides docs/: a hook of MkDocs (`mkdocs.yml`, `make site`).

Fonts, colours and sign are the table's own files. Pages that stand elsewhere in the repository, and the files that
pages link to, are brought along, and the commands are described by the program itself.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from samizdat.cli import app
from samizdat.kernel.game import definitions

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "samizdat" / "table" / "static"
ELSEWHERE = {"contributing.md": "CONTRIBUTING.md", "changes.md": "CHANGELOG.md", "speed.md": "bench/log.md"}
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
FENCE = re.compile(r"^(```.*?^```[^\S\n]*$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in sorted((STATIC / "fonts").iterdir()):
        files.append(File.generated(config, f"site/fonts/{file.name}", content=file.read_bytes()))
    for name in ("fonts.css", "icon.svg"):
        files.append(File.generated(config, f"site/{name}", content=(STATIC / name).read_bytes()))
    tokens = coloured((STATIC / "tokens.css").read_text(encoding="utf-8"))
    files.append(File.generated(config, "site/tokens.css", content=tokens))
    pages = {file.src_uri: ROOT / "docs" / file.src_uri for file in files.documentation_pages()}
    for name, make in MADE.items():
        files.append(File.generated(config, name, content=make()))
    for name, source in ELSEWHERE.items():
        pages[name] = ROOT / source
    for name, path in pages.items():
        text, linked = at_home(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix(), name)
        if name in ELSEWHERE:
            files.append(File.generated(config, name, content=text))
        for source in linked:
            if files.get_file_from_path(brought(source)) is None:
                files.append(File.generated(config, brought(source), content=(ROOT / source).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    if page.file.generated_by:
        return markdown
    return at_home(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)[0]


def on_page_content(html: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """A table without headings has none: Markdown writes empty ones, which screen readers would read out."""
    html = re.sub(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>", "", html)
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def brought(source: str) -> str:
    """Where a file of the repository that some page links to lies on the site: as text, whatever its name ends in."""
    return f"repository/{source}.txt"


def at_home(text: str, source: str, page: str) -> tuple[str, list[str]]:
    """A page's text with the links that lead out of docs/ led to their copies on the site, and what they lead to."""
    linked: list[str] = []
    folder, here = posixpath.dirname(source), posixpath.dirname(page)

    def led(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[2]))
        home = {source: name for name, source in ELSEWHERE.items()}.get(target)
        if home is None and target.startswith("docs/"):
            home = target.removeprefix("docs/")
        if home is None and (ROOT / target).is_file():
            linked.append(target)
            home = brought(target)
        return found[0] if home is None else f"{found[1]}{posixpath.relpath(home, here or '.')}{found[3] or ''}"

    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(led, part) for part in parts[::2]]
    return "".join(parts), linked


def coloured(tokens: str) -> str:
    """The table's colours for the two schemes of the site, whose readers choose by a button of its own."""
    light, rest = tokens.split("@media screen {\n", 1)
    dark, after = rest.split("@media screen and (prefers-color-scheme: dark)", 1)
    widths = after[after.index("@media (max-width") :]
    dark = dark.rpartition("}\n}")[0].replace(':root[data-theme="dark"]', '[data-md-color-scheme="carbon"]')
    return f"{light}@media screen {{\n{dark}}}\n}}\n{widths}".replace("color-scheme: light dark;", "")


# --- records ----------------------------------------------------------------------------------------------


def records_page() -> str:
    """What a position of each game consists of."""
    parts = [
        "# Records",
        "A position is a record of whole numbers: its fields, their shapes, their bounds, and the "
        "rules these come from. [Match files](../spec/match-file.md#positions) that begin from a position name them. "
        "What values stand for is named in the game's `state.py`. This page is made by the program itself.",
    ]
    for found in definitions().values():
        if found.folder.is_relative_to(ROOT):
            rows = [
                f"| `{name}` | {' × '.join(map(str, field.shape)) or 1} | {field.low} | {field.high} | {field.why} |"
                for name, field in found.state.fields.items()
            ]
            table = ["| field | shape | lowest | highest | why |", "|---|---|--:|--:|---|", *rows]
            parts += [f"## {found.title}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


# --- commands ---------------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with what it says of itself."""
    parts = [
        "# Commands",
        "As `samizdat COMMAND --help` says; this page is made by the program itself whenever the site is built.",
    ]
    root = typer.main.get_command(app)
    for path, command in sorted(walk(root, ()), key=lambda found: found[0]):
        parts += described(path, command)
    return "\n\n".join(parts) + "\n"


def walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands that do something, with the words they are called by."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
    for name, one in (inner or {}).items():
        if not one.hidden:
            yield from walk(one, (*path, name))


def described(path: tuple[str, ...], command: Any) -> list[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join(["samizdat", *path, *(["[OPTIONS]"] if options else []), *(called(one) for one in arguments)])
    parts = [f"## {' '.join(path)}", "\n".join(line.strip() for line in (command.help or "").splitlines())]
    parts.append(f"`{usage}`")
    rows = [(f"`{called(one)}`", one) for one in arguments]
    rows += [(", ".join(f"`{word}`" for word in (*one.opts, *one.secondary_opts)), one) for one in options]
    if rows:
        table = ["| | |", "|---|---|"]
        table += [f"| {name} | {said(one)} |" for name, one in rows]
        parts.append("\n".join(table))
    return parts


def called(argument: Any) -> str:
    name = str(argument.metavar or argument.name.upper())
    if argument.nargs != 1:
        name += "..."
    return name if argument.required else f"[{name}]"


def said(one: Any) -> str:
    """What an option says of itself, and what a reader asks next: what it takes, what it is unless given, by which
    variable it is set."""
    facts = []
    if one.min is not None and one.max is not None:
        facts.append(f"{one.min} to {one.max}")
    elif one.min is not None or one.max is not None:
        facts.append(f"up to {one.max}" if one.min is None else f"{one.min} or more")
    if one.default not in (None, False, True, "", ()) and not callable(one.default):
        facts.append(f"`{one.default}` unless given")
    if one.required and one.param_type_name == "option":
        facts.append("needed")
    if one.multiple:
        facts.append("may be given several times")
    if one.envvar:
        facts.append(f"or `{one.envvar}` in the environment")
    text = (one.help or "").replace("<", "&lt;") + (f" ({'; '.join(facts)})" if facts else "")
    return text.replace("|", r"\|")


MADE = {"reference/commands.md": commands_page, "reference/records.md": records_page}

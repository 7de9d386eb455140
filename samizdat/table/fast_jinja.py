"""Templates in a hurry: Jinja's slowest paths replaced by short ones that say the same, and a memory of fragments.

A decision at a table draws its board anew for everybody who looks on, though hardly anything on it has changed. The
memory keeps what blocks of templates came to, by everything that they were made from. It is shared by all tables;
since the key of a fragment holds all that the fragment shows, whoever finds one there has seen nothing new.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from jinja2 import BytecodeCache, Environment, StrictUndefined, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from samizdat.table.language import Language

MOST_FRAGMENTS = 40_000
LONGEST = 64_000  # characters; nothing longer is kept
OF_DICT = frozenset(dir(dict))  # in a template these are the methods, even of a dict with such a key
CONTEXT = "c"  # what templates of boards call `contexts.Context`
FUNCTIONS = ("_", "gettext", "ngettext", "glyph")
PLAIN_VERSION = 2  # of marshal: equal values give equal bytes, whatever objects they share


_unsafe = re.compile("[&<>'\"]").search


class Absent(StrictUndefined):
    """A template may ask whether something is there; to print what is not there is a mistake."""

    __slots__ = ()

    def __bool__(self) -> bool:  # type: ignore[override]
        return False


# --- what templates are compiled to ----------------------------------------------------------------------


def safe(value: Any) -> str:
    """`escape` for what a template prints: most of it is safe already, and is printed at once."""
    kind = type(value)
    if kind is Markup or kind is int or (kind is str and not _unsafe(value)):
        return str(value) if kind is int else value
    return escape(value)


def field(thing: Any, name: str) -> Any:
    """`thing.name` of a template: most of what boards draw are plain dicts."""
    try:
        return thing[name] if type(thing) is dict else getattr(thing, name)
    except (KeyError, AttributeError):
        pass
    try:
        return thing[name]
    except (KeyError, TypeError, LookupError, AttributeError):
        return Absent(obj=thing, name=name)


class Direct(CodeGenerator):
    """Templates as code that takes the short way: `c` and what it has are asked for by their names, and called as
    Python calls; nothing that is called here wants to know in which loop it was."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        if _is_context(node.node):
            self.visit(node.node, frame)
            self.write(f".{node.attr}")
        elif node.attr in OF_DICT:
            super().visit_Getattr(node, frame)
        else:
            self.write("field(")
            self.visit(node.node, frame)
            self.write(f", {node.attr!r})")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        if not _is_ours(node.node):
            self.write("context.call(")
        self.visit(node.node, frame)
        self.write(", " if not _is_ours(node.node) else "(")
        for one in (*node.args, *node.kwargs):
            self.visit(one, frame)
            self.write(", ")
        for stars, rest in (("*", node.dyn_args), ("**", node.dyn_kwargs)):
            if rest is not None:
                self.write(stars)
                self.visit(rest, frame)
                self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: N802
        if not _is_ours(node.call.node) or node.args:
            super().visit_CallBlock(node, frame)
            return
        self.macro_body(node, frame)  # whoever is called gets the block as a function, not as a macro
        self.writeline("caller = macro")
        self.start_write(frame, node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.end_write(frame)


def _is_context(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == CONTEXT


def _is_ours(node: nodes.Node) -> bool:
    """Whether something that is called is a function of ours, rather than a macro or a filter of Jinja's."""
    if isinstance(node, nodes.Name):
        return node.name in FUNCTIONS
    while isinstance(node, nodes.Getattr):
        node = node.node
    return _is_context(node)


class FastContext(Context):
    """Calls macros without asking three times what they are."""

    def call(self, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(obj) is not Macro:
            return super().call(obj, *args, **kwargs)
        if not kwargs and len(args) == obj._argument_count and not (obj.caller or obj.catch_kwargs):
            return str.__new__(Markup, obj._func(*args, ()) if obj.catch_varargs else obj._func(*args))
        return obj(self.eval_ctx, *args, **kwargs)


class FastEnvironment(Environment):
    """Templates become code of the short way."""

    context_class = FastContext
    code_generator_class = Direct

    def _generate(self, *args: Any, **kwargs: Any) -> str:
        first, _, rest = super()._generate(*args, **kwargs).partition("\n")
        return f"{first}; from samizdat.table.fast_jinja import safe as escape, field\n{rest}"


class Compiled(BytecodeCache):
    """Templates as code, compiled once for all languages: they differ in what the code finds, not in the code."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Any] = {}  # by name and by a hash of the source

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()


def speech(language: Language, game: str) -> dict[str, Callable[..., Markup]]:
    """`_`, `gettext` and `ngettext` for templates: sentences are safe, values put into them are escaped."""
    whole: dict[str, Markup] = {}
    raw: dict[str, Markup] = {}

    def gettext(text: str, /, **values: Any) -> Markup:
        if not values:
            found = whole.get(text)
            if found is None:
                found = whole[text] = Markup(language.gettext(text, game)) % {}
            return found
        template = raw.get(text)
        if template is None:
            template = raw[text] = Markup(language.gettext(text, game))
        return template % values

    def ngettext(one: str, other: str, n: int, /, **values: Any) -> Markup:
        values.setdefault("num", n)
        return Markup(language.ngettext(one, other, n, game)) % values

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


class Fragments:
    """Fragments by what they were made from; those that were not asked for longest go first."""

    def __init__(self, most: int = MOST_FRAGMENTS) -> None:
        self.most = most
        self.on = True
        self._young: dict[Any, Any] = {}
        self._old: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Any, value: Any) -> None:
        if len(self._young) >= self.most // 2:  # two generations: cheaper than a list of who was asked for when
            self._old, self._young = self._young, {}
        self._young[key] = value

    def clear(self) -> None:
        self._young, self._old = {}, {}

    def __len__(self) -> int:
        return len(self._young.keys() | self._old.keys())


FRAGMENTS = Fragments()


def plain(key: Any) -> bytes:
    """A short name for a key of plain data; anything whose looks do not say all that it is gets refused."""
    try:
        whole = marshal.dumps(key, PLAIN_VERSION)
    except ValueError:  # sentences, and what is not there: their looks say all
        text = repr(key)
        if " at 0x" in text:
            raise TypeError(f"This cannot be part of a key: {text[:200]}") from None
        whole = text.encode()
    return blake2b(whole, digest_size=20).digest()

"""Worked examples in a rulebook: each under the rule that it is about, in words, and playable as a scene."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping

from markupsafe import escape

from samizdat.kernel.game import Definition
from samizdat.kernel.scenes import Scene, read_scenes
from samizdat.table.language import Language


def examples_of(found: Definition, spoken: Language, rulings: Container[str]) -> Mapping[str, str]:
    """HTML of the examples for each rule that has any; an example on a ruling stands under the next rule it names."""
    shown: dict[str, str] = defaultdict(str)
    for scene in read_scenes(found):
        rule = next(rule for rule in scene.rules if rule not in rulings)
        shown[rule] += _example(found.name, spoken, scene)
    return shown


def _example(game: str, spoken: Language, scene: Scene) -> str:
    def said(text: str) -> str:
        return str(escape(spoken.gettext(text, game=game)))

    number = spoken.gettext("Example %(number)s") % {"number": scene.example}
    words = [scene.ask, *(step["say"] for step in scene.steps if "say" in step)]
    paragraphs = "".join(f"<p>{said(text)}</p>" for text in words)
    link = f'<p class="try"><a href="/scenes/{game}/{scene.name}">{escape(spoken.gettext("Try it"))}</a></p>'
    return (
        f'<details class="example" id="{scene.name}"><summary><b>{escape(number)}</b> {said(scene.title)}</summary>'
        f"{paragraphs}{link}</details>"
    )

"""Worked examples in a rulebook: each under the rule that it is about, in words, and playable as a scene."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from markupsafe import escape

from samizdat.kernel.game import Definition
from samizdat.kernel.scenes import Scene, read_scenes
from samizdat.table.language import Language


def examples_of(found: Definition, spoken: Language, under: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """HTML of the examples for each rule that has any. An example stands with the first rule that it names, and one
    of a ruling with the rule that the ruling is under."""
    hosts = {ruling: rule for rule, rulings in under.items() for ruling in rulings}
    shown: dict[str, str] = defaultdict(str)
    for scene in read_scenes(found):
        for rule in scene.rules[:1]:
            shown[hosts.get(rule, rule)] += _example(found.name, spoken, scene)
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

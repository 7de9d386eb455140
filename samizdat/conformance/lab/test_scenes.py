"""Every worked example of every rulebook, played."""

from __future__ import annotations

import pytest

from samizdat.conformance.games import chosen, label
from samizdat.kernel.game import Definition
from samizdat.kernel.scenes import Scene, play_scene, read_scenes

SCENES = [(definition, scene) for definition in chosen() for scene in read_scenes(definition)]


@pytest.mark.parametrize(("definition", "scene"), SCENES, ids=[f"{label(one)}-{scene.name}" for one, scene in SCENES])
def test_scene(definition: Definition, scene: Scene) -> None:
    play_scene(definition, scene)

"""Beliefs: where several seats commit in secret at once, those who have done so are not taken to have done anything.

`guess` fills a sealed commit with any legal one, each as likely. A seat that commits late would then reckon with
opponents who choose blindly. The order of commits does not matter, so a search may as well begin where the seat last
saw them undecided, with its own decisions since then, and let them decide by the tree as it does.
"""

from __future__ import annotations

from samizdat.kernel import interpreted as engine
from samizdat.kernel.luck import Luck, begin
from samizdat.kernel.match import Sight
from samizdat.kernel.records import Record


def before_the_others(sight: Sight) -> Record:
    """The seat's sight with as few commits of others as its memory allows; mostly just its sight."""
    now = set(engine.acting(sight.state))
    best = sight.state
    own: list[int] = []  # the seat's decisions since the observation, latest first
    for observation in reversed(sight.memory):
        seen = type(sight.state).from_bytes(observation.seen)
        undecided = set(engine.acting(seen))
        if not now <= undecided:
            break
        if len(undecided) > len(engine.acting(best)):
            found = _replayed(sight, seen, own[::-1])
            if found is None:
                break
            best = found
        if observation.move is not None:
            own.append(observation.move)
    return best


def _replayed(sight: Sight, seen: Record, own: list[int]) -> Record | None:
    """What the seat would see had it alone decided since then; None if that is not the choice it now has."""
    box, luck, capacity = sight.game.box.record, Luck(), sight.game.capacity
    begin(luck, 0)
    state = seen.copy()
    for move in own:
        if sight.seat not in engine.acting(state) or move not in engine.legal_moves(box, state, sight.seat, capacity):
            return None
        engine.decide(box, state, luck, 1, sight.seat, move)
    if sight.seat not in engine.acting(state):
        return None
    same = engine.legal_moves(box, sight.state, sight.seat, capacity)
    if engine.legal_moves(box, state, sight.seat, capacity) != same:
        return None
    return engine.hidden(box, state, sight.seat)

"""The strength report: who plays whom, what counts, and a page that leaves what people wrote alone."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench import strength, strength_alike
from bench.strength import Pairing, Played, league, pairings, to_play
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.lab.arena import Entrant, Result, Setting

STRONG, WEAK = Entrant("random", simulations=1), Entrant("random", simulations=2)


def told(pairing: Pairing, deal: int, ranks: dict[Entrant, int], points: dict[Entrant, int]) -> list[Result]:
    """A deal with such results."""
    return [
        Result(
            fixture, tuple(points[one] for one in fixture.seats), tuple(ranks[one] for one in fixture.seats), "told",
            (1,) * len(fixture.seats), ((0.1,),) * len(fixture.seats),
        )
        for fixture in pairing.fixtures(deal)
    ]  # fmt: skip


def test_every_game_variant_and_number_of_players_is_asked() -> None:
    found = pairings([])
    settings = {(name, variant, count) for name, one in definitions().items()
                for variant, counts in one.variants.items() for count in counts}  # fmt: skip
    for strong, weak in strength.LADDER:
        own = [one for one in found if (one.strong.level, one.weak.level) == (strong, weak)]
        assert {(one.setting.name, one.setting.variant, one.setting.players) for one in own} == settings
    assert len({one.key for one in found}) == len(found)
    assert {(str(one.strong), str(one.weak)) for one in found} == {
        ("novice:simulations=50", "random"),
        ("regular:simulations=1000", "novice:simulations=50"),
        ("expert:simulations=10000", "regular:simulations=100"),
    }
    scaled = {(str(one.strong), str(one.weak)) for one in pairings([], 0.5)}
    assert ("novice:simulations=50", "random") in scaled
    assert ("regular:simulations=500", "novice:simulations=25") in scaled
    assert {one.setting.name for one in pairings(["revolution"])} == {"revolution"}


def test_pairings_take_turns_and_finished_deals_are_not_played_again() -> None:
    first, second = (Played(Pairing(Setting("revolution", seats, "standard"), STRONG, WEAK)) for seats in (3, 4))
    keys = [(key, fixture.deal) for key, fixture in to_play([first, second], 8)]
    assert keys[:7] == [(first.pairing.key, 0)] * 3 + [(second.pairing.key, 0)] * 4
    assert sum(key == first.pairing.key for key, _ in keys) == 9
    assert sum(key == second.pairing.key for key, _ in keys) == 8
    first.deals[0] = [1.0, 0.0, 0.0]
    assert (first.pairing.key, 0) not in [(key, fixture.deal) for key, fixture in to_play([first, second], 8)]


def test_deals_count_up_to_the_first_that_is_open() -> None:
    played = Played(Pairing(Setting("revolution", 4, "standard"), STRONG, WEAK))
    for deal in (0, 2):
        for result in told(played.pairing, deal, {STRONG: 1, WEAK: 2}, {STRONG: 9, WEAK: 3}):
            played.add(result)
    assert played.counting == [[1.0] * 4]
    row = played.to_json()
    assert (row["games"], row["share"], row["fair"]) == (4, 1.0, 0.25)
    assert set(row["deals"]) == {"0", "2"}


def test_a_common_defeat_is_nobodys_win_and_can_be_left_out() -> None:
    played = Played(Pairing(Setting("mali-powstancy", 2, "base"), STRONG, WEAK))
    for deal, ranks in enumerate(
        [{STRONG: 2, WEAK: 3}, {STRONG: 1, WEAK: 2}, {STRONG: 2, WEAK: 1}, {STRONG: 1, WEAK: 2}]
    ):
        for result in told(played.pairing, deal, ranks, {STRONG: 5, WEAK: 5}):
            played.add(result)
    row = played.to_json()
    assert (row["games"], row["lost_by_all"], row["share"], row["won_share"]) == (8, 2, 0.5, 0.6667)
    assert row["deals"]["0"] == [None, None]


@pytest.mark.parametrize(
    ("ranks", "points", "share"),
    [((1, 2), (3, 9), 1.0), ((2, 1), (9, 3), 0.0), ((2, 2), (5, 4), 1.0), ((1, 1), (5, 5), 0.5)],
)
def test_alone_a_win_beats_a_defeat_and_then_points_decide(
    ranks: tuple[int, int], points: tuple[int, int], share: float
) -> None:
    pairing = Pairing(Setting("dual-powers", 1, "solitaire"), STRONG, WEAK)
    both = (STRONG, WEAK)
    results = told(pairing, 0, dict(zip(both, ranks, strict=True)), dict(zip(both, points, strict=True)))
    assert pairing.shares(results) == [share]


def test_the_page_keeps_what_people_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "RESULTS", tmp_path / "strength.json")
    monkeypatch.setattr(strength, "PAGE", tmp_path / "strength.md")
    strength.PAGE.write_text("# A log\n\nBy hand.\n")
    played = Played(Pairing(Setting("revolution", 4, "standard"), STRONG, WEAK), {0: [1.0, 1.0, 0.0, 0.5]})
    data: dict[str, Any] = {"pairings": {played.pairing.key: played.to_json()}, "openspiel": {}}
    for _ in range(2):
        strength.write_results(data)
    text = strength.PAGE.read_text()
    assert text.startswith("# A log\n\nBy hand.\n")
    assert text.count(strength.BEGIN) == text.count(strength.END) == 1
    assert "| revolution (standard) | 4 | random among random | 1 : 2 | 4 | 62.5% |" in text
    assert strength.read_results()["pairings"] == data["pairings"]
    assert league(data) in text


def test_rows_are_kept_with_a_letter_for_each_game() -> None:
    deals = {"0": [1.0, 0.5, 0.0], "2": [1 / 3, None, 0.25]}
    row = {"share": 0.5, "command": f"first{strength.THEN}second", "deals": deals}
    commands = ["another", "second"]
    kept = strength.packed(row, commands)
    assert kept == {"share": 0.5, "command": [2, 1], "deals": "120 ? 3-4"}
    assert commands == ["another", "second", "first"]
    assert strength.unpacked(kept, commands) == row


# --- against OpenSpiel ------------------------------------------------------------------------------------


def test_the_match_follows_openspiels_state_luck_and_all() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from bench import strength_openspiel as against

    assert [setting.players for setting in against.settings([])] == [2, 2, 2]
    for setting in against.settings([]):
        name = f"{against.PREFIX}{setting.game().definition.snake}"
        state = pyspiel.load_game(name, {"players": 2, "variant": setting.variant}).new_initial_state()
        rng = random.Random(4)
        match = Match(setting.game(), 0, against._fall(state, rng))
        for _ in range(40):
            seat, move = state.current_player(), rng.choice(state.legal_actions())
            state.apply_action(move)
            match.play(seat, move, against._fall(state, rng))
            assert match.raw == bytes(state.node.position.record)


def test_a_row_grows_deal_by_deal() -> None:
    pytest.importorskip("pyspiel")
    from bench import strength_openspiel as against

    duel = against.Duel(against.settings([])[0], "simulations", 50, 0, 0)
    row = against._row(duel, None, [against.Outcome(duel, 1.0, 50, 50), against.Outcome(duel, 0.0, 50, 50)])
    later = replace(duel, deal=1)
    row = against._row(later, row, [against.Outcome(later, 1.0, 50, 50)] * 2)
    assert (row["games"], row["share"], row["ours_simulations"]) == (4, 0.75, 50)
    data: dict[str, Any] = {"pairings": {}, "openspiel": {duel.key: row}}
    assert "50 simulations | 4 | 75.0%" in league(data)
    left = list(against.duels([duel.setting], 6, {"simulations": 50}, {duel.key: row}))
    assert {one.deal for one in left} == {2}


def test_rows_are_kept_where_the_present_sources_play_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(strength, "RESULTS", tmp_path / "strength.json")
    monkeypatch.setattr(strength, "PAGE", tmp_path / "strength.md")
    row = Played(Pairing(Setting("revolution", 3, "standard"), STRONG, WEAK)).to_json()
    made = {"alike": "old", "other": "old", "older": "oldest", "present": "new"}
    rows = {key: {**row, "made_of": sources, "command": "first"} for key, sources in made.items()}
    strength.write_results({"pairings": rows, "openspiel": {}})
    old, new = tmp_path / "old", tmp_path / "new"

    def tell(sources: Path, asked: list[str] | None) -> dict[str, Any]:
        if asked is None:
            return dict.fromkeys(made, sources.name)
        return {key: [key, sources.name if key == "other" else "the same"] for key in asked}

    monkeypatch.setattr(strength_alike, "tell", tell)
    strength_alike.compare(new, old, "")
    kept = strength.read_results()["pairings"]
    assert {key: one["made_of"] for key, one in kept.items()} == {**made, "alike": "new"}
    assert "strength_alike" in kept["alike"]["command"]
    assert kept["other"]["command"] == "first"


def test_the_longer_of_two_rows_is_kept_where_both_played_alike() -> None:
    old = {"deals": {"0": [1.0], "1": [0.0], "2": [1.0]}, "made_of": "then", "command": "long ago", "games": 3}
    new = {"deals": {"0": [1.0], "1": [0.0]}, "made_of": "now", "command": "today", "games": 2}
    kept = strength_alike.longer(old, new)
    assert (kept["games"], kept["made_of"], kept["command"]) == (3, "now", f"long ago{strength.THEN}today")
    other = {**new, "deals": {"0": [1.0], "1": [0.5]}}
    assert strength_alike.longer(old, other) is other, "they play otherwise"
    assert strength_alike.longer(None, new) is new
    assert strength_alike.longer(new, old) is old
    assert strength_alike.longer(old, {**new, "deals": {}})["deals"] == {}, "nothing shows that they are alike"

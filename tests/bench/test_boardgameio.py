"""The rival's half of the load test, as far as it can be held without the rival: what its client sends and hears, and
that the two halves speak of the same game and of pinned packages."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bench.rivals.boardgameio.__main__ as rival
from bench.rivals.boardgameio.sockets import TEXT, Frames, Socket, masked

LENGTHS = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536, 70_001])


def unmasked(frame: bytes) -> bytes:
    """A client's frame as a server would have sent it: without the mask."""
    size = frame[1] & 0x7F
    begin = {126: 4, 127: 10}.get(size, 2)
    key, hidden = frame[begin : begin + 4], frame[begin + 4 :]
    shown = bytes(one ^ key[number % 4] for number, one in enumerate(hidden))
    return frame[:1] + bytes([size]) + frame[2:begin] + shown


@given(st.lists(LENGTHS, min_size=1, max_size=4), st.binary(min_size=4, max_size=4), st.data())
def test_what_is_sent_is_heard_however_it_is_cut(lengths: list[int], key: bytes, data: st.DataObject) -> None:
    texts = [bytes(number % 251 for number in range(size)) for size in lengths]
    wire = b"".join(unmasked(masked(text, key)) for text in texts)
    frames, heard = Frames(), []
    while wire:
        cut = data.draw(st.integers(1, len(wire)))
        heard += list(frames.feed(wire[:cut]))
        wire = wire[cut:]
    assert heard == [(TEXT, text) for text in texts]


class StandIn:
    """A server that speaks as theirs does, of one match."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.head = b""
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        self.say(writer, '0{"sid":"x"}')
        while head := await reader.read(2):  # each of a client's frames is masked for itself
            size, more = head[1] & 0x7F, b""
            if size >= 126:
                more = await reader.readexactly(2 if size == 126 else 8)
            length = int.from_bytes(more, "big") if more else size
            frame = head + more + await reader.readexactly(4 + length)
            [(_, text)] = Frames().feed(unmasked(frame))
            self.heard(writer, text.decode())
        writer.close()
        self.ended.set()

    def heard(self, writer: asyncio.StreamWriter, text: str) -> None:
        self.told.append(text)
        if text.startswith("40/"):
            self.say(writer, '40/precincts,{"sid":"y"}')
        elif '["sync"' in text:
            self.say(writer, '42/precincts,["sync","m",{"state":{"G":{},"_stateID":0}}]')
            self.say(writer, "2")
        elif '["update"' in text:
            self.say(writer, '42/precincts,["matchData","m",[]]')
            self.say(writer, '42/precincts,["update","m",{"G":{},"_stateID":1},[]]')

    @staticmethod
    def say(writer: asyncio.StreamWriter, text: str) -> None:
        writer.write(unmasked(masked(text.encode(), b"abcd")))


def test_a_seat_decides_and_hears_of_it() -> None:
    async def play() -> StandIn:
        there = StandIn()
        server = await asyncio.start_server(there.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        socket = Socket(port, "precincts", "m", 2, "secret")
        await socket.open()
        assert socket.position == 0
        comes = socket.reaches(1)
        assert not comes.done()
        socket.decide("play", 0, 7)
        await comes
        assert socket.position == 1
        assert not socket.lost
        socket.close()
        await there.ended.wait()
        server.close()
        return there

    there = asyncio.run(play())
    assert there.head.startswith(b"GET /socket.io/?EIO=4&transport=websocket ")
    assert "3" in there.told, "asked whether it is there, it answers"
    sent: dict[str, Any] = {}
    for text in there.told:
        if text.startswith("42/"):
            name, *args = json.loads(text.removeprefix("42/precincts,"))
            sent[name] = args
    assert sent["sync"] == ["m", "2", "secret", 4]
    action, position, *where = sent["update"]
    assert action["payload"] == {"type": "play", "args": [0, 7], "playerID": "2", "credentials": "secret"}
    assert (position, where) == (0, ["m", "2"])


def test_both_halves_speak_of_the_same_game() -> None:
    script = (rival.HERE / "game.js").read_text()
    found = {name: int(value) for name, value in re.findall(r"^const ([A-Z]+) = (\d+);", script, re.MULTILINE)}
    assert (found["SEATS"], found["REGIONS"], found["PLAYS"]) == (rival.SEATS, rival.REGIONS, rival.PLAYS)
    assert f'name: "{rival.GAME}"' in script


def test_its_packages_are_pinned_and_name_no_registry() -> None:
    asked = json.loads((rival.HERE / "package.json").read_text())
    lock = json.loads((rival.HERE / "package-lock.json").read_text())["packages"]
    for name, version in (asked["dependencies"] | asked["overrides"]).items():
        assert lock[f"node_modules/{name}"]["version"] == version
    for path, package in lock.items():
        assert not path or package["integrity"].startswith("sha512-"), path
        assert "resolved" not in package, path


def test_without_the_rival_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rival, "HERE", tmp_path)
    monkeypatch.setattr("sys.argv", ["boardgameio"])
    with pytest.raises(SystemExit, match="npm ci --prefix bench/rivals/boardgameio"):
        rival.main()


def test_what_was_measured_is_put_side_by_side() -> None:
    run = {"median_ms": 4.0, "p99_ms": 8.0, "worst_ms": 9.0, "decisions": 10, "events": 40, "errors": 1}
    ours = rival.summed(
        [run | {"processor_ms_a_decision": {"server": one}} for one in (6.0, 9.0, 7.0)], [100, 120], 20
    )
    assert (ours["processor_ms_a_decision"], ours["errors"], ours["kb_a_table"]) == (7.0, 3, 1024)
    assert (ours["decisions"], ours["events_a_decision"]) == (30, 4.0)
    theirs = ours | {"processor_ms_a_decision": 3.5, "kb_a_table": 0}
    [found] = rival.ratios({rival.OURS: ours, rival.MEMORY: theirs}).values()
    assert found == {"processor_ms_a_decision": 2.0, "median_ms": 1.0, "p99_ms": 1.0}

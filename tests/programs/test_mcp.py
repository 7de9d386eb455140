"""A language model's part, played by a script over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as Model
from mcp.types import CallToolResult, TextContent

from examples.programs.over_mcp import choose
from samizdat.kernel.game import definitions
from samizdat.programs.client import Client, refused
from samizdat.programs.mcp_server import server
from tests.browser.conftest import Table
from tests.table.conftest import Site

EXAMPLES = Path(__file__).parents[2] / "examples" / "programs"


def text(result: CallToolResult) -> str:
    return "\n".join(one.text for one in result.content if isinstance(one, TextContent))


class Scripted:
    """A model without thought, in the loop of a test's site: its questions are asked there, too."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = Client(self._ask)

    def _ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """From the thread in which a tool works."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        asked = self.site.browser().client.request(method, path, json=body, headers=headers)
        answer = asyncio.run_coroutine_threadsafe(asked, self.site.loop).result()
        if answer.is_error:
            raise refused(answer.status_code, answer.json())
        return answer.json()

    def calls(self, *calls: tuple[str, dict[str, Any]], patience: float = 0.0) -> list[tuple[bool, str]]:
        """What some tools answer, one after the other; whether that was an error."""

        async def ask() -> list[tuple[bool, str]]:
            said = []
            async with Model(server(self.client, patience)) as model:
                for name, given in calls:
                    result = await model.call_tool(name, given)
                    said.append((bool(result.is_error), text(result)))
            return said

        return self.site.run(ask())


@pytest.fixture
def model(site: Site) -> Scripted:
    return Scripted(site)


def test_every_tool_says_what_it_is_for(site: Site) -> None:
    async def listed() -> list[Any]:
        async with Model(server(Client(lambda *_, **__: None))) as model:
            return (await model.list_tools()).tools

    tools = site.run(listed())
    assert {tool.name for tool in tools} >= {"games", "open_table", "join_table", "look", "decide", "wait", "rules"}
    assert all(tool.description for tool in tools)


@pytest.mark.parametrize("name", definitions())
def test_a_model_is_told_what_its_seat_may_know_in_words(model: Scripted, name: str) -> None:
    found = definitions()[name]
    seats = ["me", *["random"] * (found.choose().players - 1)]
    [(failed, told), (_, seen), (_, again)] = model.calls(
        ("open_table", {"game": name, "seats": seats}), ("games", {}), ("rules", {"game": name})
    )
    assert not failed, told
    assert re.search(r"^Table \S+, ", told, re.MULTILINE)
    assert name in seen
    assert found.title in again


def test_a_model_decides_looks_and_is_refused_in_sentences(model: Scripted, client: Client) -> None:
    opened = client.open("revolution", ["me", "open", "open"])
    others = [client.join(opened.id) for _ in range(2)]
    sit = ("join_table", {"table": opened.id, "key": opened.key})
    at = {"table": opened.id}
    [_, looked, refused, decided, back, unknown] = model.calls(
        sit, ("look", at), ("decide", at | {"move": "bid general force"}),
        ("decide", at | {"move": "bid priest gold"}), ("take_back", at), ("look", {"table": "nowhere"}),
    )  # fmt: skip
    assert "Open to you" in looked[1]
    assert "- bid priest gold: " in looked[1]
    assert "What you see:" in looked[1]
    assert choose(looked[1]) is not None
    assert refused[0]
    assert "the General cannot be forced. (R5.5)" in refused[1]
    assert not decided[0], decided
    assert not back[0], back
    assert unknown[0]
    assert "You have no seat" in unknown[1]
    assert [line["text"] for line in others[0].position()["happened"]] == ["Round 1."], "a bid is secret"


def test_rules_are_found_by_number_and_by_words(model: Scripted) -> None:
    [by_number, by_words, nothing] = model.calls(
        ("rules", {"game": "revolution", "number": "(R5.5)"}),
        ("rules", {"game": "revolution", "search": "blackmail"}),
        ("rules", {"game": "revolution", "number": "Z9"}),
    )
    assert by_number[1].startswith("R5.5 (")
    assert "lackmail" in by_words[1]
    assert nothing[0]
    assert "There is no rule" in nothing[1]


@pytest.mark.parametrize(("script", "said"), [("over_json.py", "won"), ("over_mcp.py", "won")])
def test_the_examples_play_a_match_to_its_end(table: Table, script: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / script, table.address], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout.splitlines()[-1]


def test_the_settings_of_the_page_start_the_server(table: Table) -> None:
    """As an assistant would that was told of it in these lines."""
    page = (EXAMPLES.parents[1] / "docs" / "programs.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", page, re.S)
    told = json.loads(block)["mcpServers"]["samizdat"]
    assert told["command"] == "samizdat"
    words = [word.replace("http://localhost:1917", table.address) for word in told["args"]]
    assert table.address in words
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    done = subprocess.run(
        [sys.executable, "-m", "samizdat", *words],
        input=json.dumps(asked) + "\n", capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "samizdat", done.stderr


def test_a_model_opens_a_table_with_a_clock_and_a_delay(model: Scripted, site: Site) -> None:
    asked = {"game": "revolution", "seats": ["me", "open", "open"], "watch": "seats", "delay": "five"}
    clock = {"kind": "live", "minutes": 10, "increment": 5}
    [opened, refused] = model.calls(
        ("open_table", asked | {"clock": clock, "private": True}), ("open_table", asked | {"clock": {"kind": "sand"}})
    )
    assert not opened[0], opened[1]
    found = re.search(r"^Table (\S+) waits", opened[1], re.MULTILINE)
    assert found
    table = site.run(site.house.find(found[1]))
    assert vars(table.manners) == {"private": True, "watch": "seats", "delay": "five"}
    assert table.clock is not None
    assert (table.clock.terms.kind, table.clock.terms.seconds) == ("live", 600.0)
    assert refused[0]
    assert "There is no such clock" in refused[1]

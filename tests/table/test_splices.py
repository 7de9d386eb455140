"""Splices: whatever changed, a browser that has the old text makes the new one of it, and is not sent much."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.game import definitions
from samizdat.table.drawings import drawn
from samizdat.table.splices import splice
from samizdat.table.streams import Follower
from tests.table.conftest import Site
from tests.table.splicing import joined

texts = st.lists(st.sampled_from(["", "<li>", "</li>", "one", "two 𝔘", "a longer line that says a lot"]), max_size=30)


@given(texts, texts)
def test_the_new_text_is_made_of_the_old_one(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    pieces = splice(old, new)
    if pieces is not None:
        assert joined(old, json.loads(json.dumps(pieces))) == new


def test_a_line_more_is_a_line_sent() -> None:
    lines = [f"<li>line {number}</li>" for number in range(300)]
    pieces = splice("\n".join(["<ol>", *lines, "</ol>"]), "\n".join(["<ol>", "<li>new</li>", *lines, "</ol>"]))
    assert pieces == ((0, 1), "<li>new</li>", (1, 302))


def test_two_changes_far_from_each_other_are_two() -> None:
    lines = [f"<g>{number}</g>" for number in range(300)]
    new = [*lines[:10], "first", *lines[11:250], "second", *lines[251:]]
    assert splice("\n".join(lines), "\n".join(new)) == ((0, 10), "first", (11, 250), "second", (251, 300))


def test_a_line_that_stands_there_often_leads_nowhere_far() -> None:
    lines = [
        *(f"first {number}" for number in range(9)),
        "</g>",
        *(f"second {number}" for number in range(9)),
        "</g>",
    ]
    assert splice("\n".join(lines), "\n".join(["</g>", *lines, "end"])) == ("</g>", (0, 20), "end")


def test_what_has_nothing_in_common_is_sent_whole() -> None:
    assert splice("one\ntwo", "three\nfour") is None


@pytest.mark.parametrize("name", definitions())
def test_a_step_late_in_a_match_is_light(site: Site, name: str) -> None:
    """The first over a connection brings everything; those after it only what changed."""
    table = site.table(samizdat.game(name))
    site.wander(table, 110)
    history = table.history(0)
    follower = Follower(table, 0, history.version - 12, lambda *who: drawn(table, *who, "en", True))
    first, *later = (len(event) for event in follower.due())
    assert first > 30_000
    assert len(later) > 8
    assert sorted(later)[len(later) // 2] < 6_000

"""The forms of the lobby as a browser without a script sends them."""

from __future__ import annotations

import httpx

from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site

PAGE = {"accept": "text/html", "accept-language": "en"}
HOSTILE = "<img src=x onerror=alert(1)>"


def opened(site: Site, answer: httpx.Response) -> LiveTable:
    """The table that a form led to."""
    assert answer.status_code == 303, answer.text
    return site.run(site.house.find(answer.headers["location"].split("/")[2].split("?")[0]))


def form(variant: str = "standard", count: int | str = 4, **more: str) -> dict[str, str]:
    """The whole form as a browser sends it: the rows of seats that are out of sight included."""
    seats = {f"seat-{seat}": "me" if seat == 0 else "bot-novice" for seat in range(4)}
    return {"variant": variant, f"players-{variant}": str(count), "name": "Ludmila", **seats, **more}


def two_open(site: Site, host: Browser, **more: str) -> LiveTable:
    return opened(site, host.post("/new/revolution", data=form(**{"seat-1": "open", "seat-2": "open", **more})))

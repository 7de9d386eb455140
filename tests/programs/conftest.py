"""Programs at a table: in this process, and at a server."""

from __future__ import annotations

from typing import Any

import pytest

from samizdat.programs.client import Client, refused
from tests.browser.conftest import table  # noqa: F401 (a server)
from tests.table.conftest import Browser, Site, site  # noqa: F401


class Asked:
    """Asks the application of a test as `OverHttp` asks a server."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def __call__(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        sent = {"json": body} if body is not None else {}
        ask = self.browser.get if method == "GET" else self.browser.post
        answer = ask(path, headers=headers, **sent)
        if answer.is_error:
            raise refused(answer.status_code, answer.json())
        return answer.json()


@pytest.fixture
def client(site: Site) -> Client:  # noqa: F811
    return Client(Asked(site.browser()))

"""Cookies go over https alone where the table is reached that way, and the secret ones never to a script."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import httpx
import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tests.table.conftest import Site

PREFERENCES = {"lang": "pl", "theme": "dark", "helps": "off", "revelations": "off"}
FROM_HTTPS = {"x-forwarded-proto": "https"}


def cookies(site: Site, proxy: str = "127.0.0.1", **headers: str) -> list[str]:
    """Every cookie a new browser is given that comes through a proxy; uvicorn itself decides whom to trust."""
    app = ProxyHeadersMiddleware(site.app, trusted_hosts="127.0.0.1")  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app=app, client=(proxy, 1917))  # type: ignore[arg-type]

    async def ask() -> list[str]:
        async with httpx.AsyncClient(transport=transport, base_url="http://table", headers=headers) as client:
            answer = await client.post("/preferences", data=PREFERENCES)
            return answer.headers.get_list("set-cookie")

    found = site.run(ask())
    assert len(found) == 5
    return found


def test_a_table_behind_https_sets_secure_cookies(site: Site) -> None:
    assert all("; Secure" in cookie for cookie in cookies(site, **FROM_HTTPS))


def test_a_stranger_who_claims_to_be_a_proxy_changes_nothing(site: Site) -> None:
    assert not any("; Secure" in cookie for cookie in cookies(site, proxy="203.0.113.7", **FROM_HTTPS))
    assert not any("; Secure" in cookie for cookie in cookies(site))


@pytest.mark.parametrize("secure", [False, True])
def test_the_setting_holds_for_every_cookie(tmp_path: Path, secure: bool) -> None:
    with closing(Site(tmp_path, secure=secure)) as site:
        assert {"; Secure" in cookie for cookie in cookies(site)} == {secure}

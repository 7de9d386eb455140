"""Passkeys in Chromium, with an authenticator that its debugger plays: a guest makes one, and signs in with it."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Person, Table, someone
from tests.browser.test_access import check_both

WIDTHS = ((390, 844), (320, 640), (1366, 768))
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def fits(person: Person, name: str) -> None:
    for width, height in WIDTHS:
        person.resize(width, height)
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} at {width}"
    check_both(person, name)


def test_a_guest_makes_a_passkey_and_signs_in_with_it_again(table: Table, chromium: Browser) -> None:
    with someone(table, chromium, 1440, 900) as person:
        page, here = person.page, table.address.replace("127.0.0.1", "localhost")  # addresses have no passkeys
        authenticator = person.context.new_cdp_session(page)
        authenticator.send("WebAuthn.enable")
        made = authenticator.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        person.go(f"{here}/account")
        page.get_by_label("Your name").fill("Ludmila")
        fits(person, "making an account")
        page.get_by_role("button", name="Make a passkey").click()
        page.get_by_role("button", name="Show me eight words").click()
        expect(page.locator(".words span")).to_have_count(8)
        fits(person, "the paper key")
        page.get_by_role("link", name="I have them").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ludmila")
        fits(person, "the profile")
        person.go(f"{here}/settings")
        expect(page.locator("#sign-in li")).to_have_count(3)
        fits(person, "settings")
        page.locator("#devices").get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{here}/")
        # Somebody else's finger: nothing happens, and the page says what to do.
        wrong = {"authenticatorId": made["authenticatorId"], "isUserVerified": False}
        authenticator.send("WebAuthn.setUserVerified", wrong)
        person.go(f"{here}/sign-in")
        fits(person, "signing in")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("No passkey was taken")
        authenticator.send("WebAuthn.setUserVerified", {**wrong, "isUserVerified": True})
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.locator(".me")).to_contain_text("Ludmila")

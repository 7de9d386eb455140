"""Passkeys: what a browser is asked to sign, and whether it did (WebAuthn)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from starlette.requests import Request
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.telling import Phrase

LONGEST_ID = 400  # characters of a credential's own name
MINUTES_TO_ANSWER = 5.0
NOT_FROM_HERE = Phrase("That passkey is not from here. Choose another one, or use the password or the paper key.")


class NoPasskey(SamizdatError):
    """A passkey that is not taken; its Phrase says what to do."""


@dataclass(frozen=True)
class Origin:
    """The address under which a browser sees us; passkeys are bound to it."""

    site: str  # the host name alone
    origin: str

    @property
    def has_passkeys(self) -> bool:
        """Browsers have none for bare addresses, nor where the line can be overheard."""
        try:
            ip_address(self.site.strip("[]"))
        except ValueError:
            return self.origin.startswith("https://") or self.site == "localhost"
        return False


def place(request: Request) -> Origin:
    return Origin(request.url.hostname or "", f"{request.url.scheme}://{request.url.netloc}")


@dataclass(frozen=True)
class Made:
    """A new passkey."""

    id: str
    key: bytes
    count: int


def asking_for_new(here: Origin, name: str, known: Sequence[str]) -> tuple[str, Any]:
    """What to ask a browser for a new passkey: the challenge, and everything as the browser wants it. What it calls
    the account by is random: a passkey tells nobody whose it is."""
    options = generate_registration_options(
        rp_id=here.site, rp_name="Samizdat", user_id=secrets.token_bytes(16), user_name=name, user_display_name=name,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
    )  # fmt: skip
    return bytes_to_base64url(options.challenge), json.loads(options_to_json(options))


def asking_to_sign_in(here: Origin) -> tuple[str, Any]:
    """What to ask of whichever passkey its owner picks: no names are sent, to anybody."""
    options = generate_authentication_options(rp_id=here.site, user_verification=UserVerificationRequirement.REQUIRED)
    return bytes_to_base64url(options.challenge), json.loads(options_to_json(options))


def challenge_of(answer: Any) -> str:
    """The challenge that an answer claims to have signed."""
    try:
        told = parse_client_data_json(base64url_to_bytes(str(answer["response"]["clientDataJSON"])))
        return bytes_to_base64url(told.challenge)[:128]
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise NoPasskey(NOT_FROM_HERE) from None


def id_of(answer: Any) -> str:
    id = answer.get("id") if isinstance(answer, dict) else None
    if not isinstance(id, str) or len(id) > LONGEST_ID:
        raise NoPasskey(NOT_FROM_HERE)
    return id


def made(answer: Any, challenge: str, here: Origin) -> Made:
    """The passkey that a browser made; NoPasskey if it is none."""
    try:
        told = verify_registration_response(
            credential=answer, expected_challenge=base64url_to_bytes(challenge), expected_rp_id=here.site,
            expected_origin=here.origin, require_user_verification=True,
        )  # fmt: skip
        id = bytes_to_base64url(told.credential_id)
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise NoPasskey(NOT_FROM_HERE) from None
    if len(id) > LONGEST_ID:
        raise NoPasskey(NOT_FROM_HERE)
    return Made(id, told.credential_public_key, told.sign_count)


def signed(answer: Any, challenge: str, here: Origin, known: Any) -> int:
    """How often a known passkey has signed by now; NoPasskey if this is not its signature, or not for this site."""
    if known is None or known.site != here.site:
        raise NoPasskey(NOT_FROM_HERE)
    try:
        told = verify_authentication_response(
            credential=answer, expected_challenge=base64url_to_bytes(challenge), expected_rp_id=known.site,
            expected_origin=here.origin, credential_public_key=known.key, credential_current_sign_count=known.count,
            require_user_verification=True,
        )  # fmt: skip
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise NoPasskey(NOT_FROM_HERE) from None
    return told.new_sign_count

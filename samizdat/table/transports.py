"""The three ways out of the house: push services of browsers, a mail server, and other people's servers."""

from __future__ import annotations

import hashlib
import hmac
import json
import smtplib
import ssl
import time
from base64 import urlsafe_b64decode
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote, urlsplit

from samizdat.table.letters import Words
from samizdat.table.outgoing import PATIENCE, post
from samizdat.table.settings import Settings
from samizdat.table.store.messages import Letter

DAY = 24 * 3600
NOBODY = "mailto:nobody@localhost"  # whom a push service may write to about a house without an https address
MISSING = (404, 410)  # what a push service says of a browser that wants no more
BUSY = (408, 425, 429)  # try again


class Gone(Exception):
    """A way that leads nowhere any more."""


class NotTaken(Exception):
    """The other side did not want it, now (`passing`) or ever."""

    def __init__(self, words: str, passing: bool = True) -> None:
        super().__init__(words)
        self.passing = passing


def _answered(status: int) -> None:
    if not 200 <= status < 300:
        raise NotTaken(f"The server answered {status}.", passing=status >= 500 or status in BUSY)


# --- push ------------------------------------------------------------------------------------------------


def fresh_vapid() -> str:
    """A new key of the house, as text."""
    from py_vapid import Vapid02

    made = Vapid02()
    made.generate_keys()
    return str(made.private_pem().decode())


def _vapid(key: str) -> Any:
    from py_vapid import Vapid02

    return Vapid02.from_pem(key.encode())


def public_key(key: str) -> str:
    """What a browser needs to know of it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid.utils import b64urlencode

    point = _vapid(key).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return str(b64urlencode(point))


def send_push(way: Any, words: Words, key: str, private: bool) -> None:
    """To the service of a browser, which cannot read it (RFC 8291), under the key of the house (RFC 8292)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    keys = json.loads(way.secret)
    payload = json.dumps({"title": words.title, "body": words.body, "link": words.link, "tag": words.tag})
    body = http_ece.encrypt(
        payload.encode(), private_key=ec.generate_private_key(ec.SECP256R1()), dh=_bytes(keys["p256dh"]),
        auth_secret=_bytes(keys["auth"]), version="aes128gcm",
    )  # fmt: skip
    place = urlsplit(way.address)
    contact = words.base if words.base.startswith("https:") else NOBODY
    claims = {"aud": f"{place.scheme}://{place.netloc}", "sub": contact, "exp": int(time.time()) + DAY // 2}
    headers = {"Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm", "TTL": str(DAY)}
    status = post(way.address, body, {**headers, "Urgency": "high", **_vapid(key).sign(claims)}, private)
    if status in MISSING:
        raise Gone
    _answered(status)


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# --- hooks -----------------------------------------------------------------------------------------------


def signature(secret: str, moment: str, body: bytes) -> str:
    """What a hook's owner can check that a message is ours by: over the moment and the body."""
    return hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()


def send_hook(way: Any, letter: Letter, words: Words, private: bool) -> None:
    """As JSON, signed; the same message has the same id each time it is tried."""
    told = {"id": letter.id, "kind": letter.kind, "table": letter.table, "link": words.link, "text": words.title}
    body, moment = json.dumps(told).encode(), str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "Samizdat-Time": moment,
        "Samizdat-Signature": f"sha256={signature(way.secret, moment, body)}",
    }
    _answered(post(way.address, body, headers, private))


# --- mail ------------------------------------------------------------------------------------------------


def send_mail(settings: Settings, mail: EmailMessage) -> None:
    """Through the host's own server."""
    place = urlsplit(settings.smtp)
    host, secure = place.hostname or "localhost", place.scheme == "smtps"
    try:
        server = smtplib.SMTP_SSL(host, place.port or 465, timeout=PATIENCE) if secure else None
        with server or smtplib.SMTP(host, place.port or 587, timeout=PATIENCE) as there:
            there.ehlo()
            if not secure and there.has_extn("starttls"):
                there.starttls(context=ssl.create_default_context())
                there.ehlo()
            if place.username:
                there.login(unquote(place.username), unquote(place.password or ""))
            there.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        code = next(iter(error.recipients.values()))[0]
        raise NotTaken(f"The mail server did not take the address ({code}).", passing=code < 500) from None
    except smtplib.SMTPResponseException as error:
        raise NotTaken(f"The mail server answered {error.smtp_code}.") from None
    except smtplib.SMTPException as error:
        raise NotTaken(f"The mail server did not take the letter ({type(error).__name__}).") from None

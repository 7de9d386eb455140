"""The web application: what it is made of, and what every request goes through."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DatabaseError, DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samizdat.kernel.errors import IllegalMove, NotYourTurn, SamizdatError
from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.backing import Backing
from samizdat.table.board_files import board_file
from samizdat.table.boxes import offered_boxes
from samizdat.table.closed import closed_table
from samizdat.table.course import Course
from samizdat.table.declined import NoTable, NotAllowed, Stale, TooMany
from samizdat.table.events import Event
from samizdat.table.hints import Hints, NoSearch
from samizdat.table.host import Host
from samizdat.table.house import House
from samizdat.table.leaving import Leaving
from samizdat.table.limits import LARGEST_BODY, LASTING, MINUTE, MOST_BODY, TOO_FAST, Crowd, RequestRate, sender
from samizdat.table.metrics import Measured, happened, keep_counting
from samizdat.table.opening import FormError
from samizdat.table.pages import LONGEST_SENTENCE, STATUSES, Pages, trouble
from samizdat.table.passkeys import NoPasskey
from samizdat.table.pictures import desk_style
from samizdat.table.players import Visitor, Visitors, chosen_language
from samizdat.table.postman import Postman
from samizdat.table.practices import SharedScenes
from samizdat.table.ratings import Ratings
from samizdat.table.rendering import sentence
from samizdat.table.replays import Replays
from samizdat.table.routes import (
    api,
    boxes,
    data,
    devices,
    ending,
    explaining,
    fairness,
    hosting,
    installing,
    inviting,
    learning,
    lobby,
    play,
    profile,
    programs,
    reaching,
    reading,
    running,
    scenes,
    seating,
    signing,
    talking,
)
from samizdat.table.scripts import STATIC, Static
from samizdat.table.sessions import Sessions
from samizdat.table.settings import Settings, fresh_secret
from samizdat.table.store.accounts import Accounts
from samizdat.table.store.boxes import OwnBoxes
from samizdat.table.store.scenes import OpenScenes
from samizdat.table.store.store import Store
from samizdat.table.sweeping import Sweeper
from samizdat.table.thinkers import thinking
from samizdat.table.tickets import Tickets
from samizdat.table.timekeeping import Timekeeper
from samizdat.table.versions import OtherRules

HERE = Path(__file__).parent
WEEK = 7 * 24 * 3600
SAFE = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "Referrer-Policy": "same-origin",  # a seat's link is a secret
    "X-Content-Type-Options": "nosniff",
}
# No browser names the alphabet of a form it sends. Whoever does could choose one of Python's that makes half
# characters of plain letters.
ALPHABET = re.compile(r'(?!multipart/)[^\n]*|(?:(?!charset)[^\n])*(?:charset="?utf-?8"?(?:(?!charset)[^\n])*)?', re.I)
KEPT_OUT = Phrase("The host of this table does not let you in at present.")
EVERYBODYS = ("/picture.png", "/manifest.webmanifest", "/service-worker.js")  # whoever keeps these gets no cookie
LONGEST_NAME = 60  # characters of a field that a refusal names
STATUS = {
    NoTable: 404, NotAllowed: 403, Stale: 409, IllegalMove: 422, NotYourTurn: 409, NoSearch: 409, TooMany: 429,
    FormError: 409, NoPasskey: 403,
}  # fmt: skip

log = logging.getLogger("samizdat.table")


class BoardFiles(StaticFiles):
    """Style sheets and posters that games bring; nothing else of their folders is served."""

    async def get_response(self, path: str, scope: Any) -> Response:
        name, _, file = path.partition("/")
        found = definitions().get(name)
        if found is not None and file == "pictures.css":
            return Response(desk_style(name), media_type="text/css")
        if found is None or file not in ("board.css", "poster.svg"):
            raise HTTPException(404)
        there = board_file(found, file)
        return self.file_response(there, there.stat(), scope)


class Greeter:
    """Every request: that it is not one of too many, who it is, that no other site posts in its name, and safe
    headers on the answer.

    Plain ASGI, since streams must not go through a buffer."""

    def __init__(
        self, app: ASGIApp, visitors: Visitors, pace: RequestRate, crowd: Crowd, sessions: Sessions | None = None,
        host: Host | None = None,
    ) -> None:  # fmt: skip
        self.app, self.visitors, self.pace, self.crowd, self.host = app, visitors, pace, crowd, host
        self.sessions = sessions  # None: everybody is a guest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        who = sender(request)
        if wait := self.pace.wait(who) if who else 0.0:
            await _refusal(request, wait)(scope, receive, send)
        elif who is None or not request.url.path.endswith(LASTING):
            await self._greet(request, receive, send)
        elif not self.crowd.enter(who):
            await _refusal(request, MINUTE)(scope, receive, send)
        else:
            try:
                await self._greet(request, receive, send)
            finally:
                self.crowd.leave(who)

    async def _greet(self, request: Request, receive: Receive, send: Send) -> None:
        scope = request.scope
        kept = request.url.path.startswith(("/static/", "/boards/"))
        shared = kept or request.url.path.endswith(EVERYBODYS)
        visitor = self.visitors.visitor(request)
        if self.sessions is not None and not kept:
            visitor = await self._signed_in(self.sessions, request, visitor)
        scope.setdefault("state", {})["visitor"] = visitor
        if self.host is not None and self.host.keeps_out(request.client.host if request.client else "", visitor.id):
            await _kept_out(request, visitor.language)(scope, receive, send)
            return
        if request.method == "POST" and _foreign(request):
            await JSONResponse({"error": "This request comes from another site."}, 403)(scope, receive, send)
            return
        kind = request.headers.get("content-type", "")
        brings = (
            kind.lower().startswith("multipart/") and request.url.path not in LARGEST_BODY
        )  # only two forms have files
        if brings or not ALPHABET.fullmatch(kind):
            words = sentence(STATUSES[422], visitor.language)
            await JSONResponse({"error": words}, 422)(scope, receive, send)
            return
        said = request.headers.get("content-length", "0")
        length, most = 0, LARGEST_BODY.get(request.url.path, MOST_BODY)

        async def measured() -> Message:
            """The body as it comes in, up to a size that no page of ours sends."""
            nonlocal length
            if not (said.isascii() and said.isdigit() and len(said) < 10 and int(said) <= most):
                raise HTTPException(413)
            message = await receive()
            length += len(message.get("body", b""))
            if length > most:
                raise HTTPException(413)
            return message

        async def polite(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in SAFE.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", f"public, max-age={WEEK}" if kept else "no-store")
                if not (shared or request.url.path.startswith("/api/")):
                    headers["Samizdat-Person"] = self.visitors.sealed(
                        visitor.id
                    )  # the service worker keeps pages by it
                    if visitor.new:
                        headers.append("Set-Cookie", self.visitors.stamp(request, visitor))
            await send(message)

        await self.app(scope, measured, polite)

    @staticmethod
    async def _signed_in(sessions: Sessions, request: Request, visitor: Visitor) -> Visitor:
        recent, session = sessions.recent(request)
        if not recent:
            session = await asyncio.to_thread(sessions.of, request)
        if session is None:
            return visitor
        return replace(visitor, id=session.player, session=session.id, name=session.name, proved=session.fresh)


def _refusal(request: Request, wait: float) -> Response:
    """Of a request too many: one sentence, for people, too, since drawing a page takes longer."""
    words = sentence(TOO_FAST, chosen_language(request))
    headers = {"Retry-After": str(ceil(wait)), "Cache-Control": "no-store", **SAFE}
    if wants_page(request):
        return PlainTextResponse(words, 429, headers)
    return JSONResponse({"error": words}, 429, headers)


def _kept_out(request: Request, code: str) -> Response:
    """To whom the host keeps out: one sentence, the same whoever it is and whatever was asked."""
    words = sentence(KEPT_OUT, code)
    headers = {"Cache-Control": "no-store", **SAFE}
    return (
        PlainTextResponse(words, 403, headers)
        if wants_page(request)
        else JSONResponse({"error": words}, 403, headers)
    )


def create_app(settings: Settings) -> FastAPI:
    """The application over one data folder."""
    offered = offered_boxes(settings.boxes)
    store = Store(settings.address, settings.prepare())
    house = House(store, settings.tables_a_day, settings.imports_a_day)
    if store.shared:
        house.elsewhere = SharedScenes(OpenScenes(store))
    thinkers = thinking(house, settings)
    sweeper = Sweeper()

    def noticed(event: Event) -> None:
        happened(event)
        sweeper.noticed()

    house.on_event = noticed
    bots, timekeeper, postman = thinkers.bots, Timekeeper(house), Postman(house, settings)
    secret = store.secret(fresh_secret()) if store.shared else settings.secret()
    visitors = Visitors(secret, settings.secure)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        thinkers.start()
        app.state.end_streams = partial(asyncio.get_running_loop().call_soon_threadsafe, house.end_streams)
        counting = asyncio.create_task(keep_counting(house))
        app.state.leaving.start()
        app.state.host.start()
        sweeper.start()
        app.state.course.start()
        house.time.start()
        timekeeper.start()
        postman.start()
        yield
        await postman.stop()
        await timekeeper.stop()
        await app.state.backing.stop()
        await app.state.course.stop()
        await sweeper.stop()
        await app.state.host.stop()
        await app.state.leaving.stop()
        counting.cancel()
        await thinkers.stop()
        house.readers.close()
        await house.time.stop()
        store.close()

    app = FastAPI(
        title="Samizdat", version="1", lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.house, app.state.bots, app.state.pages = house, bots, Pages(house, store)
    app.state.hints, app.state.replays, app.state.visitors = Hints(bots), Replays(), visitors
    app.state.end_streams = house.end_streams
    app.state.settings, app.state.tickets = settings, Tickets(secret)
    app.state.timekeeper, app.state.postman = timekeeper, postman
    app.state.own_boxes, app.state.offered = OwnBoxes(store), offered
    app.state.accounts, app.state.leaving, app.state.ratings = Accounts(store), Leaving(house), Ratings(house)
    app.state.sessions, app.state.host = Sessions(app.state.accounts), Host(house, settings.idle_seconds, sweeper)
    app.state.course, app.state.backing = Course(house, thinkers.load), Backing(settings)
    app.mount("/static", Static(directory=STATIC))
    app.mount("/boards", BoardFiles(directory=HERE))
    playing = (api, programs, play, seating, talking, ending, lobby, learning, scenes)
    reading_up = (reading, explaining, fairness, boxes, running)
    for routes in (*playing, *reading_up, signing, devices, data, profile, reaching, inviting, installing, hosting):
        app.include_router(routes.router)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=6)

    app.add_middleware(
        Greeter, visitors=visitors, pace=RequestRate(settings.requests_a_minute), crowd=Crowd(),
        sessions=app.state.sessions, host=app.state.host,
    )  # fmt: skip

    app.add_middleware(Measured, answered=app.state.course.answered)

    @app.exception_handler(SamizdatError)
    async def refused(request: Request, error: SamizdatError) -> Response:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
        return _answer(app, request, status, error)

    @app.exception_handler(OtherRules)
    async def closed(request: Request, error: OtherRules) -> Response:
        if request.method != "GET" or not wants_page(request):
            return _answer(app, request, 409, error)
        who: Visitor = request.state.visitor
        found = await asyncio.to_thread(closed_table, store, error.id, who.id)
        return HTMLResponse(app.state.pages.closed(who, found, error))

    @app.exception_handler(AnyHTTPException)
    async def not_here(request: Request, error: AnyHTTPException) -> Response:
        return _answer(app, request, error.status_code, error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        if not request.url.path.startswith("/api/"):
            return _answer(app, request, 422, HTTPException(422))
        first = error.errors()[0]
        where = ".".join(str(part)[:LONGEST_NAME] for part in first["loc"])
        return JSONResponse({"error": ascii(f"{where}: {first['msg'][:LONGEST_SENTENCE]}.")[1:-1]}, 422)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # to nobody

    @app.exception_handler(DataError)
    async def unwritable(request: Request, _: DataError) -> Response:
        """PostgreSQL takes no text with a zero in it; nothing was changed."""
        return _answer(app, request, 422, HTTPException(422))

    @app.exception_handler(OSError)
    @app.exception_handler(OperationalError)
    @app.exception_handler(DatabaseError)
    @app.exception_handler(NoConnection)
    async def in_trouble(request: Request, error: Exception) -> Response:
        if trouble(error) is None:
            raise error
        log.error("a request failed: %s", getattr(error, "orig", error))  # nothing of what it was about
        return _answer(app, request, 503, error)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return _answer(app, request, 500, HTTPException(500))  # the server's own log has the rest

    return app


def _foreign(request: Request) -> bool:
    """Whether another site's page makes this browser post. Browsers say so themselves where they can; over plain http
    they do not, and then a page without an origin of its own (a sandboxed frame, a file) says "null", which is never
    ours."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and origin.partition("://")[2] != request.headers.get("host")


def wants_page(request: Request) -> bool:
    """Whether a person reads the answer, rather than a program or a script."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def _answer(app: FastAPI, request: Request, status: int, error: Exception) -> Response:
    """An error as the asker can read it: a page for people, one sentence of JSON for programs and scripts."""
    pages: Pages = app.state.pages
    visitor: Visitor = request.state.visitor
    words, rule = pages.explain(error, visitor.language)
    if wants_page(request):
        return HTMLResponse(pages.error(visitor, status, words), status)
    body: dict[str, Any] = {"error": words}
    if rule:
        body |= {"rule": rule}
    return JSONResponse(body, status)

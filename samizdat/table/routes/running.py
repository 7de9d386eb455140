"""For whoever runs a server: whether it lives, whether it can serve, and its numbers."""

from __future__ import annotations

import asyncio
import secrets

from fastapi import APIRouter, Header
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from samizdat.table.metrics import exposition
from samizdat.table.routes.asking import house
from samizdat.table.settings import Settings

router = APIRouter(include_in_schema=False)

PATIENCE = 3.0  # seconds that the database has to answer


@router.get("/health")
async def health() -> Response:
    """The process lives and answers."""
    return PlainTextResponse("alive\n")


@router.get("/ready")
async def ready(request: Request) -> Response:
    """The database answers, too: this process can serve."""
    try:
        await asyncio.wait_for(asyncio.to_thread(house(request).store.ping), PATIENCE)
    except Exception:  # whatever it is; the log of whoever met it first says more
        return PlainTextResponse("the database does not answer\n", 503)
    return PlainTextResponse("ready\n")


@router.get("/metrics")
async def metrics(request: Request, authorization: str = Header("")) -> Response:
    """For Prometheus, which brings the token; to everybody else there is no such page."""
    settings: Settings = request.app.state.settings
    if not settings.metrics_token or not secrets.compare_digest(
        authorization.encode(), f"Bearer {settings.metrics_token}".encode()
    ):
        raise HTTPException(404)
    return Response(await asyncio.to_thread(exposition), media_type=CONTENT_TYPE_LATEST)

"""Running the table: one process, found in the browser."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from samizdat.table.settings import ServeError, Settings

if TYPE_CHECKING:
    from uvicorn import Config


def configured(app: Any, **where: Any) -> Config:
    """How uvicorn serves: every connection on the guarded wire, no WebSockets (nothing here speaks them)."""
    from uvicorn import Config
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from samizdat.table.wire import MOST_HALF_SENT, SPARE_FILES, Guarded, Wire, open_files

    config = Config(app, ws="none", log_level="warning", timeout_graceful_shutdown=2, **where)
    trusted = ProxyHeadersMiddleware(app, config.forwarded_allow_ips).trusted_hosts
    files = open_files() - SPARE_FILES
    wire = Wire(trusted.__contains__, files, min(MOST_HALF_SENT, files // 2))
    config.http = type("Guarded", (Guarded,), {"wire": wire})
    return config


def serve(host: str, port: int, settings: Settings, browser: bool) -> None:
    """Serve until interrupted; a port that is taken is refused with one sentence."""
    from uvicorn import Server

    from samizdat.table.app import create_app
    from samizdat.table.warming import settle, warm_pages

    def get_ready() -> None:
        warm_pages()
        app.openapi()  # what programs ask for first; worked out once
        settle()

    app = create_app(settings)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ServeError(
                f"Port {port} of {host} cannot be used ({error.strerror}); choose another with --port."
            ) from None
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}/"
    print(f"Samizdat is at {address}   (Ctrl+C ends it; nothing is lost)", flush=True)
    if browser:
        threading.Thread(target=_show, args=(address, port), daemon=True).start()
    threading.Thread(target=get_ready, daemon=True).start()
    server = Server(configured(app, host=host, port=port))
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        raise ServeError("The server could not begin; what it printed above says why.")


def _show(address: str, port: int) -> None:
    """Open the browser once the server listens."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                webbrowser.open(address)
                return
        time.sleep(0.1)

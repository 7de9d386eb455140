"""Running the table: one process, found in the browser; or several that share a port and a database."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
import threading
import time
import webbrowser
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from samizdat.kernel.systems import open_files, take_port
from samizdat.table.settings import ServeError, Settings
from samizdat.table.supervising import SHARED_METRICS, end_with_parent, keep_running

if TYPE_CHECKING:
    from uvicorn import Config

BACKLOG = 2048  # connections that wait for a process to take them


def configured(app: Any, **where: Any) -> Config:
    """How uvicorn serves: every connection on the guarded wire, no WebSockets (nothing here speaks them)."""
    from uvicorn import Config
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from samizdat.table.wire import MOST_FILES, MOST_HALF_SENT, SPARE_FILES, Guarded, Wire

    config = Config(app, ws="none", log_level="warning", timeout_graceful_shutdown=2, **where)
    trusted = ProxyHeadersMiddleware(app, config.forwarded_allow_ips).trusted_hosts
    files = open_files(MOST_FILES) - SPARE_FILES
    wire = Wire(trusted.__contains__, files, min(MOST_HALF_SENT, files // 2))
    config.http = type("Guarded", (Guarded,), {"wire": wire})
    return config


def serve(host: str, port: int, settings: Settings, browser: bool, processes: int = 1) -> None:
    """Serve until interrupted; a port that is taken is refused with one sentence."""
    if processes > 1 and not settings.shared:
        raise ServeError("Several processes need a database that they can share; name one with --database.")
    if not settings.bot_workers and not settings.shared:
        raise ServeError("Without --database nobody else can think for the bots; --bot-workers is 1 or more then.")
    app = _ready(settings) if processes == 1 else None
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listening:
        take_port(listening)
        try:
            listening.bind((host, port))
        except OSError as error:
            raise ServeError(
                f"Port {port} of {host} cannot be used ({error.strerror}); choose another with --port."
            ) from None
        address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}/"
        print(f"Samizdat is at {address}   (Ctrl+C ends it; nothing is lost)", flush=True)
        if browser:
            threading.Thread(target=_show, args=(address, port), daemon=True).start()
        if app is not None:
            _run(app, listening)
        else:
            listening.listen(BACKLOG)
            with tempfile.TemporaryDirectory(prefix="samizdat-metrics-") as folder:
                os.environ[SHARED_METRICS] = folder  # read by each process when it begins
                keep_running([partial(_one_of_several, settings, listening)] * processes)


def _ready(settings: Settings) -> Any:
    """The application; what its first visitors would wait for is made ready meanwhile."""
    from samizdat.table.app import create_app
    from samizdat.table.logs import log_in_json
    from samizdat.table.sweeping import settle
    from samizdat.table.warming import warm_pages

    def get_ready() -> None:
        warm_pages()
        app.openapi()  # what programs ask for first; worked out once
        settle()

    if settings.log_json:
        log_in_json()
    app = create_app(settings)
    threading.Thread(target=get_ready, daemon=True).start()
    return app


def _run(app: Any, listening: socket.socket) -> None:
    from uvicorn import Server as Uvicorn

    class Server(Uvicorn):
        """Told to end, it first tells every stream to come back: to the process that follows, or to another one."""

        def handle_exit(self, sig: int, frame: Any) -> None:
            app.state.end_streams()
            super().handle_exit(sig, frame)

    # Whoever is told to end does so as if interrupted: uvicorn sends itself the signal again when it has stopped, and
    # a process that dies of it leaves the processes of the bots behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = Server(configured(app, **({"log_config": None} if app.state.settings.log_json else {})))
    with suppress(KeyboardInterrupt):
        server.run([listening])
    if not server.started:
        raise ServeError("The server could not begin; what it printed above says why.")


def _one_of_several(settings: Settings, listening: socket.socket) -> None:
    end_with_parent()
    _run(_ready(settings), listening)


def _show(address: str, port: int) -> None:
    """Open the browser once the server listens."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                webbrowser.open(address)
                return
        time.sleep(0.1)

"""`samizdat admin`: what whoever runs a house asks of it. Nothing here shows a hand, a seat's link or a decision."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from samizdat.kernel.arguments import printable
from samizdat.kernel.errors import OptionError

if TYPE_CHECKING:
    from samizdat.table.settings import Settings
    from samizdat.table.store.store import Store

admin_app = typer.Typer(
    help="For whoever runs a house: its tables, who is kept out, what is kept.", no_args_is_help=True
)
console = Console()

Data = Annotated[Path | None, typer.Option(help="the house's folder")]
Database = Annotated[str, typer.Option(envvar="SAMIZDAT_DATABASE_URL", help="or the address of its database")]
Id = Annotated[str, typer.Argument(metavar="TABLE", help="a table's id; `samizdat admin list` shows them")]
Why = Annotated[str, typer.Option(help="for your own memory; nobody else reads it")]

DASHES = {"ignore_unknown_options": True}  # the ids of some tables begin with one
SPAN = re.compile(r"(\d+)([hdw])")
SECONDS = {"h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}
SHOWN = 200  # tables


def settings_of(data: Path | None, database: str) -> Settings:
    from samizdat.table.settings import DATABASE, ServeError, Settings, default_data

    settings = Settings(data or default_data(), database)
    if not settings.shared and not (settings.data / DATABASE).exists():
        raise ServeError(f"There is no house in {settings.data}; name its folder with --data, or --database.")
    return settings


@contextmanager
def opened(data: Path | None, database: str) -> Iterator[Store]:
    """The house's database, whether or not a server has it open, too."""
    from samizdat.table.store.store import Store

    store = Store(settings_of(data, database).address)
    try:
        yield store
    finally:
        store.close()


def moment(given: str) -> float | None:
    """`12h`, `7d`, `2w` from now, or a day; nothing is for ever."""
    if not given:
        return None
    if found := SPAN.fullmatch(given):
        return time.time() + int(found[1]) * SECONDS[found[2]]
    try:
        day = datetime.fromisoformat(given)
    except ValueError:
        raise OptionError(f"{given} is no moment; write 12h, 7d, 2w or a day such as 2027-01-31.") from None
    return (day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()


def when(seconds: float | None) -> str:
    return "for ever" if seconds is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


@admin_app.command("list")
def list_tables(
    status: Annotated[str, typer.Option(help="only those that are open, playing or over")] = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Tables, those of which something was heard last first."""
    from samizdat.table.store.barring import all_tables, frozen_tables

    if status not in ("", "open", "playing", "over"):
        raise OptionError(f"{status} is no state of a table; it is open, playing or over.")
    with opened(data, database) as store:
        rows = all_tables(store, status, SHOWN + 1)
        seats, frozen = store.seats_of([row.id for row in rows]), {row.table for row in frozen_tables(store)}
    shown = Table(title="Tables")
    shown.add_column("table", no_wrap=True, min_width=12)  # whole, to be copied
    for column in ("game", "state", "decisions", "at the table", "changed"):
        shown.add_column(column, overflow="fold")
    for row in rows[:SHOWN]:
        who = ", ".join(f"{seat.name} (bot)" if seat.kind == "bot" else seat.name or "free" for seat in seats[row.id])
        state = f"{row.status}, frozen" if row.id in frozen else row.status
        # How many decisions there are tells of secret ones while a match runs.
        plies = str(row.plies) if row.status == "over" else ""
        shown.add_row(row.id, f"{row.game} {row.variant}", state, plies, printable(who), when(row.changed))
    console.print(shown, markup=False)
    if len(rows) > SHOWN:
        print(f"The first {SHOWN}; there are more.")


@admin_app.command(context_settings=DASHES)
def freeze(
    id: Id,
    why: Annotated[str, typer.Option(help="one sentence that everybody at the table reads")] = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Let nobody decide anything at a table for now: its clock stands still, and it can be read as before. Servers
    know it in some seconds."""
    from samizdat.table.store import barring

    with opened(data, database) as store:
        barring.freeze(store, id, why)
    print(f"Table {printable(id)} is frozen.")


@admin_app.command(context_settings=DASHES)
def unfreeze(id: Id, data: Data = None, database: Database = "") -> None:
    """Let a frozen table go on."""
    from samizdat.table.store import barring

    with opened(data, database) as store:
        was = barring.unfreeze(store, id)
    print(f"Table {printable(id)} goes on." if was else f"Table {printable(id)} was not frozen.")


@admin_app.command(context_settings=DASHES)
def remove(id: Id, data: Data = None, database: Database = "") -> None:
    """Take a table away with everything that was played there."""
    from samizdat.table.store.barring import HostError
    from samizdat.table.store.leaving import remove_table

    with opened(data, database) as store:
        if store.table(id) is None:
            raise HostError(f"There is no table {id}; `samizdat admin list` shows them.")
        remove_table(store, id)
    print(f"Table {printable(id)} is gone.")


@admin_app.command(context_settings=DASHES)
def repair(
    id: Annotated[str, typer.Argument(metavar="[TABLE]", help="one table; all are looked at if none is named")] = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Play matches through again; with a table's id, put that one in order where its decisions allow it."""
    from samizdat.table.backups import prove
    from samizdat.table.retention import repair as put_in_order

    with opened(data, database) as store:
        if id:
            print(f"{printable(id)}: {put_in_order(store, id)}")
            return
        proof = prove(store)
    print(f"{proof.matches} tables are in order.")
    for one in proof.unproved:
        print(f"{one}: its decisions do not come to what is stored, or it is of other rules; try `repair {one}`.")
    if proof.unproved:
        raise typer.Exit(1)


@admin_app.command()
def ban(
    whom: Annotated[str, typer.Argument(help="an address, a network such as 10.1.0.0/16, a name to sign in with")],
    until: Annotated[str, typer.Option(help="12h, 7d, 2w or a day; for ever if not given")] = "",
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Keep somebody out. Servers know it in some seconds."""
    from samizdat.table.store import barring

    end = moment(until)
    with opened(data, database) as store:
        found = barring.whom(store, whom)
        barring.ban(store, found, end, why)
    print(f"{printable(found)} is kept out {'for ever' if end is None else f'until {when(end)}'}.")


@admin_app.command()
def unban(
    whom: Annotated[str, typer.Argument(help="as it was given, or as `samizdat admin bans` shows it")],
    data: Data = None,
    database: Database = "",
) -> None:
    """Let somebody in again."""
    from samizdat.table.store import barring

    with opened(data, database) as store:
        found = barring.whom(store, whom)
        was = barring.unban(store, found)
    print(f"{printable(found)} is let in again." if was else f"{printable(found)} was not kept out.")


@admin_app.command()
def bans(data: Data = None, database: Database = "") -> None:
    """Who is kept out, until when and why."""
    from samizdat.table.store import barring

    with opened(data, database) as store:
        rows = barring.banned(store, time.time())
    shown = Table(title="Kept out")
    for column in ("whom", "until", "why"):
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(row.whom, when(row.until), printable(row.why))
    console.print(shown, markup=False)


@admin_app.command()
def retention(
    finished_days: Annotated[
        float, typer.Option(min=0, help="finished tables that nothing was heard of; 0: stay")
    ] = 0,
    open_days: Annotated[float, typer.Option(min=0, help="tables that never began; 0: they stay")] = 30,
    guest_days: Annotated[
        float, typer.Option(min=0, help="guests without a table and without an account; 0: they stay")
    ] = 180,
    go: Annotated[bool, typer.Option("--go", help="do it; otherwise it is only counted")] = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Let go what is older than so many days, with everything that belongs to it."""
    from samizdat.table.retention import due, let_go

    with opened(data, database) as store:
        gone = due(store, finished_days, open_days, guest_days)
        if go:
            let_go(store, gone)
    said = (
        f"{len(gone.finished)} finished tables, {len(gone.abandoned)} that never began and {len(gone.guests)} guests"
    )
    print(f"{said} are gone." if go else f"{said} would go; say --go to let them.")


@admin_app.command()
def reports(
    close: Annotated[str, typer.Option(help="the id of a report that you have dealt with")] = "",
    closed: Annotated[bool, typer.Option("--closed", help="also those that are closed")] = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """What people want you to read: who about whom, and what was said."""
    from samizdat.table.reports import close_report, in_words, list_reports

    with opened(data, database) as store:
        if close:
            there = close_report(store, close)
            print(
                f"Report {printable(close)} is closed." if there else f"There is no open report {printable(close)}."
            )
            return
        found = list_reports(store, closed)
    for report in found:
        print("\n".join(printable(line) for line in in_words(report).splitlines()))
    if not found:
        print("There is nothing to read.")


@admin_app.command("host-link")
def host_link(
    base: Annotated[str, typer.Option(help="where browsers reach the house")] = "http://localhost:1917",
    revoke: Annotated[bool, typer.Option("--revoke", help="end the right of every browser, and every link")] = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """A link that makes one browser the host's, once, within fifteen minutes: it may see the page /host."""
    from samizdat.table.store import hosts

    with opened(data, database) as store:
        if revoke:
            ended = hosts.leave_all(store)
            print(f"No browser is the host's any more, and no link makes it one ({ended} were or would have).")
            return
        secret = hosts.new_link(store)
    print(f"{base.rstrip('/')}/host/enter/{secret}")

"""The tables of the database. Alembic's migrations build the same; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("made", Float, nullable=False),
)

accounts = Table(  # players who can sign in; all others are guests, known by their browser alone
    "accounts",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), primary_key=True),
    Column("page", String(16), nullable=False, unique=True),  # where others find the profile
    Column("login", String(40), nullable=True, unique=True),  # the name to sign in with, if there is a password
    Column("password", String(200), nullable=True),  # argon2id, with its salt and costs
    Column("paper", String(64), nullable=True, unique=True),  # the hash of the eight words
    Column("paper_made", Float, nullable=True),
    Column("shown", Boolean, nullable=False, server_default=false()),  # whether others may read the profile
    Column("leaving", Float, nullable=True),  # when everything is deleted, unless its owner comes back
    Column("made", Float, nullable=False),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(400), primary_key=True),  # the credential's own, in base64url
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("site", String(255), nullable=False),  # the host name it was made for
    Column("key", LargeBinary, nullable=False),  # public
    Column("count", BigInteger, nullable=False),  # how often it has signed, where it counts that
    Column("name", String(40), nullable=False),
    Column("made", Float, nullable=False),
    Column("used", Float, nullable=True),
    Index("ix_passkeys_player", "player"),
)

sessions = Table(  # browsers that are signed in
    "sessions",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),  # the hash of what the cookie carries
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("agent", String(60), nullable=False),  # the browser and its system, in words
    Column("made", Float, nullable=False),
    Column("used", Float, nullable=False),
    Column("proved", Float, nullable=False),  # when its owner last showed a key or a password
    Index("ix_sessions_player", "player"),
)

challenges = Table(  # what a passkey is asked to sign, once
    "challenges",
    metadata,
    Column("challenge", String(128), primary_key=True),
    Column("player", String(32), nullable=False),  # whose browser was asked
    Column("until", Float, nullable=False),
)

tries = Table(  # to sign in; whose and from where is hashed
    "tries",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_tries_key", "key", "at"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("rules", Integer, nullable=False),  # the version of the rules the match is played under
    Column("box", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("opened_by", String(32), ForeignKey("players.id"), nullable=False),
    Column("status", String(8), nullable=False),  # open, playing, over
    Column("seed", String(32), nullable=False),  # of a fair table: none, until the cards are dealt
    Column("nonce", String(32), nullable=False),  # a fair table's secret
    Column("acting", Integer, nullable=False),  # bit set of the seats to act
    Column("plies", Integer, nullable=False),
    Column("state", LargeBinary, nullable=True),  # the record after the last decision: a check on replaying
    Column("result", JSON, nullable=True),
    Column("rematch", String(16), nullable=True),
    Column("imported", Boolean, nullable=False, server_default=false()),  # its opener knows the seed
    Column("start", JSON(none_as_null=True), nullable=True),  # the position it began with, if it was not dealt
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("printed", String(64), nullable=True),  # the box, if it is not the one that everybody has
    Column("events", Integer, nullable=False, server_default=text("0")),  # stored of it by processes that share it
    Column("fair", JSON(none_as_null=True), nullable=True),  # what the seed follows from, besides the nonce
    Column("manners", JSON(none_as_null=True), nullable=True),  # what is agreed besides the rules; none: as usual
    Column("proposal", JSON(none_as_null=True), nullable=True),  # to end the match, the last one
    Column("plea", JSON(none_as_null=True), nullable=True),  # to take a decision back, the last one
    Column("talked", Integer, nullable=False, server_default=text("0")),  # the event with which talk last changed
    Index("ix_tables_status", "status", "changed"),
)

clocks = Table(  # of tables that have one
    "clocks",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("kind", String(8), nullable=False),  # live, days
    Column("seconds", Float, nullable=False),
    Column("increment", Float, nullable=False),
    Column("others", Boolean, nullable=False, server_default=false()),  # when time is over, they say what happens
    Column("state", JSON(none_as_null=True), nullable=True),  # of all dials, after the last thing that everybody saw
    Column("paused", Boolean, nullable=False, server_default=false()),  # some dial stands still for holidays
    Column("due", Float, nullable=True),  # the moment of the house at which somebody's time is over, or nearly
    Index("ix_clocks_due", "due"),
)

served = Table(  # the time of the house: the seconds in which some process served
    "served",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # there is one
    Column("seconds", Float, nullable=False),
    Column("seen", Float, nullable=False),  # by the clock on the wall, when that was last written
)

rated = Table(  # tables whose matches count
    "rated",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("settled", Float, nullable=True),  # when the result was counted, or found not to count
)

rating_steps = Table(  # what each rated match made of a player's rating
    "rating_steps",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("n", Integer, nullable=False),  # of the player's rated matches in that game, from 1
    Column("match", String(16), nullable=False),  # its table; the rating stays when that goes
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("player", "game", "n"),
    Index("ix_rating_steps_match", "match"),
)

printed = Table(  # boxes that matches are played with; none of them ever changes
    "printed",
    metadata,
    Column("key", String(64), primary_key=True),  # the hash of its text
    Column("text", Text, nullable=False),
)

boxes = Table(  # boxes of people's own, as far as they are typed in
    "boxes",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner", String(32), ForeignKey("players.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("text", Text, nullable=False),  # a box file, which need not be playable yet
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("ix_boxes_owner", "owner", "game"),
)

seats = Table(
    "seats",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),  # open, person, bot
    Column("level", String(16), nullable=False),
    Column("name", String(40), nullable=False),
    Column("key", String(32), nullable=False, unique=True),  # the seat's own link
    Column("keyed", Float, nullable=False, server_default=text("0")),  # when it was made
    PrimaryKeyConstraint("table", "seat"),
)

holders = Table(
    "holders",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    PrimaryKeyConstraint("table", "seat", "player"),
    Index("ix_holders_player", "player"),
)

journal = Table(
    "journal",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("move", String(120), nullable=False),  # notation; empty: the seat took its last decision back
    Column("luck", JSON, nullable=True),  # outcomes that were given rather than drawn
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("table", "n"),
)

seatings = Table(  # every change of a seat while the match ran
    "seatings",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("after", Integer, nullable=False),  # lines of the journal when it happened
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(40), nullable=False),
    Column("was", String(40), nullable=False),  # the name of whoever last had that hand
    Column("back", Boolean, nullable=False),  # its owner came back
    Column("held", JSON, nullable=False),  # the players who held the seat until then
    Column("how", String(8), nullable=False, server_default=""),  # handed over or given up by them
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("table", "n"),
)

tours = Table(  # how far first games have come
    "tours",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("tour", String(20), nullable=False),
    Column("met", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("folded", Boolean, nullable=False),
    Column("acts", Integer, nullable=False),
)

solved = Table(  # the scenes and puzzles that somebody has solved
    "solved",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("scene", String(60), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("player", "game", "scene"),
)

reaches = Table(  # how somebody is reached who is not at the table
    "reaches",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), primary_key=True),
    Column("stopped", Boolean, nullable=False),  # nothing at all is sent
    Column("language", String(8), nullable=False),
    Column("zone", String(60), nullable=False),  # of time, by its name
    Column("quiet_from", Integer, nullable=True),  # minutes of the day; both or none
    Column("quiet_to", Integer, nullable=True),
    Column("base", String(200), nullable=False),  # the address under which they know this house
    Column("feed", String(64), nullable=True, unique=True),  # the last part of the address of their calendar
)

ways = Table(  # by which somebody is reached
    "ways",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail, hook
    Column("address", String(1000), nullable=False),
    Column("secret", String(300), nullable=False),  # keys of a browser, what a hook is signed with, or a link
    Column("label", String(60), nullable=False),
    Column("made", Float, nullable=False),
    Column("confirmed", Float, nullable=True),  # nothing is sent before, but what asks for it
    Column("used", Float, nullable=True),  # when something last arrived
    Column("failures", Integer, nullable=False),  # since then
    Column("error", String(200), nullable=True),  # the last one, in English
    Column("failed", Float, nullable=True),
    Index("ix_ways_player", "player"),
)

messages = Table(  # to people who are not at the table: the outbox
    "messages",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("way", String(16), ForeignKey("ways.id"), nullable=False),
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("table", String(16), ForeignKey("tables.id"), nullable=True),
    Column("kind", String(12), nullable=False),
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("tries", Integer, nullable=False),  # begun
    Column("failures", Integer, nullable=False),  # of them, that are known to have failed
    Column("lease", Float, nullable=True),  # until when it is a process's
    Index("ix_messages_due", "due"),
    Index("ix_messages_way", "way"),
)

holidays = Table(  # days on which a clock of days stands still for somebody
    "holidays",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("first", String(10), nullable=False),
    Column("last", String(10), nullable=False),
    PrimaryKeyConstraint("player", "first"),
)

keys = Table(  # of the house itself, which others know it by
    "keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

drafts = Table(
    "drafts",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("draft", JSON, nullable=False),
    PrimaryKeyConstraint("table", "seat"),
)

shared = Table(  # what all processes on one database must know alike
    "shared",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

practices = Table(  # scenes that somebody has open, where processes share them
    "practices",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player", String(32), nullable=False),
    Column("game", String(40), nullable=False),
    Column("scene", String(60), nullable=False),
    Column("names", JSON, nullable=False),
    Column("keys", JSON, nullable=False),
    Column("acts", JSON, nullable=False),
    Column("events", Integer, nullable=False),
    Column("changed", Float, nullable=False),
    Index("ix_practices_changed", "changed"),
)

jobs = Table(  # what workers think about
    "jobs",
    metadata,
    Column("id", String(48), primary_key=True),  # the same for the same question
    Column("work", String(20), nullable=False),
    Column("aside", Boolean, nullable=False),  # long work that no bot waits for
    Column("table", String(40), nullable=True),
    Column("request", LargeBinary, nullable=False),
    Column("visitor", String(40), nullable=False),
    Column("asked", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("person", Boolean, nullable=False),
    Column("until", Float, nullable=True),
    Column("tries", Integer, nullable=False),
    Column("worker", String(80), nullable=True),
    Column("lease", Float, nullable=True),  # until when it is that worker's
    Column("began", Float, nullable=True),
    Column("answered", Float, nullable=True),
    Column("answer", LargeBinary, nullable=True),
    Column("error", String(80), nullable=True),  # its kind alone
    Index("ix_jobs_table", "table"),
)

workers = Table(  # who takes jobs
    "workers",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("places", Integer, nullable=False),
    Column("games", JSON, nullable=False),  # whose search is compiled there
    Column("seen", Float, nullable=False),
)

bans = Table(  # who is kept out
    "bans",
    metadata,
    Column("whom", String(64), primary_key=True),  # addresses as a network, or a player's id
    Column("until", Float, nullable=True),  # None: until it is lifted
    Column("why", String(200), nullable=False),  # for the host alone
    Column("made", Float, nullable=False),
)

frozen = Table(  # tables at which nobody decides anything for now, as the host says
    "frozen",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("why", String(200), nullable=False),  # everybody at the table reads it
    Column("made", Float, nullable=False),
    Column("at", Float, nullable=False, server_default=text("0")),  # the moment of the house when its clock stopped
)

hosts = Table(  # browsers that may see the host's page, and links that let one in
    "hosts",
    metadata,
    Column("hash", String(64), primary_key=True),  # of what the browser or the link carries
    Column("link", Boolean, nullable=False),  # good for one browser, once
    Column("agent", String(60), nullable=False),
    Column("made", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("used", Float, nullable=False),
)

keeping = Table(  # for how long the house keeps what nobody uses; without a row, for ever
    "keeping",
    metadata,
    Column("what", String(12), primary_key=True),
    Column("days", Float, nullable=False),
)

samples = Table(  # how the house fared, half hour by half hour, as each process saw it
    "samples",
    metadata,
    Column("slot", Integer, nullable=False),
    Column("process", String(16), nullable=False),
    Column("seen", Float, nullable=False),
    Column("figures", JSON, nullable=False),
    PrimaryKeyConstraint("slot", "process"),
)

log_lines = Table(  # what the processes told last, everything secret overtyped
    "log_lines",
    metadata,
    Column("at", Float, nullable=False),
    Column("process", String(16), nullable=False),
    Column("n", Integer, nullable=False),
    Column("level", String(8), nullable=False),
    Column("words", String(300), nullable=False),
    PrimaryKeyConstraint("at", "process", "n"),
)

backups = Table(  # what became of the last backups
    "backups",
    metadata,
    Column("made", Float, nullable=False),
    Column("file", String(200), nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("matches", Integer, nullable=False),  # that were played through again
    Column("unproved", Integer, nullable=False),  # that could not be
    Column("error", String(200), nullable=True),
    PrimaryKeyConstraint("made", "file"),
)

talk = Table(  # what was said at tables
    "talk",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("sheet", String(8), nullable=False),  # for the seats, for all, or of two seats
    Column("n", Integer, nullable=False),
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("seat", Integer, nullable=True),  # none: a spectator's
    Column("name", String(40), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("words", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("seatings", Integer, nullable=False),  # changes of seats before it
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("table", "sheet", "n"),
    Index("ix_talk_player", "player"),
)

stamps = Table(  # what was answered with instead of words
    "stamps",
    metadata,
    Column("table", String(16), ForeignKey("tables.id"), nullable=False),
    Column("sheet", String(8), nullable=False),
    Column("n", Integer, nullable=False),
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("stamp", String(8), nullable=False),
    PrimaryKeyConstraint("table", "sheet", "n", "player", "stamp"),
    Index("ix_stamps_player", "player"),
)

mutes = Table(  # whose words somebody does not want to read
    "mutes",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("other", String(32), ForeignKey("players.id"), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("player", "other"),
    Index("ix_mutes_other", "other"),
)

blocks = Table(  # and whom somebody does not want to meet
    "blocks",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), nullable=False),
    Column("other", String(32), ForeignKey("players.id"), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("player", "other"),
    Index("ix_blocks_other", "other"),
)

muted_words = Table(  # and which words
    "muted_words",
    metadata,
    Column("player", String(32), ForeignKey("players.id"), primary_key=True),
    Column("words", JSON, nullable=False),
)

reports = Table(  # what somebody wants the host to read; it stays when the table goes
    "reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("reporter", String(32), ForeignKey("players.id"), nullable=False),
    Column("about", String(32), ForeignKey("players.id"), nullable=False),
    Column("table", String(16), nullable=False),
    Column("why", Text, nullable=False),
    Column("words", JSON, nullable=False),  # as the reporter read them, with what was said before
    Column("at", Float, nullable=False),
    Column("closed", Float, nullable=True),
    Index("ix_reports_closed", "closed", "at"),
)

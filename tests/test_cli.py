"""The command line, run as a person would: what it prints, and how it refuses."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samizdat.cli import main
from samizdat.cli.given import choose_game
from samizdat.kernel.arguments import printable
from samizdat.kernel.game import definitions
from samizdat.table.settings import Settings
from tests.conftest import DOSE
from tests.kernel.test_fairness import RECEIPT
from tests.kernel.test_fairness import TEXT as FAIR_TEXT
from tests.rulebook import RECORDED

MATCH = str(RECORDED / "revolution" / "city_full.json")


Done = subprocess.CompletedProcess[str]


def process(*args: str) -> Done:
    """The command line in a process of its own, which takes a second to start."""
    return subprocess.run([sys.executable, "-m", "samizdat", *args], capture_output=True, text=True, check=False)


def run(*args: str) -> Done:
    """What `process` gives, without starting one: the same words, the same encodings, the same way out."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["samizdat", *args])
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code or 0
    assert isinstance(code, int)
    for stream in (out, err):
        stream.seek(0)
    return subprocess.CompletedProcess(args, code, out.read(), err.read())


def test_games() -> None:
    done = process("games")
    assert done.returncode == 0
    for name in definitions():
        assert name in done.stdout


@pytest.mark.parametrize("words", [["rules", "revolution", "R5.3"], ["sim", "chess"], ["verify", MATCH]])
def test_a_process_says_the_same(words: list[str]) -> None:
    """So that the other tests need not start one."""
    one, other = run(*words), process(*words)
    assert (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)


@pytest.mark.parametrize("name", list(definitions()))
def test_rules(name: str) -> None:
    assert run("rules", name).returncode == 0


def test_one_rule() -> None:
    done = run("rules", "revolution", "R5.3")
    assert "At most six different characters" in done.stdout


@pytest.mark.parametrize("name", list(definitions()))
def test_sim(name: str) -> None:
    done = run("sim", name, "--games", "300")
    assert done.returncode == 0, done.stderr
    assert "300 random games, by seat" in done.stdout
    data = json.loads(run("sim", name, "--games", "300", "--json").stdout)
    assert data["games"] == 300
    assert sum(data["reasons"].values()) == 300
    shares = sum(seat["win_share"] for seat in data["seats"])
    assert shares <= 1.000001
    again = process("sim", name, "--games", "300", "--json")
    assert data == json.loads(again.stdout), "the same seed, the same games, whoever plays them"


@pytest.mark.parametrize("name", list(definitions()))
def test_the_command_line_takes_the_options_of_the_table(name: str) -> None:
    """The same names and values as in the form of a new table, for every command that is about a game."""
    found = definitions()[name]
    for variant in found.variants:
        for option in found.options:
            for value in option.values(found.standard_box.record, variant):
                typed = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
                game = choose_game(name, None, variant, None, [f"{option.name}={typed}"])
                assert game.options[option.name] == value


def test_an_option_changes_what_is_simulated() -> None:
    """A-27."""
    played = json.loads(run("sim", "revolution", "-o", "max_rounds=1", "--games", "50", "--json").stdout)
    assert played["reasons"]["max_rounds"] == 50


def test_only_what_matters_is_listed() -> None:
    """A-4: October and November print the same, so that one space for both would change nothing."""
    listed = " ".join(run("games").stdout.split())
    assert "october_november_separate" not in listed.replace(" │ ", "")


def test_replay_and_verify() -> None:
    done = run("replay", MATCH)
    assert done.returncode == 0
    assert "The game ends: the city is full." in done.stdout
    assert run("replay", MATCH, "--seat", "0").returncode == 0
    done = run("verify", MATCH)
    assert done.returncode == 0
    assert "yes." in done.stdout


def test_parity() -> None:
    done = run("parity", "revolution", "-n", "1")
    assert done.returncode == 0
    assert "yes" in done.stdout


def test_box_check(tmp_path: Path) -> None:
    standard = definitions()["revolution"].folder / "box.toml"
    assert "exactly what the printed components show" in run("box", "check", str(standard)).stdout
    mine = tmp_path / "mine.toml"
    mine.write_text(standard.read_text().replace('["tavern", 4, 20]', '["tavern", 5, 20]'))
    done = run("box", "check", str(mine))
    assert done.returncode == 0
    assert "[areas] row 7: spaces 4 → 5" in " ".join(done.stdout.split())
    assert run("sim", "revolution", "--games", "5", "--box", str(mine)).returncode == 0


def test_a_port_that_is_taken_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = process("serve", "--no-browser", "--no-warm", "--port", port, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.strip().endswith("choose another with --port.")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("secure", [False, True])
def test_what_serve_is_told_reaches_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secure: bool) -> None:
    asked: list[Settings] = []
    monkeypatch.setattr("samizdat.table.serve.serve", lambda *told: asked.append(told[2]))
    limits = ["--tables-a-day", "7", "--imports-a-day", "5", "--requests-a-minute", "9"]
    monkeypatch.setattr(sys, "argv", ["samizdat", "serve", "--data", str(tmp_path), *limits, *["--secure"] * secure])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert asked == [Settings(tmp_path, tables_a_day=7, imports_a_day=5, requests_a_minute=9, secure=secure)]


BAD = [
    (["sim", "chess"], "There is no game “chess”"),
    (["sim", "revolution", "--players", "9"], "is for 3 or 4 players, not 9"),
    (["sim", "revolution", "--variant", "blitz"], "has no variant “blitz”"),
    (["sim", "revolution", "-o", "refund"], "An option is written name=value"),
    (["sim", "revolution", "-o", "refund=perhaps"], "Option refund is True or False"),
    (["sim", "revolution", "-o", "hats=1"], "has no option hats"),
    (["sim", "revolution", "-o", "max_rounds=0"], "Option max_rounds is a whole number from 1"),
    (["sim", "revolution", "--seed", "-1"], "seed must be a whole number"),
    (["sim", "revolution", "--box", "/nonexistent.toml"], "cannot be read"),
    (["serve", "--no-browser", "--data", "/dev/null/here"], "cannot be made"),
    (["serve", "--no-browser", "--processes", "2"], "need a database that they can share"),
    (["serve", "--no-browser", "--bot-workers", "0"], "nobody else can think"),
    (["serve", "--no-browser", "--database", "oracle://there"], "not known here"),
    (["worker"], "needs the database that the servers share"),
    (["rules", "revolution", "R99"], "has no rule “R99”"),
    (["verify", "/nonexistent.json"], "cannot be read"),
    (["replay", __file__], "Not a whole match file"),
    (["box", "check", __file__], "not valid TOML"),
    (["parity", "chess"], "There is no game"),
    (["sim", "revolution", "-o", "max_rounds=²"], "Option max_rounds is a whole number from 1 to 200, not “²”"),
    (["sim", "revolution", "-o", "max_rounds=--5"], "a whole number from 1 to 200, not “--5”"),
    (["sim", "revolution", "-o", "max_rounds=-"], "a whole number from 1 to 200, not “-”"),
    (["sim", "revolution", "-o", f"max_rounds={'9' * 5000}"], "a whole number from 1 to 200, not “999"),
    (["sim", "revolution", "-o", "players=3"], "has no option players"),
    (["sim", "revolution", "-o", "self=3"], "has no option self"),
    (["sim", "revolution", "-o", f"{'x' * 5000}=3"], "has no option xxx"),
    (["sim", "revolution", "--variant", "[/x]" * 999], "has no variant “[/x]"),
    (["sim", "revolution ", "--players", "3"], "There is no game “revolution ”"),
    (["sim", "revolution", "--seed", "9" * 4000], "seed must be a whole number"),
    (["parity", "revolution", "--seed", "-1"], "seed must be a whole number"),
    (["parity", "revolution", "--seed", "9" * 30], "seed must be a whole number"),
    (["arena", "revolution", "--bots", "random", "--seed", "9" * 4000], "seed must be a whole number"),
    (["arena", "revolution", "--bots", f"expert:simulations={'9' * 400}"], "simulations"),
    (["arena", "revolution", "--bots", "expert:simulations=²"], "simulations are a number, not “²”"),
    (["arena", "revolution", "--bots", "expert:seconds=inf"], "seconds are a number, not “inf”"),
    (["arena", "revolution", "--bots", "expert", "--seconds", "nan"], "seconds must be a number above 0"),
    (["arena", "revolution", "--bots", "random", "--out", "x" * 300], "cannot be written there"),
    (["arena", "revolution", "--bots", "random", "--plot", "/proc/1/x.png"], "cannot be written there"),
    (["box", "check", "[/x].toml"], "[/x].toml: cannot be read"),
    (["verify", "[/x]\n:smile:.json"], r"[/x]\n:smile:.json: cannot be read"),
    (["verify", "/dev/zero"], "/dev/zero: larger than"),
    (["replay", MATCH, "--seat", "9"], "There is no seat 9"),
    (["replay", MATCH, "--seat", "9" * 4000], "There is no seat"),
]


@pytest.mark.parametrize(("args", "message"), BAD, ids=[ascii(" ".join(args))[:40] for args, _ in BAD])
def test_mistakes_are_one_sentence_and_exit_code_2(args: list[str], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert len(done.stderr) < 600


# Names as they may stand in a shell: Rich would read the first two as markup, the third as a picture, and break the
# fourth; the last one is not UTF-8.
NAMES = ["[/x].toml", "[bold]mine[/bold].toml", ":smile:.toml", "a b " * 50 + ".toml", "mine\udcff.toml"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_file_name_is_printed_as_it_is(tmp_path: Path, name: str) -> None:
    box, match = tmp_path / name, tmp_path / f"{name}.json"
    shown = printable(name)
    box.parent.mkdir(parents=True, exist_ok=True)
    box.write_bytes((definitions()["revolution"].folder / "box.toml").read_bytes())
    match.write_bytes(Path(MATCH).read_bytes())
    decoded = process if name == NAMES[-1] else run  # a process is given bytes
    done = decoded("box", "check", str(box))
    assert done.returncode == 0, done.stderr
    assert f"{shown}: a good box for Revolution!" in done.stdout
    done = run("verify", str(match))
    assert done.returncode == 0, done.stderr
    assert f"{shown}.json: yes. " in done.stdout
    match.write_bytes(b"{}")
    done = run("verify", str(match))
    assert done.returncode == 2
    assert f"{shown}.json: no. " in done.stderr


TYPED = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
VALUES = TYPED | st.sampled_from(
    ["", "3", "²", "--5", "-1", "9" * 5000, "yes", "[/]", "solitaire", "/none", "reduced"]
)
NAMES_OF_OPTIONS = TYPED | st.sampled_from(["max_rounds", "refund", "faction", "players", "box", "self", "", "[/]"])
PIECES = st.one_of(
    st.tuples(st.just("-o"), st.builds("{}={}".format, NAMES_OF_OPTIONS, VALUES)),
    st.tuples(st.sampled_from(["--players", "--variant", "--box", "--seat", "-o"]), VALUES),
    st.tuples(VALUES),
)


@settings(max_examples=120 * DOSE)
@given(
    st.sampled_from(["observations", "observations", "rules", "replay", "verify", "box check"]),
    st.sampled_from(["revolution", "dual-powers", MATCH]) | VALUES,
    st.lists(PIECES, max_size=2),
)
def test_noise_on_the_command_line(command: str, first: str, pieces: list[tuple[str, ...]]) -> None:
    """Whatever is typed: done, or refused with exit code 2; never an exception."""
    typed = [*command.split(), first, *(word for piece in pieces for word in piece)]
    done = run(*typed)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr
    if done.stderr.startswith("samizdat: "):
        assert len(done.stderr.splitlines()) == 1


def test_altered_match_file(tmp_path: Path) -> None:
    path = tmp_path / "altered.json"
    path.write_text(Path(MATCH).read_text().replace('"0 done"', '"1 done"', 1))
    done = run("verify", str(path))
    assert done.returncode == 2
    assert "checksum" in done.stderr


def test_the_gpu_is_refused_in_one_sentence_where_there_is_none() -> None:
    done = process("parity", "--gpu")  # whether there is one is asked once in a process
    if done.returncode == 0:
        return
    assert done.returncode == 2
    assert "GPU" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_lab_plays_a_box_of_ones_own(tmp_path: Path) -> None:
    """The same file as the page gives out: simulations, bots against each other, and what a table is told of it."""
    mine = tmp_path / "mine.toml"
    standard = (definitions()["dual-powers"].folder / "box.toml").read_text(encoding="utf-8")
    mine.write_text(standard.replace("track = 15", "track = 9"), encoding="utf-8")
    done = run(
        "arena", "dual-powers", "--bots", "random,random", "--games", "4", "--box", str(mine), "--workers", "1"
    )
    assert done.returncode == 0, done.stderr
    assert "4 games" in done.stdout
    shorter = json.loads(run("sim", "dual-powers", "--games", "200", "--json", "--box", str(mine)).stdout)
    usual = json.loads(run("sim", "dual-powers", "--games", "200", "--json").stdout)
    assert shorter != usual, "another track, another game"
    bad = tmp_path / "bad.toml"
    bad.write_text(standard.replace("track = 15", "track = 900"), encoding="utf-8")
    for command in (["sim", "dual-powers"], ["arena", "dual-powers", "--bots", "random,random"]):
        refused = run(*command, "--box", str(bad))
        assert refused.returncode == 2
        assert "[constants] track: must be a whole number" in refused.stderr
    refused = run("serve", "--no-browser", "--data", str(tmp_path / "data"), "--box", str(bad))
    assert refused.returncode == 2
    assert "[constants] track: must be a whole number" in refused.stderr


def test_verify_with_a_receipt(tmp_path: Path) -> None:
    match, receipt = tmp_path / "match.json", tmp_path / "receipt.json"
    match.write_text(FAIR_TEXT, encoding="utf-8")
    receipt.write_text(json.dumps(RECEIPT), encoding="utf-8")
    done = run("verify", str(match), "--receipt", str(receipt))
    assert done.returncode == 0
    assert "The receipt fits" in done.stdout
    assert "in this order: Irena, Ludmila" in done.stdout
    receipt.write_text(json.dumps(RECEIPT | {"number": "0" * 64}), encoding="utf-8")
    done = run("verify", str(match), "--receipt", str(receipt))
    assert done.returncode == 2
    assert "The number of the receipt was not used" in done.stderr
    assert "The host alone made the seed" in run("verify", MATCH).stdout

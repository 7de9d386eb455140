"""What `deploy/` says is what the program takes; the longer dose runs the Containerfile's steps in a bare root."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from samizdat.cli import app
from tests.conftest import DOSE

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
MOUNTED = ("usr", "bin", "sbin", "lib", "lib64", "dev", "proc", "run")  # of the machine; everything else is empty


def steps() -> list[tuple[str, str]]:
    """The Containerfile's lines, each an instruction and what it says."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def options(command: str) -> set[str]:
    said = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    return set(re.findall(r"--[a-z-]+", said))


@pytest.mark.parametrize("unit", sorted(DEPLOY.glob("*.service")), ids=lambda unit: unit.name)
def test_units_start_what_there_is(unit: Path) -> None:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(unit)
    assert {"Unit", "Service"} <= set(read.sections())
    program, command, *words = shlex.split(read["Service"]["ExecStart"])
    assert program == "/opt/samizdat/bin/samizdat"
    assert {word for word in words if word.startswith("--")} <= options(command)
    assert read["Service"]["User"] == "samizdat"


def test_the_containerfile_copies_what_is_there_and_starts_what_there_is() -> None:
    found = steps()
    for word, rest in found:
        if word == "COPY":
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
    last = dict(found)["CMD"]
    _, command, *words = shlex.split(last.strip("[]").replace(",", " "))
    assert {word for word in words if word.startswith("--")} <= options(command)
    assert [word for word, _ in found].index("USER") < [word for word, _ in found].index("CMD"), "not as root"


def test_proxies_pass_streams_on_at_once() -> None:
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    (pattern,) = re.findall(r"location ~ (\^\S+events\$)", nginx)
    for path in ("/table/x1/events", "/api/tables/x1/events"):
        assert re.search(pattern, path)
    block = nginx.partition(pattern)[2].partition("}")[0]
    assert "proxy_buffering off" in block
    assert "flush_interval -1" in caddy
    assert "X-Forwarded-For $remote_addr" in nginx, "never what somebody says of themselves"


@pytest.mark.skipif(DOSE < 20, reason="installs everything anew; part of the longer dose")
@pytest.mark.skipif(os.getuid() != 0, reason="a bare root needs root")
def test_the_containerfile_in_a_bare_root(tmp_path: Path) -> None:
    """Its steps, one after the other, in a root that has the system's programs and nothing else: what is written
    there is what is run."""
    root = tmp_path / "root"
    for name in (*MOUNTED, "tmp", "opt", "src", "root"):
        (root / name).mkdir(parents=True)
    shutil.copytree("/etc", root / "etc", symlinks=True, ignore_dangling_symlinks=True)
    mounts = [f"mount --rbind /{name} {root}/{name}" for name in MOUNTED if Path(f"/{name}").exists()]
    python = Path(sys.base_prefix)
    if not python.is_relative_to("/usr"):
        (root / python.relative_to("/")).mkdir(parents=True)
        mounts.append(f"mount --rbind {python} {root}{python}")
    where, commands = "/", []
    for word, rest in steps():
        if word == "WORKDIR":
            where = rest
        elif word == "COPY":
            *sources, target = rest.split()
            inside = root / where.lstrip("/") / target
            for source in sources:
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, inside, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    to = inside / source if target.endswith("/") else inside
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / source, to)
        elif word == "RUN":
            commands.append(f"cd {where} && {rest}")
    commands.append("/opt/samizdat/bin/samizdat serve --help")
    script = "set -e\n" + "\n".join([*mounts, f"chroot {root} /bin/sh -e <<'STEPS'", *commands, "STEPS"])
    env = {"PATH": f"{python}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    env |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "http", "HTTP"))}
    command = ["unshare", "--mount", "sh", "-c", script]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "--secure" in done.stdout

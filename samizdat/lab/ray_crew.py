"""Workers on many machines, through Ray: `--cluster ADDRESS`.

Every batch is a task of Ray's that is tried once; trying again is the line's business (`crews.py`), as for processes.
The kit travels inside the function that is called, which Ray sends to each of its workers once.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar
from uuid import uuid4

import ray
from ray import exceptions
from ray._private import worker as ray_worker
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from samizdat.kernel.arguments import clip, printable
from samizdat.lab.crews import CrewError, Worked, labour
from samizdat.lab.kits import Kit

Task = TypeVar("Task")
Done = TypeVar("Done")

OWN = (
    "auto",
    "local",
)  # addresses that Ray reads as words: a cluster that runs on this machine; one for this command
PORT = 6379  # Ray's usual
REACH = 5.0  # seconds in which an address must answer
COUNT = 2.0  # seconds between two looks at how many places there are
NOBODY = 60.0  # seconds without any place, after which nobody is expected any more

_unpacked: set[str] = set()  # in a worker: the kits that it has made itself ready with


def _make_ready(kit: Kit, name: str) -> None:
    if name not in _unpacked:
        kit.unpack(f"The machine {ray.util.get_node_ip_address()} of the cluster")
        _unpacked.add(name)


class RayCrew:
    """The processors of a cluster."""

    batch_seconds = 0.5
    deaths = (
        exceptions.WorkerCrashedError,
        exceptions.NodeDiedError,
        exceptions.ObjectLostError,
        exceptions.OutOfMemoryError,
        exceptions.LocalRayletDiedError,
    )

    def __init__(self, address: str, kit: Kit, most: int | None = None) -> None:
        """Connect, and see to it that every machine can work; CrewError names what is in the way."""
        _connect(address, most)
        self.kit, self.most = kit, most
        self._name = uuid4().hex  # of the kit
        self._functions: dict[Callable[..., Any], Any] = {}
        self._begun: dict[Future[Any], Any] = {}
        self._counted, self._cpus = 0.0, 0
        self._seen = time.monotonic()  # when there was a place
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> RayCrew:
        return self

    def __exit__(self, kind: object, error: object, where: object) -> None:
        self.close()

    def _prepare(self) -> None:
        """One worker on every machine unpacks the kit, so that each is checked and compiles once, before the rest."""
        waiting = {}
        for node in _nodes():
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            begun = self._function(_nothing).options(num_cpus=0, scheduling_strategy=there).remote(())
            waiting[begun] = node["NodeManagerAddress"]
        if not waiting:
            raise CrewError("No machine of this cluster has a processor to lend.")
        for begun, where in waiting.items():
            try:
                worked = ray.get(begun)
            except (*self.deaths, exceptions.TaskUnschedulableError):
                continue  # it is gone again
            except exceptions.RayError as error:
                raise CrewError(_cannot(where, error)) from None
            if worked.failure is not None:
                raise worked.failure

    def _function(self, work: Callable[..., Any]) -> Any:
        """What Ray calls for a batch of this work."""
        if work not in self._functions:
            kit, name = self.kit, self._name

            def work_there(tasks: Sequence[Any]) -> Worked[Any]:
                try:
                    _make_ready(kit, name)
                except CrewError as unfit:
                    return Worked([], 0.0, unfit)
                return labour(work, tasks)

            self._functions[work] = ray.remote(num_cpus=1, max_retries=0)(work_there)
        return self._functions[work]

    def places(self) -> int:
        now = time.monotonic()
        if now - self._counted > COUNT:
            self._counted = now
            self._cpus = sum(int(node["Resources"]["CPU"]) for node in _nodes())
            if self._cpus:
                self._seen = now
            elif now - self._seen > NOBODY:
                raise CrewError("No machine of the cluster is left to work.")
        return min(self._cpus, self.most or self._cpus)

    def begin(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Future[Worked[Done]]:
        begun = self._function(work).remote(tasks)
        future: Future[Worked[Done]] = Future()
        self._begun[future] = begun
        begun.future().add_done_callback(lambda back: self._hand_on(back, future))
        return future

    def _hand_on(self, back: Future[Worked[Done]], future: Future[Worked[Done]]) -> None:
        self._begun.pop(future, None)
        error = back.exception()
        if error is None:
            future.set_result(back.result())
        elif isinstance(error, self.deaths):
            future.set_exception(error)
        else:  # a machine that came later, and has nothing of ours
            future.set_exception(CrewError(_cannot("that came last", error)))

    def give_up(self) -> None:
        for begun in list(self._begun.values()):
            ray.cancel(begun, force=True)
        self._begun.clear()

    def close(self) -> None:
        ray.shutdown()


def _nothing(task: Any) -> None:
    """The work of a machine that is only looked at."""


def _cannot(where: str, error: object) -> str:
    why = printable(str(error)).strip().splitlines()
    return (
        f"The machine {where} of the cluster cannot work with this samizdat: {why[-1] if why else repr(error)}. "
        "Install the same version on every machine."
    )


def _nodes() -> list[dict[str, Any]]:
    """The machines that lend processors."""
    return [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]


def _connect(address: str, most: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    # A thread of Ray's prints the last words of machines that died on standard output, among our results.
    setattr(ray_worker, "print_to_stdstream", lambda *given, **named: None)  # noqa: B010 (nothing Ray promises)
    _check_reachable(address)
    local: dict[str, Any] = {"num_cpus": most, "include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, configure_logging=False, **local)
    except (OSError, ValueError, RuntimeError) as error:
        ray.shutdown()  # it may have come half of the way
        if "ersion mismatch" not in str(error):
            raise CrewError(_unreachable(address, str(error))) from None
        said = " ".join(printable(str(error)).split())
        raise CrewError(f"The cluster has another Ray or Python than this machine: {said}") from None


def _check_reachable(address: str) -> None:
    """Ray would wait long, and say much."""
    if address in OWN:
        return
    host, _, port = address.partition(":") if ":" in address else (address, "", str(PORT))
    if not host or not (port.isascii() and port.isdigit()):
        raise CrewError(
            f"{clip(address)} is no address of a cluster: write HOST:PORT, and run this on one of its machines."
        )
    try:
        with socket.create_connection((host, int(port)), REACH):
            pass
    except (OSError, UnicodeError, OverflowError) as error:
        raise CrewError(_unreachable(address, str(error))) from None


def _unreachable(address: str, why: str) -> str:
    last = printable(why).strip().splitlines()
    return (
        f"No Ray cluster answers at {clip(address)} ({last[0][:200] if last else 'it does not say why'}); "
        "`ray start --head` begins one."
    )

"""Whose turn it is at the processor: the order in which bots and hints get to think, and for how long.

Nothing here knows a process, a table or a clock. A job is plain data and the order a function of what waits, so that
worker processes which take their jobs from a database can go by the same rules.

A job is due some time after it was asked for: later if it is long, if nobody waits for it, and if its visitor has
others before it or was served a lot lately. Whatever is due first comes first. Every delay is bounded, so that each
job is due some day, and nothing asked for after that day can come before it: nobody starves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp2, inf

from samizdat.bots.thinking import LEAST

LENGTH = 3.0  # seconds later for every second of thinking: short before long
ALONE = 30.0  # seconds later where bots play among themselves: people first
NEXT = 3.0  # seconds later for each job of the same visitor that comes before: one each, then the next
MOST_SPENT = 30.0  # seconds later at most for what a visitor was served lately
HALF_LIFE = 30.0  # seconds after which half of that is forgotten
PATIENCE = 2.0  # seconds: whoever had no turn until then answers with less thought
ON_THE_WAY = 0.1  # seconds that a question and its answer take between processes


@dataclass(frozen=True)
class Job:
    """Something to think about."""

    visitor: str  # who is answerable for it: whoever opened the table, or asks for a hint
    asked: float  # when, in seconds of a clock that all jobs share
    seconds: float  # of thinking that it wants: by the level of a bot, never by what it holds
    person: bool  # whether a person waits for it
    until: float = inf  # when it must be thought through


def order(waiting: Sequence[Job], running: Sequence[Job], spent: Mapping[str, float]) -> list[int]:
    """The places of all jobs that wait, in the order of their turns. `spent`: what each visitor was served lately."""
    alone = [job.asked + LENGTH * job.seconds + (0.0 if job.person else ALONE) for job in waiting]
    before: defaultdict[str, int] = defaultdict(int)  # jobs of each visitor
    for job in running:
        before[job.visitor] += 1
    due = {}
    for place in sorted(range(len(waiting)), key=lambda place: alone[place]):
        visitor = waiting[place].visitor
        due[place] = alone[place] + NEXT * before[visitor] + min(spent.get(visitor, 0.0), MOST_SPENT)
        before[visitor] += 1
    return sorted(due, key=lambda place: due[place])


def allowance(job: Job, now: float) -> float:
    """The seconds that a job may think whose turn has come."""
    if now - job.asked > PATIENCE:
        return min(job.seconds, LEAST)
    return min(job.seconds, max(LEAST, job.until - ON_THE_WAY - now))


def share(job: Job, waiting: Sequence[Job], running: Sequence[Job], workers: int) -> float:
    """The part of its allowance that a job that runs, which is one of `running`, may use while others wait: as much
    for every visitor as for any other, and nothing for bots among themselves where a person waits."""
    rivals = [other for other in waiting if other.person or not job.person]
    if not rivals:
        return 1.0
    if not job.person and any(other.person for other in rivals):
        return 0.0
    rivals += [other for other in running if other.person or not job.person]
    visitors = {other.visitor for other in rivals}
    own = sum(other.visitor == job.visitor for other in rivals)
    return min(1.0, workers / (len(visitors) * own))


def left_of(spent: float, seconds: float) -> float:
    """What still counts, after some time, of what a visitor was served."""
    return spent * exp2(-seconds / HALF_LIFE)

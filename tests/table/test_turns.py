"""Whose turn it is at the processor: properties of the order, and whole afternoons on a clock that the test turns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from samizdat.bots.thinking import LEAST
from samizdat.table.pacing import THINKING
from samizdat.table.turns import ALONE, LENGTH, MOST_SPENT, NEXT, PATIENCE, Job, allowance, left_of, order, share

LONGEST = max(THINKING.values())
visitors = st.sampled_from("abcd")
moments = st.floats(0.0, 100.0)
jobs = st.builds(Job, visitors, moments, st.floats(0.0, LONGEST), st.booleans())
queues = st.lists(jobs, max_size=12)
served = st.dictionaries(visitors, st.floats(0.0, 1000.0))


@given(queues, queues, served)
def test_everybody_has_a_place(waiting: list[Job], running: list[Job], spent: dict[str, float]) -> None:
    assert sorted(order(waiting, running, spent)) == list(range(len(waiting)))


@given(queues, queues, served, st.lists(jobs, max_size=12))
def test_nobody_starves(waiting: list[Job], running: list[Job], spent: dict[str, float], late: list[Job]) -> None:
    """After some time, which follows from how many jobs of one's own come before, whatever others ask for from then
    on comes later, however little it is."""
    bound = LENGTH * LONGEST + ALONE + MOST_SPENT + NEXT * (len(waiting) + len(running))
    last = max((job.asked for job in waiting), default=0.0)
    newcomers = [replace(job, visitor="new " + job.visitor, asked=last + bound + job.asked + 1.0) for job in late]
    found = order([*newcomers, *waiting], running, spent)
    assert all(place >= len(newcomers) for place in found[: len(waiting)])


@given(queues, queues, moments, st.floats(0.0, LONGEST), st.floats(0.0, LONGEST))
def test_people_come_before_bots_among_themselves(
    waiting: list[Job], running: list[Job], asked: float, long: float, short: float
) -> None:
    two = [Job("x", asked, short, person=False), Job("y", asked, long, person=True)]
    found = order([*two, *waiting], running, {})
    assert found.index(1) < found.index(0)


@given(queues, queues, served, moments, st.floats(0.0, LONGEST), st.floats(0.01, LONGEST))
def test_short_comes_before_long(
    waiting: list[Job], running: list[Job], spent: dict[str, float], asked: float, short: float, more: float
) -> None:
    two = [Job("x", asked, short + more, person=True), Job("x", asked, short, person=True)]
    found = order([*two, *waiting], running, spent)
    assert found.index(1) < found.index(0)


@given(st.integers(1, 50), st.integers(0, 5), moments)
def test_however_much_one_visitor_asks_for_another_comes_second_at_the_latest(
    many: int, running: int, asked: float
) -> None:
    crowd = [Job("many", asked, LONGEST, person=True)] * many
    found = order([*crowd, Job("one", asked, LONGEST, person=True)], crowd[:1] * running, {})
    assert found.index(many) <= 1
    if running:
        assert found[0] == many


@given(moments, st.floats(0.1, MOST_SPENT))
def test_whoever_was_served_less_lately_comes_first(asked: float, much: float) -> None:
    two = [Job("much", asked, 1.0, person=True), Job("little", asked, 1.0, person=True)]
    assert order(two, [], {"much": much}) == [1, 0]
    assert left_of(much, 1000.0) < 1e-6, "it is forgotten"


@given(jobs, moments, st.floats(0.0, 20.0))
def test_a_bot_thinks_as_long_as_there_is_time_and_less_if_it_had_no_turn(job: Job, wait: float, left: float) -> None:
    now = job.asked + wait
    granted = allowance(replace(job, until=now + left), now)
    assert min(job.seconds, LEAST) <= granted <= job.seconds
    assert granted <= max(left, LEAST)
    if wait > PATIENCE:
        assert granted <= LEAST


@given(queues, st.lists(jobs, min_size=1, max_size=4))
def test_shares_of_the_processor(waiting: list[Job], running: list[Job]) -> None:
    workers = len(running)
    for job in running:
        part = share(job, waiting, running, workers)
        assert 0.0 <= part <= 1.0
        if not waiting:
            assert part == 1.0
        people = [one for one in waiting if one.person]
        if not job.person and people:
            assert part == 0.0
        if job.person and not people:
            assert part == 1.0, "bots among themselves take nothing from a person's"


def test_every_visitor_has_the_same_share() -> None:
    running = [Job("one", 0.0, LONGEST, person=True)]
    many = [Job("many", 0.0, LONGEST, person=True)] * 20
    assert share(running[0], many, running, 1) == 1 / 2
    assert share(many[0], [*many[1:], *running], many[:1], 1) == 1 / 40


# --- whole afternoons -------------------------------------------------------------------------------------


@dataclass
class Machine:
    """One processor that goes by the order; a bot that has answered is asked again at once, as in a match."""

    now: float = 0.0
    waiting: list[Job] = field(default_factory=list)
    spent: Counter[str] = field(default_factory=Counter)
    answered: list[tuple[Job, float]] = field(default_factory=list)

    def ask(self, visitor: str, level: str, person: bool = True) -> None:
        self.waiting.append(Job(visitor, self.now, THINKING[level], person, self.now + THINKING[level] + 0.25))

    def think(self) -> Job:
        """One job, from its turn to its answer: cut short to its share, as those who wait let it have."""
        job = self.waiting.pop(order(self.waiting, [], self.spent)[0])
        seconds = allowance(job, self.now)
        part = share(job, self.waiting, [job], 1)
        used = max(seconds * part, min(seconds, LEAST)) or 0.02
        self.now += used
        for visitor in self.spent:
            self.spent[visitor] = left_of(self.spent[visitor], used)
        self.spent[job.visitor] += used
        self.answered.append((job, self.now))
        return job

    def again(self, job: Job) -> None:
        self.waiting.append(replace(job, asked=self.now, until=self.now + job.seconds + 0.25))


def test_a_persons_novice_is_answered_soon_beside_twenty_tables_of_experts() -> None:
    """Of one address, three experts each; before, it waited for all of them: more than 150 seconds."""
    for person in (False, True):  # whether somebody sits at those tables
        machine = Machine()
        for _ in range(60):
            machine.ask("many", "expert", person)
        for turn in range(200):
            if turn % 10 == 5:
                machine.ask("one", "novice")
            job = machine.think()
            if job.visitor == "many":
                machine.again(job)
        waits = [when - job.asked for job, when in machine.answered if job.visitor == "one"]
        assert len(waits) == 20
        assert max(waits) < 1.0


def test_bots_among_themselves_go_on_beside_people_who_are_never_done() -> None:
    machine = Machine()
    for number in range(4):
        machine.ask(f"person {number}", "expert")
    machine.ask("alone", "expert", person=False)
    for _ in range(3000):
        machine.again(machine.think())
    alone = [when for job, when in machine.answered if job.visitor == "alone"]
    assert len(alone) > 10


def test_twenty_visitors_are_served_alike() -> None:
    machine = Machine()
    for number in range(20):
        machine.ask(str(number), "expert")
    machine.ask("0", "expert")
    for _ in range(1000):
        machine.again(machine.think())
    turns = Counter(job.visitor for job, _ in machine.answered)
    assert max(turns.values()) <= 2 * min(turns.values())

"""The report's part about choices: how often, what they are worth, and which reconstructed values stand out."""

from __future__ import annotations

from collections.abc import Sequence

from samizdat.lab.study import charts
from samizdat.lab.study.charts import Mark
from samizdat.lab.study.comparing import THERE, lines_of_choices
from samizdat.lab.study.counting import RECONSTRUCTED, Choices, Worth
from samizdat.lab.study.doubt import ENOUGH
from samizdat.lab.study.findings import Finding, number, percent, points, to_look_at
from samizdat.lab.study.parts import MOST_ROWS, Exhibit, Material, Section, plus, too_few, word

SAME_SEATS = "always the same seats"


def worth(told: Material) -> Section:
    figures = []
    for place, one in enumerate(told.choices):
        drawn = [worth for worth in one.worths if worth.times.value][:MOST_ROWS]
        if drawn:
            figures += [_often(told, place, one, drawn), _worth(told, place, one, drawn)]
    note = "what goes together with winning; it need not be the cause"
    return Section("What a choice is worth", note, figures)


def _often(told: Material, place: int, one: Choices, drawn: Sequence[Worth]) -> Exhibit:
    other = _times_there(told, one) if told.inquiry.compares else {}
    title = f"{one.tally.title}: how often"
    digits = 1 if drawn[0].times.value >= 1 else 2
    marks = [Mark(worth.label, worth.times, other=other.get(worth.label)) for worth in drawn]
    chart = charts.bars(marks, title, lambda value: number(value, digits))
    cut = f"; the {len(drawn)} most frequent of {len(one.worths)}" if len(drawn) < len(one.worths) else ""
    says = f"{one.tally.says}; " if one.tally.says else ""
    tick = f"; blue tick: {told.changed}" if other else ""
    decided = any(worth.taken is not None for worth in one.worths)
    printed = any(worth.source for worth in one.worths)
    head = ["", "times a match", *(["of those open"] if decided else []), *(["printed values"] if printed else [])]
    rows = []
    for thing in one.worths:
        row = [thing.label, plus(thing.times, 2)]
        row += ["" if thing.taken is None else percent(thing.taken)] if decided else []
        rows.append((*row, *([thing.source] if printed else [])))
    caption = f"{says}times a match, all seats{cut}{tick}; {told.n}"
    return Exhibit(f"often-{place + 1}", title, caption, chart, tuple(head), rows)


def _times_there(told: Material, one: Choices) -> dict[str, float]:
    """The same in the other arm."""
    there, title = told.inquiry.of(THERE), f"{one.tally.title}: "
    lines = lines_of_choices(told.inquiry.arms[THERE].setting.game(), told.speak)
    return {
        line.name.removeprefix(title): sum(map(line.of, there)) / len(there)
        for line in lines
        if there and line.name.startswith(title)
    }


def _worth(told: Material, place: int, one: Choices, drawn: Sequence[Worth]) -> Exhibit:
    title = f"{one.tally.title}: what it is worth"
    marks = [Mark(worth.label, worth.moves, 0.0, few=_unjudged(worth)) for worth in drawn]
    chart = charts.dots(marks, title, points, points, around=True, most=1.0)
    rows = []
    for thing in one.worths:
        numbers = (percent(thing.usual), percent(thing.usual + thing.moves.value),
                   f"{points(thing.moves.value)} ± {100 * thing.moves.half:.0f}")  # fmt: skip
        if _unjudged(thing):
            numbers = ("", "", "")
        said = _unjudged(thing) or word(thing.beyond, thing.moves.matches)
        rows.append((thing.label, *numbers, f"{thing.moves.matches:,}", said))
    caption = f"by how many of 100 matches those win more who have the most of it; of {told.n}"
    head = ("", "these seats win", "with most of it", "difference", "matches", "")
    return Exhibit(f"worth-{place + 1}", title, caption, chart, head, rows)


def _unjudged(worth: Worth) -> str:
    """Why nothing can be said of a thing; empty if something can."""
    if worth.moves.matches < ENOUGH:
        return too_few(worth.moves.matches)
    return SAME_SEATS if worth.same_seats else ""


def values(told: Material) -> Section:
    """What of the box nobody could read, and stands out."""
    texts = to_look_at(told.choices)
    if not texts and any(worth.source == RECONSTRUCTED for one in told.choices for worth in one.worths):
        texts = [Finding("Nothing stands out", "No component whose values were reconstructed goes beyond chance.")]
    return Section("Values to look at", "reconstructed components that stand out", [], texts)

"""The report's parts about several arms: before and after a change, and bots of different strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from samizdat.lab.study.comparing import (
    HERE,
    THERE,
    Moved,
    Of,
    compare,
    length,
    lines_of_choices,
    points_of_a_seat,
    winners_lead,
)
from samizdat.lab.study.counting import spread, wins_by_seat
from samizdat.lab.study.doubt import LEAST, mean, share
from samizdat.lab.study.findings import Finding, digits, number, percent, points, signed
from samizdat.lab.study.parts import (
    MOST_ROWS,
    Exhibit,
    Material,
    Section,
    means_figure,
    shares_figure,
    spread_figure,
)
from samizdat.lab.study.playing import Noted


def before_and_after(told: Material) -> Section:
    here, there = told.matches, told.inquiry.of(THERE)
    names = [arm.name for arm in told.inquiry.arms]
    deals = told.moved[0].change.matches
    everything = [float(one) for match in (*here, *there) for one in match.points]
    filled, outline = (
        spread([float(one) for match in matches for one in match.points], everything) for matches in (here, there)
    )
    caption = f"points of a seat; filled: {names[0]}, {len(here):,} matches · blue line: {names[1]}, {len(there):,}"
    chart = spread_figure("before-after", f"Before and after: {told.changed}", caption, filled, outline, names)
    figures = [replace(chart, below=_moved(told, "moved", f"What moved: {told.changed}", told.moved, deals))]
    known = {line.name for line in lines_of_choices(told.inquiry.arms[THERE].setting.game(), told.speak)}
    lines = [line for line in lines_of_choices(told.game, told.speak) if line.name in known]
    chosen = compare(lines, told.inquiry.matches)
    surely = sorted((one for one in chosen if one.weight), key=lambda one: -one.weight)
    texts = []
    if surely:
        note = f"times a match; the largest of {len(surely)} that moved, of {len(chosen)} things"
        figures.append(_moved(told, "moved-choices", "What is chosen otherwise", surely[:MOST_ROWS], deals, note))
    else:
        text = f"Of {len(chosen)} things none is chosen more or less often for sure ({deals:,} deals)."
        texts.append(Finding("What is chosen otherwise", text))
    note = "the same luck in both; the intervals hold whenever one looks, all lines together"
    if told.inquiry.stopped:
        note = "stopped when all lines were settled; the intervals hold in spite of it"
    return Section("Before and after", note, figures, texts)


def _moved(
    told: Material, name: str, title: str, lines: Sequence[Moved], deals: int, note: str = ""
) -> Exhibit:  # fmt: skip
    rows = []
    for one in lines:
        if one.line.share:
            change = f"{points(one.change.value)} ± {100 * one.change.half:.0f}"
            rows.append((one.line.name, percent(one.before), percent(one.after), change, one.words))
        else:
            fine = digits(one.before, one.after)
            half = number(one.change.half, fine) if deals >= LEAST else "…"
            change = f"{signed(one.change.value, fine)} ± {half}"
            rows.append((one.line.name, number(one.before, fine), number(one.after, fine), change, one.words))
    caption = f"{note or 'differences within their ± could be chance'}; {deals:,} deals, each played twice"
    names = [arm.name for arm in told.inquiry.arms]
    return Exhibit(name, title, caption, None, ("", *names, "difference", ""), rows, open=True)


def strengths(told: Material) -> Section:
    """The same deals played by bots of different strength, each among its like."""
    played = [(str(arm.bot), told.inquiry.of(place)) for place, arm in enumerate(told.inquiry.arms)]
    played = [(name, matches) for name, matches in played if matches]
    names, rows = [name for name, _ in played], len(played)
    many = ", ".join(f"{len(matches):,}" for _, matches in played)
    caption = f"each bot among its like, on the same deals; {many} matches"
    figures = []
    won = wins_by_seat(played[HERE][1])
    favourite = max(range(told.game.players), key=lambda seat: won[seat].value)
    shares: list[tuple[str, Of, float | None]] = []
    if told.game.definition.all_may_lose or told.game.players == 1:
        shares.append(("Lost by all", _lost, None))
    if told.game.players > 1:
        lost = any(map(_lost, told.inquiry.matches))
        even = None if lost else 1 / told.game.players  # what all lose is nobody's, and not alike for all bots
        shares.append((f"Wins of {told.seats[favourite]}", lambda one: one.shares[favourite], even))
        shares.append(("Wins of who leads at half-time", _half_time, even))
    for place, (title, of, fair) in enumerate(shares):
        values = [share([of(one) for one in matches], rows) for _, matches in played]
        figures.append(shares_figure(f"strength-share-{place + 1}", title, caption, names, values, fair))
    means: list[tuple[str, Of]] = [(f"Length in {told.unit}", length), ("Points of a seat", points_of_a_seat)]
    if told.game.players > 1:
        means.append(("Lead of the winner", winners_lead))
    for place, (title, of) in enumerate(means):
        values = [mean([of(one) for one in matches], rows) for _, matches in played]
        if any(one.value for one in values):  # points that add up to nothing say nothing
            figures.append(means_figure(f"strength-mean-{place + 1}", title, caption, names, values))
    return Section("What bots of different strength make of it", "", figures)


def _lost(one: Noted) -> float:
    return float(1 not in one.ranks)


def _half_time(one: Noted) -> float:
    """The share of the win of those who are ahead at half of the match; several have it together."""
    if not one.ahead:
        return 0.0
    mask = one.ahead[max(0, -(-len(one.ahead) // 2) - 1)]
    return sum(share for seat, share in enumerate(one.shares) if (mask >> seat) & 1) / mask.bit_count()

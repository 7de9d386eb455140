"""Revolution!: how the town is laid out. Lengths are units of a plan that is stretched to the width of the page."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH, HEIGHT = 1000, 700
SHORE = 520  # where the water begins
BERTH = 662  # the height at which followers wait who are not in town yet

# Pixels: pieces keep their size when the plan is stretched.
PITCH = 33  # from one space to the next
FIRST_ROW = 43  # below an area's name
BESIDE_NUMBER = -13  # the follower on the quay, left of the number of all that wait there


@dataclass(frozen=True)
class Plot:
    """A piece of land: its outline, its pattern, where its name stands, and how many spaces stand side by side."""

    outline: str
    x: int
    y: int
    across: int
    pattern: str = ""


PLOTS = {
    "fortress": Plot("20,20 300,20 335,120 268,255 20,232", 160, 76, 4, "diag"),
    "town_hall": Plot("320,20 652,20 628,215 300,232 352,122", 490, 70, 4),
    "cathedral": Plot("672,20 980,20 980,232 648,222", 822, 76, 4, "dots"),
    "tavern": Plot("20,252 300,276 286,436 20,434", 158, 310, 4),
    "market": Plot("320,278 318,250 634,236 648,330 602,440 306,438", 472, 288, 3),
    "plantation": Plot("652,242 980,252 980,446 620,436 668,332", 818, 298, 3, "tick"),
    "harbor": Plot("20,454 600,460 980,466 980,572 700,584 560,606 330,590 20,584", 480, 496, 6, "horiz"),
}


def plots(areas: tuple[str, ...]) -> list[Plot]:
    """The land of each area of a box; areas we do not know take the land that is left."""
    free = [plot for id, plot in PLOTS.items() if id not in areas]
    return [PLOTS[id] if id in PLOTS else free.pop(0) for id in areas]


def spaces(plot: Plot, number: int) -> list[tuple[float, float]]:
    """Where an area's spaces are, in pixels from its name: in rows, each of them centred."""
    across = max(plot.across, -(-number // 2))
    pitch = PITCH * plot.across / across
    rows = [min(across, number - first) for first in range(0, number, across)]
    return [
        (round((column - (length - 1) / 2) * pitch, 1), FIRST_ROW + row * PITCH)
        for row, length in enumerate(rows)
        for column in range(length)
    ]


def percent(units: float, whole: int) -> float:
    return round(100 * units / whole, 2)


def berth(seat: int, seats: int) -> dict[str, float]:
    """Where a seat's followers wait along the quay, and where the one stands beside the number of them."""
    x = percent(WIDTH * (2 * seat + 1) / (2 * seats), WIDTH)
    return {"x": x, "y": percent(BERTH, HEIGHT), "dx": BESIDE_NUMBER, "dy": 0}

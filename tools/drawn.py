"""What link previews and the installed app are drawn with, written anew: python -m tools.drawn

Letters: the drawer of link previews reads no compressed fonts, so the poster's and the typewriter's faces are
unpacked and their alphabets laid together (`pip install fonttools brotli`), with how wide each letter is, so that
lines can be broken without opening a font. Icons: the app's sign in the sizes that phones ask for.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import resvg_py
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

TABLE = Path(__file__).resolve().parents[1] / "samizdat" / "table"
LETTERS, STATIC = TABLE / "letters", TABLE / "static"
FACES = {
    "poster": [f"sofia-sans-extra-condensed-{part}-800-normal" for part in ("latin", "latin-ext", "cyrillic")],
    "typed": [f"ibm-plex-mono-{part}-400-normal" for part in ("latin", "latin-ext")],
}
ICONS = {"icon-192.png": (192, 0), "icon-512.png": (512, 0), "icon-maskable.png": (512, 6), "icon-180.png": (180, 3)}


def letters() -> None:
    widths = {}
    with tempfile.TemporaryDirectory() as folder:
        for face, names in FACES.items():
            loose = []
            for name in names:
                font = TTFont(STATIC / "fonts" / f"{name}.woff2")
                font.flavor = None
                loose.append(f"{folder}/{name}.ttf")
                font.save(loose[-1])
            whole = Merger().merge(loose)
            for line in whole["name"].names:  # one family of its own: nobody's fonts of the same name come in between
                if line.nameID in (1, 4, 16):
                    line.string = f"Samizdat {face}"
            whole.save(LETTERS / f"{face}.ttf")
            size, advance = whole["head"].unitsPerEm, whole["hmtx"]
            widths[face] = {
                chr(code): round(advance[glyph][0] / size, 3) for code, glyph in sorted(whole.getBestCmap().items())
            }
    (LETTERS / "widths.json").write_text(json.dumps(widths, ensure_ascii=False, indent=0, sort_keys=True) + "\n")


def icons() -> None:
    """A mask may take a fifth of each edge: the sign has ground around it then."""
    sign = (STATIC / "icon.svg").read_text()
    inside = sign.partition(">")[2].removesuffix("</svg>\n").removesuffix("</svg>")
    for name, (size, edge) in ICONS.items():
        box = f'viewBox="{-edge} {-edge} {32 + 2 * edge} {32 + 2 * edge}"'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inside}</svg>'
        png = resvg_py.svg_to_bytes(
            svg_string=svg, width=size, height=size, background="#1C1B20", skip_system_fonts=True
        )
        (STATIC / name).write_bytes(bytes(png))


if __name__ == "__main__":
    LETTERS.mkdir(exist_ok=True)
    letters()
    icons()

// Places that are spoken of are framed in carbon dashes, over whatever board it is; "a>b" is an arrow.
import { bow } from "./arrows.js";
import { all, byId, made } from "./dom.js";
import { bring } from "./sight.js";

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 4; // pixels between a thing and its frame
const shade = made("div", "", "lights");
shade.setAttribute("aria-hidden", "true");
document.body.append(shade);
let steady = []; // what is told of
let glanced = null; // what is looked at instead, for a moment

// Where something is drawn; a seat that lies in a folded sheet is in the bar, too.
function box(id) {
  for (const element of [byId(id), byId(id.replace(/^seat-/, "stub-"))]) {
    // Of a place with its name beside it, the place.
    const found = (element?.querySelector(".hit, .spot") ?? element)?.getBoundingClientRect();
    if (found && (found.width || found.height)) return found;
  }
  return null;
}

function frame({ left, top, width, height }) {
  const ring = made("i", "", "ring");
  const sizes = { left: left - ROOM, top: top - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM };
  for (const [name, value] of Object.entries(sizes)) ring.style[name] = `${value}px`;
  return ring;
}

function arrow(mark) {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const [from, to] = mark.split(">").map(box);
  if (!from || !to) return [];
  const drawing = document.createElementNS(SVG, "svg");
  const [line, head] = bow(middle(from), middle(to));
  for (const [name, d] of [["under", line], ["line", line], ["head", head]]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    drawing.append(path);
  }
  return [drawing];
}

function draw() {
  const lit = glanced ?? steady;
  const frames = lit.filter((mark) => !mark.includes(">")).map(box).filter(Boolean).map(frame);
  shade.replaceChildren(...frames, ...lit.filter((mark) => mark.includes(">")).flatMap(arrow));
}

export function light(marks) {
  steady = marks;
  bring(marks.map(byId).filter(Boolean));
  draw();
}

function glance(marks) {
  glanced = marks;
  draw();
}

// A line of the record lights up what it speaks of, while it is pointed at.
for (const [begin, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(begin, (event) => {
    const line = event.target.closest?.("#record [data-lights]");
    if (line) glance(line.dataset.lights.split(" ").filter(Boolean));
  });
  document.addEventListener(end, (event) => {
    if (event.target.closest?.("#record [data-lights]")) glance(null);
  });
}
addEventListener("resize", draw);
addEventListener("scroll", draw, { capture: true, passive: true });
for (const rub of all(".fit .rub")) new ResizeObserver(draw).observe(rub);

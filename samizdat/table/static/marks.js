// Numbers and frames drawn over a board: what is advised, or what would have been better. They take no press.
import { byId, made } from "./dom.js";

let drawn = []; // each mark: its element, what it lies on, and its neighbours there
let arrows = [];
let layer = null;
let alone = null; // the number of the only mark that is shown

const WIDE = 26; // pixels of a number

function canvas() {
  if (layer) return layer;
  layer = made("div", "", "marks");
  layer.setAttribute("aria-hidden", "true");
  layer.innerHTML = '<svg><defs><marker id="mark-tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10Z"/></marker></defs></svg>';
  document.body.append(layer);
  return layer;
}

// The part of an element that can be seen: inside everything around it that cuts off what is too long.
function sight(element) {
  const whole = element.querySelector(":scope > .at")?.getBoundingClientRect() ?? element.getBoundingClientRect();
  let [left, top, right, bottom] = [whole.left, whole.top, whole.right, whole.bottom];
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === "visible" || around === document.documentElement) continue;
    const box = around.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { left, top, width: right - left, height: bottom - top, seen: right - left > 4 && bottom - top > 4 };
}

function place() {
  if (!drawn.length) return;
  for (const { frame, number, element, beside } of drawn) {
    const box = element.isConnected ? sight(element) : { seen: false };
    const hidden = !box.seen || (alone !== null && frame.dataset.number !== alone);
    frame.hidden = number.hidden = hidden;
    if (hidden) continue;
    Object.assign(frame.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    const x = Math.max(2, Math.min(box.left - 8 + beside * WIDE, innerWidth - WIDE - 2));
    Object.assign(number.style, { left: `${x}px`, top: `${Math.max(2, box.top - 10)}px` });
  }
  for (const { line, from, to, number } of arrows) {
    const [a, b] = [from, to].map((element) => (element.isConnected ? sight(element) : { seen: false }));
    const shown = a.seen && b.seen && (alone === null || number === alone);
    line.setAttribute("visibility", shown ? "visible" : "hidden");
    if (!shown) continue;
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    const [[x1, y1], [x2, y2]] = [middle(a), middle(b)];
    const [bend, far] = [Math.hypot(x2 - x1, y2 - y1) / 6, Math.hypot(x2 - x1, y2 - y1) || 1];
    const [cx, cy] = [(x1 + x2) / 2 + bend * (y2 - y1) / far, (y1 + y2) / 2 - bend * (x2 - x1) / far];
    line.setAttribute("d", `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}`);
  }
  requestAnimationFrame(place);
}

// Groups of { number, ids, from, kind }: each id of the page gets a frame and the number of its group.
export function draw(groups) {
  clear();
  const taken = new Map(); // how many numbers stand at an element
  for (const { number, ids, elements = [], from, kind = "" } of groups) {
    const found = [...ids.map(byId).filter(Boolean), ...elements];
    for (const element of found) {
      const beside = taken.get(element) ?? 0;
      taken.set(element, beside + 1);
      const frame = made("i", "", `frame ${kind}`);
      const label = made("b", number, `number ${kind}`);
      frame.dataset.number = label.dataset.number = number;
      canvas().append(frame, label);
      drawn.push({ frame, number: label, element, beside });
    }
    const origin = from && byId(from);
    if (origin && found.length) {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", kind);
      line.setAttribute("marker-end", "url(#mark-tip)");
      canvas().firstElementChild.append(line);
      arrows.push({ line, from: origin, to: found[0], number });
    }
  }
  place();
}

// Only the marks of one number, or all of them again.
export function only(number) {
  alone = number;
}

export function clear() {
  for (const { frame, number } of drawn) { frame.remove(); number.remove(); }
  for (const { line } of arrows) line.remove();
  drawn = [];
  arrows = [];
  alone = null;
}

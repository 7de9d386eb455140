// Asking with the keyboard. Not everything that means something can be chosen: asking goes through all of it.
import { about } from "./answers.js";
import { close, outline, pointed, show } from "./answering.js";
import { fold, legend } from "./beside.js";
import { $ } from "./dom.js";
import { ABOUT, aside, everything, meant } from "./meaning.js";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TYPED = "input:not([type=radio], [type=checkbox], [type=range]), select, textarea, dialog";
let standing = false; // the focus is being moved from here
let lent = null; // what was given a place for the keyboard, for as long as it is asked about

function rest() {
  pointed.asking = false;
  lent?.removeAttribute("tabindex");
  lent = null;
}

function stand(element) {
  const old = lent;
  const takes = element.hasAttribute("tabindex") || element.matches("a, button, input");
  lent = takes ? null : element;
  lent?.setAttribute("tabindex", "-1");
  standing = true;
  element.focus({ preventScroll: true });
  standing = false;
  pointed.asking = true;
  if (old !== lent) old?.removeAttribute("tabindex");
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  show(element);
}

const middle = (element) => { const at = outline(element); return [at.left + at.width / 2, at.top + at.height / 2]; };

// The next thing in a direction: near, and not far to the side.
function neighbour(element, [dx, dy]) {
  const [x, y] = middle(element);
  const away = (other) => {
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    return along < 2 ? Infinity : along + 2.5 * (Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx));
  };
  const found = everything().map((other) => [away(other), other]).filter(([far]) => far < Infinity);
  return found.reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity, null])[1];
}

const here = () => pointed.at ?? meant(document.activeElement) ?? everything()[0];

// From what is asked about to the next; what went away while others decided is where one begins anew.
function step(way) {
  const next = pointed.at ? neighbour(pointed.at, way) : here();
  if (next) stand(next);
}

function ask() {
  const from = here();
  if (!pointed.asking) return void (from && stand(from));
  close();
  rest();
}

// Whether a key closed what was open.
function escape() {
  if (about.hidden) return fold();
  close();
  rest();
  return true;
}

const LETTERS = { i: ask, l: legend, r: () => $("cite a", about)?.click() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPED)) return;
  const asks = pointed.asking && WAYS[event.key];
  if (asks) step(WAYS[event.key]);
  else if (event.key === "Escape" ? !escape() : !LETTERS[event.key.toLowerCase()]) return;
  else if (event.key !== "Escape") LETTERS[event.key.toLowerCase()]();
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("focusin", (event) => {
  const node = event.target;
  if (aside(node) || aside(event.relatedTarget) || standing) return; // who comes back from a rule asks nothing
  if (pointed.asking) rest();
  const seen = node.matches(":focus-visible");
  const found = meant(node) ?? (seen ? node.querySelector(`:scope > ${ABOUT}`) : null);
  if (found && seen) show(found);
  else if (!about.matches(":hover") && !pointed.at?.contains(node)) close(); // a finger that stays focuses, too
});

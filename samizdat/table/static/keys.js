// The keyboard.
import { choose, DECIDES } from "./choosing.js";
import { $, byId } from "./dom.js";
import { neighbour, PLACES, point } from "./focus.js";
import { shown, telling } from "./here.js";
import { closeHint } from "./hints.js";
import { open } from "./lane.js";
import { hurried, hurryUp } from "./pausing.js";
import { showTab } from "./sheet.js";
import { curtain, skip } from "./telling.js";

const TAPPING = 500; // milliseconds
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let tapped = -Infinity; // when a key last went on to the next revelation
export const tapping = () => performance.now() - tapped < TAPPING;

const LETTERS = {
  u: () => $("[data-undo]")?.click(),
  s: () => $("[data-seal]")?.click(),
  h: () => $("[data-hint]")?.click(),
  b: () => point($(PLACES)),
  n: () => $("[data-next-table]")?.click(),
  c: () => { showTab("choices"); point($("#choices button")); },
  "?": () => byId("keys")?.showModal(),
};

// Whether something that was open has been closed.
function escape() {
  if (hurried() && !curtain.hidden) $("[data-skip]", curtain).click();
  else if (open()) skip();
  else if (closeHint()) $("[data-hint]")?.focus();
  else if (shown.past !== null) $("#status [data-history=now]")?.click();
  else return false;
  return true;
}

// Enter or the space bar on something; whether it was on a choice.
function press(event) {
  const target = event.target;
  if (curtain.contains(target)) tapped = performance.now();
  if (!target.matches(DECIDES)) return false;
  // A key held down is one decision, too; and who taps through revelations has not decided.
  const slip = event.repeat || tapping();
  if (slip || target.tagName !== "BUTTON") event.preventDefault();
  if (!slip && target.tagName !== "BUTTON") choose(target);
  return true;
}

// An arrow; whether it led from one place to another.
function step(event) {
  if (!ARROWS[event.key] || !event.target.matches(PLACES)) return false;
  const next = neighbour(event.target, ARROWS[event.key]);
  if (next) event.preventDefault();
  point(next);
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  if ((event.key === "Escape" || (event.key === "End" && shown.past !== null)) && escape()) return void event.preventDefault();
  if (curtain.hidden && !event.target.closest("#lane")) hurryUp();
  const presses = event.key === "Enter" || event.key === " ";
  if ((presses && press(event)) || step(event) || telling()) return;
  LETTERS[event.key.toLowerCase()]?.();
});

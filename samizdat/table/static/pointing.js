// Pointing answers: whatever carries a meaning says what it is when a pointer rests on it, a finger stays on it, or the
// keyboard stands on it. What it says is asked of the server, which knows what this seat may know.
import { close, pointed, show } from "./answering.js";
import { about } from "./answers.js";
import "./beside.js";
import { aside, meantAt } from "./meaning.js";
import "./questions.js";

const REST = 300; // ms that a pointer rests before something answers
const PRESS = 450; // ms that a finger stays
const LEAVE = 220; // ms to go from something to its answer
let timer;

// --- mouse: a pointer that rests on something asks about it ------------------------------------------------

document.addEventListener("pointermove", (event) => {
  if (event.pointerType === "touch") return;
  clearTimeout(timer);
  const { target: node, clientX: x, clientY: y } = event;
  if (node.closest?.("#about")) return;
  timer = setTimeout(() => {
    const found = meantAt(x, y, node);
    if (found && (found !== pointed.at || about.hidden)) show(found, node);
    else if (!found && pointed.at && !pointed.asking) close();
  }, pointed.at ? LEAVE : REST);
});
document.documentElement.addEventListener("pointerleave", (event) => {
  if (event.pointerType === "touch") return; // a finger that is lifted leaves, too
  clearTimeout(timer);
  if (!pointed.asking) close();
});

// --- finger: a tap decides, a finger that stays asks -------------------------------------------------------

let pressed = false; // a long press has answered: lifting the finger decides nothing
let from = null;

document.addEventListener("pointerdown", (event) => {
  clearTimeout(timer);
  pressed = false;
  if (aside(event.target)) return;
  close();
  if (event.pointerType === "mouse" || !event.isPrimary) return;
  from = [event.clientX, event.clientY];
  const found = meantAt(...from, event.target);
  if (found) timer = setTimeout(() => { pressed = true; show(found, event.target); }, PRESS);
}, true);
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch" || !from || pressed) return;
  if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 8) clearTimeout(timer);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => { if (event.pointerType !== "mouse" && !pressed) clearTimeout(timer); }, true);
}
document.addEventListener("contextmenu", (event) => { if (pressed) event.preventDefault(); });
document.addEventListener("click", (event) => {
  if (!pressed) return;
  pressed = false;
  if (aside(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

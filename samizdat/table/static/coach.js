// The guide of a first game, or of a scene: a slip beside what it speaks of, and a pencil ring around that. Nothing is
// veiled, and no slip lies on what can be chosen. What it says comes from the server, which knows the position.
import { over, page } from "./here.js";
import { draw as mark } from "./marks.js";
import { erase, leader, ring } from "./pencil.js";
import { pressed as press } from "./pressed.js";
import { showTab } from "./sheet.js";

const place = document.getElementById("guide");
const { path, seat } = page.dataset;
const { asks } = place.dataset; // "tour" or "scene"
const small = matchMedia("(max-width: 719px)");
const GAP = 34; // pixels between the ring and the slip

// --- asking ----------------------------------------------------------------------------------------------

// While it is told what happened, or the past is looked at, the slip waits.
const busy = () => page.classList.contains("telling") || page.classList.contains("past");

let asking = Promise.resolve();
function ask(change = {}) {
  if (asks === "tour" && over()) finish();
  else if (!busy()) asking = turn(asking, change);
}

// At the end of the match the guide has nothing more to say, and the score sheet wants to be read.
function finish() {
  place.replaceChildren();
  draw();
}

// One after the other: a step that is asked for twice comes once.
async function turn(before, change) {
  await before;
  const answer = await fetch(`${path}/${asks}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ seat: Number(seat), ...change }),
  }).catch(() => null);
  if (!answer?.ok || answer.status === 204) return;
  const html = await answer.text();
  if (place.dataset.html !== html) {
    place.dataset.html = html;
    const held = place.contains(document.activeElement);
    place.innerHTML = html;
    if (held) place.querySelector("[data-turn]:last-of-type, [data-unfold]")?.focus({ preventScroll: true });
    uncover();
  }
  draw();
  show();
}

// The answer of a scene, drawn as a hint is: on its places of the board, or else on its button.
function show() {
  const marks = JSON.parse(place.querySelector(".coach")?.dataset.marks ?? "null");
  if (!marks) return;
  mark(marks.map(({ ids, move, from }, number) => ({
    number: String(number + 1),
    ids,
    elements: ids.length ? [] : [...document.querySelectorAll("#status [data-move]")].filter((one) => one.dataset.move === move),
    from,
  })));
}

place.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.form) return; // it leads elsewhere
  if (button.dataset.do) ask({ act: button.dataset.do });
  else if (button.dataset.turn) ask({ step: Number(button.dataset.turn) });
  else ask({ folded: "fold" in button.dataset });
  asking.finally(press(button));
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-guide]")) { ask({ folded: false }); return; }
  const slip = place.querySelector(".coach");
  const pressed = slip?.dataset.pressed.split(" ").filter(Boolean) ?? [];
  if (pressed.some((id) => event.target.closest(`#${CSS.escape(id)}`))) ask({ step: Number(slip.dataset.step) + 1 });
});

// What a new slip points at may lie in a section that is folded away.
function uncover() {
  const ids = place.querySelector(".coach")?.dataset.at.split(" ") ?? [];
  const found = ids.map((id) => document.getElementById(id)).filter(Boolean);
  if (!found.length || found.some((one) => one.getBoundingClientRect().width)) return;
  const tab = found[0].closest("[data-tab]") ?? found[0].querySelector("[data-tab]");
  if (tab) showTab(tab.dataset.tab);
}

// --- drawing ---------------------------------------------------------------------------------------------

// The room around everything that a slip points at; what a tab hides has none.
function around(ids) {
  const boxes = ids.map((id) => document.getElementById(id)?.getBoundingClientRect()).filter((box) => box?.width && box.height);
  if (!boxes.length) return null;
  const left = Math.max(2, Math.min(...boxes.map((box) => box.left)));
  const top = Math.max(2, Math.min(...boxes.map((box) => box.top)));
  const right = Math.min(innerWidth - 2, Math.max(...boxes.map((box) => box.right)));
  const bottom = Math.min(innerHeight - 2, Math.max(...boxes.map((box) => box.bottom)));
  return right > left && bottom > top ? { left, top, right, bottom, width: right - left, height: bottom - top } : null;
}

// Beside its target, on the side where it covers the fewest choices, and as little as can be of the target itself; on a
// phone above the tabs or below the status line.
function put(slip, box) {
  const { offsetWidth: width, offsetHeight: height } = slip;
  const fit = (value, size, room) => Math.max(8, Math.min(value, room - size - 8));
  const tabs = document.getElementById("tabs").getBoundingClientRect().top;
  const docked = [[0, tabs - height - 8], [0, document.getElementById("status").getBoundingClientRect().bottom + 6]];
  const corners = [[innerWidth, innerHeight], [0, innerHeight], [innerWidth, 0]];
  const tries = small.matches ? docked : box ? [...beside(box, width, height), ...corners] : corners;
  const choices = [...document.querySelectorAll("#board .legal, #hand .legal, #status button, #tray button, #choices button, [data-open]:not([data-open=''])")]
    .map((one) => one.getBoundingClientRect()).filter((one) => one.width);
  const covered = (x, y, one) => Math.max(0, Math.min(x + width, one.right) - Math.max(x, one.left))
    * Math.max(0, Math.min(y + height, one.bottom) - Math.max(y, one.top));
  const cost = ([x, y]) => choices.reduce((sum, one) => sum + covered(x, y, one), 0) * 4 + (box ? covered(x, y, box) : 0);
  const inside = tries.map(([x, y]) => [fit(x, width, innerWidth), fit(y, height, innerHeight)]);
  const best = inside.reduce((least, one) => (cost(one) < cost(least) - 1 ? one : least));
  [slip.style.left, slip.style.top] = best.map((at) => `${at}px`);
}

function beside(box, width, height) {
  const middle = box.top + box.height / 2 - height / 2;
  const centre = box.left + box.width / 2 - width / 2;
  return [
    [box.right + GAP, middle], [box.left - GAP - width, middle], [centre, box.bottom + GAP], [centre, box.top - GAP - height],
    [innerWidth, box.top], [0, box.top],
  ];
}

function draw() {
  erase();
  const slip = place.querySelector(".coach");
  if (!slip || busy()) {
    if (slip) slip.hidden = true;
    return;
  }
  slip.hidden = false;
  const box = around(slip.dataset.at.split(" "));
  slip.style.left = slip.style.top = "";
  put(slip, box);
  if (!box) return;
  ring(box);
  if (!small.matches) leader(slip.getBoundingClientRect(), box);
}

// --- whenever the table changes ----------------------------------------------------------------------------

let soon;
const changed = () => { clearTimeout(soon); soon = setTimeout(() => ask(), 60); };
new MutationObserver(changed).observe(page, { childList: true, subtree: true, characterData: true });
new MutationObserver(draw).observe(page, { subtree: true, attributes: true, attributeFilter: ["class", "data-on", "data-sheet"] });
addEventListener("resize", draw);
document.addEventListener("scroll", draw, true);
document.fonts.ready.then(draw);
ask();

// Pointing answers: whatever carries a meaning says what it is when a pointer rests on it, a finger stays on it, or the
// keyboard stands on it. What it says is asked of the server, which knows what this seat may know.

const box = document.getElementById("about"); // what is pointed at
const aside = document.getElementById("beside"); // the legend, or a rule
const spoken = document.getElementById("about-spoken");
const home = document.getElementById("table") ?? document.getElementById("replay");
const narrow = matchMedia("(max-width: 1099px)");
const REST = 300; // ms that a pointer rests before something answers
const PRESS = 450; // ms that a finger stays
const LEAVE = 220; // ms to go from something to its answer
const ABOUT = "[data-about]";
const shows = (element) => element.getClientRects().length > 0 && element.checkVisibility?.({ visibilityProperty: true }) !== false;

// --- asking ----------------------------------------------------------------------------------------------

// A past step, a draft, a replay: the board itself says which position it shows.
function question(target) {
  const asked = new URLSearchParams({ what: target.dataset.about });
  const now = new URLSearchParams(location.search);
  if (!box.dataset.path.endsWith("/replay")) {
    asked.set("step", document.getElementById("status").dataset.step);
    if (home.dataset.seat !== "") asked.set("seat", home.dataset.seat);
    return `${box.dataset.path}/about?${asked}`;
  }
  const eyes = target.closest("[data-through]")?.dataset.through ?? now.get("seat");
  if (eyes) asked.set("seat", eyes);
  return `${box.dataset.path}/${now.get("step") ?? 0}/about?${asked}`;
}

const answers = new Map(); // of the position that is shown
async function ask(address) {
  if (!answers.has(address)) {
    answers.set(address, fetch(address).then((answer) => (answer.ok ? answer.text() : "")).catch(() => {
      answers.delete(address); // the next time the table may be reached again
      return "";
    }));
  }
  return answers.get(address);
}

const lasting = new Map(); // legend and rules: the same for the whole match
async function fetched(address) {
  if (!lasting.has(address)) {
    lasting.set(address, fetch(address).then((answer) => (answer.ok ? answer.text() : "")).catch(() => ""));
  }
  const html = await lasting.get(address);
  if (!html) lasting.delete(address);
  return html;
}

// What changes on the board changes what its pieces say.
for (const id of ["board", "hand", "seats"]) {
  const part = document.getElementById(id);
  if (part) new MutationObserver(() => { answers.clear(); if (target && !target.isConnected) close(); }).observe(part, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-about", "class", "aria-label"] });
}

// --- showing ---------------------------------------------------------------------------------------------

let target = null; // what is pointed at
let timer;
let asking = false; // going from thing to thing with the keyboard
let lent = null; // what was given a place for the keyboard, for as long as it is asked about

// The sign under the pointer says what it means, too, if the legend has it.
async function sign(under) {
  const use = under?.closest("svg")?.querySelector("use");
  const name = (under?.matches("use") ? under : under?.closest("svg.g") ? use : null)?.getAttribute("href")?.slice(3);
  if (!name) return "";
  const legend = document.createElement("template");
  legend.innerHTML = await fetched(box.dataset.legend);
  const row = legend.content.querySelector(`[data-sign="${name}"]`);
  return row ? `<p class="sign">${row.querySelector("dt").innerHTML}<span>${row.querySelector("dd").innerHTML}</span></p>` : "";
}

async function show(element, under = null) {
  clearTimeout(timer);
  if (target !== element) unmark();
  target = element;
  const [html, meaning] = await Promise.all([ask(question(element)), sign(under)]);
  if (target !== element || !element.isConnected) return;
  if (!html) return void close();
  box.innerHTML = html;
  if (meaning) box.querySelector("header").insertAdjacentHTML("afterend", meaning);
  box.hidden = false;
  element.setAttribute("data-pointed", "");
  if (document.activeElement?.matches(":focus-visible") && (element.contains(document.activeElement) || document.activeElement.contains(element))) {
    document.activeElement.setAttribute("aria-describedby", "about");
  }
  if (asking) spoken.textContent = [...box.querySelectorAll("strong, header span, p")].map((part) => part.textContent.trim()).join(". ");
  place(element);
}

function unmark() {
  for (const old of document.querySelectorAll("[data-pointed]")) old.removeAttribute("data-pointed");
  for (const old of document.querySelectorAll("[aria-describedby=about]")) old.removeAttribute("aria-describedby");
}

function close() {
  clearTimeout(timer);
  unmark();
  target = null;
  box.hidden = true;
  spoken.textContent = "";
}

// Beside what is pointed at: right, left, below, above; wherever there is room. On a phone above the tabs.
function place(element) {
  box.style.left = box.style.top = "";
  if (narrow.matches) return;
  const gap = 10;
  const at = outline(element);
  const { offsetWidth: w, offsetHeight: h } = box;
  const into = (low, size, room) => Math.max(8, Math.min(low, room - size - 8));
  const tries = [
    [at.right + gap, into(at.top, h, innerHeight)],
    [at.left - gap - w, into(at.top, h, innerHeight)],
    [into(at.left, w, innerWidth), at.bottom + gap],
    [into(at.left, w, innerWidth), at.top - gap - h],
  ];
  const fits = ([x, y]) => x >= 8 && y >= 8 && x + w <= innerWidth - 8 && y + h <= innerHeight - 8;
  const [x, y] = tries.find(fits) ?? [into(at.right - w - gap, w, innerWidth), into(at.bottom - h - gap, h, innerHeight)];
  box.style.left = `${x}px`;
  box.style.top = `${y}px`;
}

// A group of a map may hold a whole empty canvas: what is drawn in it is where it is.
function outline(element) {
  const drawn = element instanceof SVGElement ? [...element.querySelectorAll(".u, .hit")].filter(shows) : [];
  const boxes = (drawn.length ? drawn : [element]).map((one) => one.getBoundingClientRect()).filter((one) => one.width);
  if (!boxes.length) return element.getBoundingClientRect();
  const side = (name, pick) => pick(...boxes.map((one) => one[name]));
  return new DOMRect(
    side("left", Math.min), side("top", Math.min),
    side("right", Math.max) - side("left", Math.min), side("bottom", Math.max) - side("top", Math.min),
  );
}

// --- mouse -----------------------------------------------------------------------------------------------

const meant = (node) => (node instanceof Element && !node.closest("#about, #beside") ? node.closest(ABOUT) : null);

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  if (event.target.closest?.("#about")) return void clearTimeout(timer);
  const found = meant(event.target);
  clearTimeout(timer);
  if (found) timer = setTimeout(() => show(found, event.target), box.hidden ? REST : REST / 2);
  else if (target && !asking) timer = setTimeout(close, LEAVE);
});
document.addEventListener("pointerleave", () => { if (!asking) close(); });

// --- finger ----------------------------------------------------------------------------------------------

let pressed = false; // a long press has answered: lifting the finger decides nothing
let from = null;
document.addEventListener("pointerdown", (event) => {
  if (event.pointerType === "mouse") return void (event.target.closest?.("#about, #beside") || close());
  pressed = false;
  const found = meant(event.target);
  from = [event.clientX, event.clientY];
  if (!event.target.closest?.("#about")) close();
  if (found && event.isPrimary) timer = setTimeout(() => { pressed = true; show(found, event.target); }, PRESS);
}, true);
document.addEventListener("pointermove", (event) => {
  if (event.pointerType === "mouse" || !from || pressed) return;
  if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 8) clearTimeout(timer);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => { if (event.pointerType !== "mouse" && !pressed) clearTimeout(timer); }, true);
}
document.addEventListener("contextmenu", (event) => { if (pressed && meant(event.target)) event.preventDefault(); });
document.addEventListener("click", (event) => {
  if (!pressed) return;
  pressed = false;
  if (!meant(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// --- keyboard --------------------------------------------------------------------------------------------

document.addEventListener("focusin", (event) => {
  if (event.target.closest("#about, #beside")) return;
  const found = meant(event.target) ?? (event.target.matches(":focus-visible") ? event.target.querySelector?.(`:scope > ${ABOUT}`) : null);
  if (asking && event.target !== lent) rest();
  if (found && event.target.matches(":focus-visible")) show(found);
  else if (!box.matches(":hover")) close();
});

// Not everything that means something can be chosen. Asking goes through all of it, by neighbourhood.
function rest() {
  asking = false;
  lent?.removeAttribute("tabindex");
  lent = null;
}

function stand(element) {
  const old = lent;
  asking = true;
  if (element.hasAttribute("tabindex") || element.matches("a, button, input")) lent = null;
  else {
    element.setAttribute("tabindex", "-1");
    lent = element;
  }
  element.focus({ preventScroll: true });
  if (old && old !== lent) old.removeAttribute("tabindex");
  asking = true;
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  show(element);
}

const everything = () => [...document.querySelectorAll(`:is(#board, #hand, #seats) ${ABOUT}`)].filter(shows);
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function neighbour(element, [dx, dy]) {
  const middle = (one) => { const at = outline(one); return [at.left + at.width / 2, at.top + at.height / 2]; };
  const [x, y] = middle(element);
  let best = null;
  let least = Infinity;
  for (const other of everything()) {
    if (other === element) continue;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const across = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along < 2) continue;
    const cost = along + 2.5 * across;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (event.key === "Escape" && (!box.hidden || !aside.hidden)) {
    event.stopImmediatePropagation();
    if (!box.hidden) { close(); rest(); } else fold();
  } else if (asking && WAYS[event.key]) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const next = target && neighbour(target, WAYS[event.key]);
    if (next) stand(next);
  } else if (key === "i") {
    const from = target ?? meant(document.activeElement) ?? everything()[0];
    if (asking) { close(); rest(); } else if (from) stand(from);
  } else if (key === "r" && !box.hidden) box.querySelector("cite a")?.click();
  else if (key === "l") legend();
  else return;
  event.preventDefault();
}, true);

// --- beside the board: the legend, and rules -----------------------------------------------------------------

let before = null; // where the keyboard stood

async function open(address, labelled, kind) {
  const html = await fetched(address);
  if (!html) return false;
  if (aside.hidden) before = document.activeElement;
  aside.innerHTML = html;
  aside.dataset.kind = kind;
  aside.setAttribute("aria-labelledby", labelled);
  aside.hidden = false;
  aside.querySelector("[data-close]").focus({ preventScroll: true });
  return true;
}

function fold() {
  const back = aside.contains(document.activeElement);
  aside.hidden = true;
  aside.replaceChildren();
  if (back) before?.focus?.({ preventScroll: true });
}

async function legend() {
  if (!aside.hidden && aside.dataset.kind === "legend") return fold();
  close();
  return open(box.dataset.legend, "legend-title", "legend");
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href*='/rules/'][href*='#']");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (event.target.closest?.("[data-legend-open]")) {
    event.target.closest("[data-menu]")?.removeAttribute("open");
    legend();
  } else if (event.target.closest?.("#beside [data-close]")) fold();
  else if (link && plain && !("book" in link.dataset)) {
    const { pathname, hash } = new URL(link.href);
    event.preventDefault();
    if (!(await open(`${pathname}/${hash.slice(1)}`, "rule-title", "rule"))) location.assign(link.href);
  }
});

for (const button of document.querySelectorAll("[data-legend-open]")) button.hidden = false;
addEventListener("resize", () => { if (target) place(target); });

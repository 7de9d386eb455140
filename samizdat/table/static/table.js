// A table in the browser: it follows the stream, morphs what changed, and posts decisions. The server decides
// everything; here is only what a page must do by itself.
"use strict";

const root = document.documentElement;
const page = document.getElementById("table");
const here = page.dataset;
const say = JSON.parse(document.getElementById("words").textContent);
const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
page.classList.remove("still"); // without this script nothing can be chosen, and nothing looks as if it could

let version = Number(here.version); // the position shown
let known = version; // the newest position the stream has told of
let past = null; // the step of history that is shown instead of the present
const queue = []; // steps that wait to be shown, one at a time

// --- showing -------------------------------------------------------------------------------------------

let lost = null; // where the focus was, if what had it went away and nothing took its place

function morph(parts) {
  const focused = document.activeElement;
  if (focused !== document.body) lost = keyOf(focused);
  for (const [name, html] of Object.entries(parts)) {
    const old = document.getElementById(name);
    if (!old) continue;
    Idiomorph.morph(old, html, { morphStyle: "outerHTML" });
  }
  arm();
  markTabs();
  keepNear();
  if (document.activeElement === focused && focused !== document.body) lost = null;
  else refocus();
}

// A focused choice that vanished hands the focus to the next one, at once or as soon as there is one, so that the
// keyboard never falls off the board.
function keyOf(element) {
  if (!element.matches(":focus-visible")) return null; // whoever points with a mouse scrolls by the space bar
  return { id: element.id, inList: !!element.closest("#choices") };
}

function refocus() {
  if (!lost || document.activeElement !== document.body) return;
  for (const next of [document.getElementById(lost.id), $(lost.inList ? "#choices button" : PLACES)]) {
    next?.focus({ preventScroll: true }); // what was a choice may be there still, but take no focus any more
    if (document.activeElement === next) { lost = null; return; }
  }
}

function apply(event) {
  version = event.version;
  peeked = null;
  const open = choices();
  if (event.parts) morph(event.parts);
  // What others do meanwhile does not take advice away; a jump to the present may lead to another position.
  if (open !== choices() || !acts() || event.steps === null) closeHint();
  announce();
  mark(acts());
  if (!event.more) hotSeat(); // between two steps of one decision nobody is to act
  if (!queue.length) bringChoices();
}

// The queue, hand or list around something, if it holds more than it can show. The page itself never scrolls.
function scroller(element) {
  for (let around = element.parentElement; around && around !== main; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const scrolls = (overflow, room, content) => /auto|scroll/.test(overflow) && content > room + 1;
    if (scrolls(overflowY, around.clientHeight, around.scrollHeight) || scrolls(overflowX, around.clientWidth, around.scrollWidth)) return around;
  }
  return null;
}

// What is focused or spoken of is brought to where it can be seen, inside whatever scrolls there.
function bring(elements) {
  const first = elements.find((element) => element.getBoundingClientRect().width && scroller(element));
  if (!first) return;
  const around = scroller(first);
  const [box, room] = [first.getBoundingClientRect(), around.getBoundingClientRect()];
  const into = (low, high, from, to) => (low < from ? low - from - 8 : high > to ? high - to + 8 : 0);
  around.scrollBy({
    left: into(box.left, box.right, room.left, room.right),
    top: into(box.top, box.bottom, room.top, room.bottom),
    behavior: calm.matches ? "auto" : "smooth",
  });
}

// A choice in a hand or queue that scrolls comes into sight.
function bringChoices() {
  openSheet();
  if ($("#status.acts")) bring(all("#board .legal, #hand .legal"));
}

// Whoever waits in another tab sees by the title that it is their turn.
const title = document.title;
const acts = () => document.getElementById("status").classList.contains("acts");
const choices = () => $("#choices ul").textContent;

function mark(yours) {
  document.title = yours ? `● ${title}` : title;
}

function announce() {
  const live = document.getElementById("live");
  const fresh = all("#record li.last > div").map((line) => line.textContent.trim());
  const line = [...fresh.slice(0, 6).reverse(), $("#status [role=status]")?.textContent.trim()].filter(Boolean).join(" ");
  if (live.textContent !== line) live.textContent = line;
}

// Between two players at one screen, everything is covered until the next one says "ready": here at once, however long
// the cover takes to come, and once, since whoever leaves twice breaks off the first leave.
let leaving = false;
function hotSeat() {
  if (!here.held || leaving || queue.length || acts() || document.getElementById("status").dataset.over) return;
  leaving = true;
  page.hidden = true;
  source?.close();
  location.replace(`${here.path}/cover`); // "back" must not bring the board
}

// A browser keeps pages that one has left, to show them at once to whoever goes back: that may be another player.
addEventListener("pagehide", () => { if (here.held) page.hidden = true; });
addEventListener("pageshow", (event) => { if (here.held && event.persisted) location.reload(); });

// --- steps, one by one ---------------------------------------------------------------------------------

const curtain = document.getElementById("curtain");
let showing = false;

async function run() {
  if (showing || past !== null) return;
  showing = true;
  try {
    await showAll();
  } finally {
    showing = false;
  }
}

async function showAll() {
  while (queue.length && past === null) {
    const event = queue.shift();
    const flying = event.steps ? launch(event.parts?.board) : 0; // only a step moves pieces
    if (flying) await pause(flying);
    land();
    const passed = () => event.steps && event.version < version; // somebody has gone to the present meanwhile
    const told = passed() ? [] : wanted(event.steps);
    if (told.length) await reveal(told);
    if (past !== null) { // somebody stepped back meanwhile
      queue.unshift({ ...event, steps: [] });
      break;
    }
    if (passed()) continue;
    const glide = event.parts?.board && !calm.matches && queue.length;
    apply(event);
    telling(!!event.more); // nobody is to act between two steps of one decision
    if (glide) await pause(flying ? 80 : 400);
  }
}

// While it is told what happened, nothing can be decided: what was open is over, what will be open is not there yet.
function telling(on) {
  if (on && document.activeElement !== document.body) lost = keyOf(document.activeElement);
  page.classList.toggle("telling", on);
  for (const id of ["status", "main"]) document.getElementById(id).inert = on;
  if (!on) refocus();
}

// What this person wants to be told step by step.
function wanted(steps) {
  if (!steps || here.revelations === "off") return [];
  return here.revelations === "all" ? steps : steps.filter((step) => !step.minor);
}

let hurry = null; // ends a pause or a revelation at once

function pause(ms) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    hurry = () => { clearTimeout(timer); done(); };
  }).finally(() => { hurry = null; });
}

function reveal(steps) {
  return new Promise((done) => {
    let at = -1;
    const body = $(".step-body", curtain);
    const count = $(".step-count", curtain);
    const finish = () => {
      if (curtain.contains(document.activeElement)) document.activeElement.blur();
      curtain.hidden = true;
      telling(false);
      all(".told").forEach((element) => element.classList.remove("told"));
      hurry = null;
      done();
    };
    const next = () => {
      at += 1;
      if (at >= steps.length) return finish();
      body.innerHTML = steps[at].html;
      count.textContent = `${at + 1} / ${steps.length}`;
      all(".told").forEach((element) => element.classList.remove("told"));
      for (const id of steps[at].focus) document.getElementById(id)?.classList.add("told");
      bring(all(".told"));
    };
    $("[data-next]", curtain).onclick = next;
    $("[data-skip]", curtain).onclick = () => { queue.forEach((event) => { if (event.steps) event.steps = []; }); finish(); };
    hurry = finish;
    telling(true);
    curtain.hidden = false;
    next();
    $("[data-next]", curtain).focus({ preventScroll: true });
  });
}

// --- the stream ----------------------------------------------------------------------------------------

const MOST_WAITING = 60; // steps; more than that nobody wants to be shown one by one

// A tab that lies open for days does not gather steps without end: the oldest are laid together.
function wait(event) {
  queue.push(event);
  while (queue.length > MOST_WAITING) {
    const old = queue.shift();
    queue[0] = { ...queue[0], parts: { ...old.parts, ...queue[0].parts } };
  }
}

const told = {}; // each part as the stream last told it

// A part comes whole, or as a splice: new lines, and which lines of the last one stay.
function whole(event) {
  for (const [name, part] of Object.entries(event.parts)) {
    const lines = typeof part === "string" ? [] : told[name].split("\n");
    const pieces = typeof part === "string" ? [part] : part;
    told[name] = pieces.flatMap((piece) => (typeof piece === "string" ? piece : lines.slice(...piece))).join("\n");
    event.parts[name] = told[name];
  }
  return event;
}

const BLINK = 3_000; // a connection that is back by then was hardly gone
let source;
let retry; // of a stream that was refused
let heard = performance.now(); // when the stream last told anything
let warning; // that the connection is lost
let change = here.change; // what the page was made with; whoever comes back is sent everything
function listen() {
  clearTimeout(retry);
  source?.close();
  if (document.hidden || leaving || !here.path) return; // a preview on disk has no stream
  const eyes = here.seat === "" ? "looking=true" : `seat=${here.seat}`;
  source = new EventSource(`${here.path}/events?since=${known}&change=${change}&${eyes}`);
  change = -1;
  heard = performance.now();
  for (const name of ["step", "refresh", "beat"]) source.addEventListener(name, () => { heard = performance.now(); });
  source.addEventListener("step", (message) => {
    const event = whole(JSON.parse(message.data));
    if (event.version === known || (event.steps && event.version < known)) return; // shown already
    known = event.version;
    wait(event);
    run();
  });
  source.addEventListener("refresh", (message) => {
    const event = whole(JSON.parse(message.data));
    if (queue.length || showing) wait(event);
    else if (past === null) morph(event.parts);
  });
  source.addEventListener("reload", () => location.reload());
  source.onopen = () => {
    clearTimeout(warning);
    page.classList.remove("offline");
    if (document.getElementById("refusal")?.textContent.trim() === say.lost) refusal(null);
  };
  source.onerror = () => {
    if (!page.classList.contains("offline")) warning = setTimeout(() => refusal({ error: say.lost }), BLINK);
    page.classList.add("offline");
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(again, 2000);
  };
}

// A connection can die without a word: a computer slept, a router forgot it. (`SILENCE` stands in page.js.)
setInterval(() => { if (performance.now() - heard > SILENCE) listen(); }, 10_000);

// A browser keeps six connections to a host, for all tabs together: a tab that nobody looks at gives its own back. Shown
// again, it is sent every step that it missed, once.
let asking; // now and then, while nobody looks
document.addEventListener("visibilitychange", () => {
  clearInterval(asking);
  if (document.hidden && here.seat !== "" && !document.getElementById("status").dataset.over) asking = setInterval(askTurn, 20_000);
  else mark(acts());
  listen();
});

async function askTurn() {
  const answer = await fetch(`${here.path}/turn?seat=${here.seat}`).catch(() => null);
  if (document.hidden && answer?.ok) mark((await answer.json()).yours);
}

// The stream was refused: the seat may have been given to somebody else while the connection was lost.
async function again() {
  const answer = await fetch(`${here.path}/step/0${here.seat === "" ? "" : `?seat=${here.seat}`}`).catch(() => null);
  if (answer?.status === 403) location.replace(here.path);
  else listen();
}

// --- deciding ------------------------------------------------------------------------------------------

let posting = null; // what is on its way to the server
let posted = null; // the position it decides
let sealing = false; // a second press means the same
async function post(what, body) {
  if (what === "seal" && sealing) return false;
  if (what === "seal") sealing = true;
  try {
    // A quick hand lays token after token; and the stream may show the next position before the answer about the last
    // one is here. But a second decision about the same position is a slip.
    const composing = what === "draft" || what === "seal";
    let about = version;
    while (posting && (composing || about !== posted)) await posting;
    if (posting || past !== null || here.seat === "" || page.classList.contains("telling")) return false;
    if (composing) about = version; // what others did meanwhile does not touch a draft
    if (what !== "draft") closeHint();
    posted = what === "draft" ? null : about;
    posting = send(what, { version: about, ...body }).finally(() => { posting = null; });
    return await posting;
  } finally {
    if (what === "seal") sealing = false;
  }
}

// Whether the server has taken it.
async function send(what, body) {
  refusal(null);
  const asked = performance.now();
  try {
    const answer = await fetch(`${here.path}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ seat: Number(here.seat), ...body }),
      signal: AbortSignal.timeout(15_000),
    });
    const told = await answer.json();
    if (!answer.ok) refusal(told);
    if (answer.ok || told.stale) setTimeout(() => { if (heard < asked) listen(); }, BLINK); // the stream should have told
    return answer.ok;
  } catch (error) {
    const unsure = error.name === "TimeoutError"; // it may have arrived; the stream will tell
    refusal({ error: unsure ? say.lost : say.offline });
    if (unsure) listen();
    return false;
  }
}

function refusal(answer) {
  const place = document.getElementById("refusal");
  if (!place) return;
  place.replaceChildren();
  place.hidden = !answer;
  if (!answer) return;
  place.append(answer.error, " ");
  if (answer.link) {
    const link = document.createElement("a");
    link.href = answer.link;
    link.target = "_blank";
    link.textContent = answer.rule;
    place.append(link);
  }
}

// On a phone a map shows what a place is before it decides, or before it is told why it cannot be chosen.
let peeked = null; // the decision whose place was shown
function peek(target) {
  const move = target.dataset.move;
  if (!matchMedia("(max-width: 719px)").matches || !target.closest(".peek") || peeked === move) return false;
  peeked = move;
  const place = all(".peek [data-move][aria-label]").find((one) => one.dataset.move === move);
  const fact = place.getAttribute("aria-label");
  refusal({ error: place.getAttribute("aria-disabled") === "true" ? fact : `${fact} – ${say.again}` });
  return true;
}

function choose(target) {
  const data = target.dataset;
  if (data.move) {
    if (peek(target)) return;
    peeked = null;
    post("move", { move: data.move });
  } else if (data.adds) {
    const notation = JSON.parse(data.adds)[armed];
    if (notation) post("draft", { change: "add", notation });
  } else if (data.add) post("draft", { change: "add", notation: data.add });
  else if (data.take) post("draft", { change: "take", notation: data.take });
  else if (data.arm) arm(data.arm);
}

// What is put down next (a kind of token) is chosen first; places then show whether they take it.
let armed = "";
function arm(wanted) {
  const buttons = all("[data-arm]");
  if (!buttons.length) return;
  const usable = buttons.filter((button) => button.getAttribute("aria-disabled") !== "true");
  if (wanted) armed = wanted;
  if (!usable.some((button) => button.dataset.arm === armed)) armed = (usable[0] || buttons[0]).dataset.arm;
  for (const button of buttons) {
    const on = button.dataset.arm === armed;
    button.setAttribute("aria-pressed", on);
    button.classList.toggle("chosen", on);
    button.classList.toggle("mark", on);
  }
  for (const place of all("[data-adds]")) {
    const open = place.dataset.open.split(" ").includes(armed);
    place.classList.toggle("legal", open);
    place.classList.toggle("cant", !open);
    place.setAttribute("aria-disabled", !open);
  }
}

const DECIDES = "[data-move],[data-add],[data-adds],[data-take],[data-arm]";
page.addEventListener("click", (event) => {
  // A double click is one decision; but a place that was shown first on a phone is chosen by the second tap.
  if (event.detail === 2 && !peeked && event.target.closest("[data-move],[data-seal],[data-undo]")) return;
  const target = event.target.closest(`${DECIDES},[data-undo],[data-seal],[data-clear],[data-history],[data-hint]`);
  if (!target || target.closest("[inert]")) return;
  event.preventDefault();
  const data = target.dataset;
  if ("undo" in data) post("undo", {});
  else if ("seal" in data) post("seal", {});
  else if ("clear" in data) post("draft", { change: "clear" });
  else if (data.history) history_(data.history);
  else if ("hint" in data) advise();
  else choose(target);
});

// --- the keyboard --------------------------------------------------------------------------------------

const PLACES = "#board .legal, #hand .legal, #seats .legal, #status .acts [data-move]";
const TAPPING = 500; // milliseconds
let tapped = -Infinity; // when a key last went on to the next revelation
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function neighbour(from, [dx, dy]) {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of all(PLACES)) {
    if (other === from) continue;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const across = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along > 1 && along + 2 * across < least) {
      least = along + 2 * across;
      best = other;
    }
  }
  return best;
}

// The focus, and what it is on in sight, where it lies in something that scrolls.
function point(element) {
  if (!element) return;
  element.focus({ preventScroll: true });
  bring([element]);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (typing) return;
  if (hurry && !curtain.hidden && event.key === "Escape") { event.preventDefault(); $("[data-skip]", curtain).click(); return; }
  if (hurry && curtain.hidden) hurry();
  if (event.key === "Escape" && closeHint()) { $("[data-hint]")?.focus(); return; }
  const target = event.target;
  const presses = event.key === "Enter" || event.key === " ";
  if (presses && curtain.contains(target)) tapped = performance.now();
  const decides = presses && target.matches(DECIDES);
  if (decides && (event.repeat || performance.now() - tapped < TAPPING)) {
    event.preventDefault(); // a key held down is one decision, too; and who taps through revelations has not decided
  } else if (decides && target.tagName !== "BUTTON") {
    event.preventDefault();
    choose(target);
  } else if (ARROWS[event.key] && target.matches(PLACES)) {
    const next = neighbour(target, ARROWS[event.key]);
    if (next) { event.preventDefault(); point(next); }
  } else if (page.classList.contains("telling")) return;
  else if (event.key === "u" || event.key === "U") $("[data-undo]")?.click();
  else if (event.key === "s" || event.key === "S") $("[data-seal]")?.click();
  else if (event.key === "h" || event.key === "H") $("[data-hint]")?.click();
  else if (event.key === "?") document.getElementById("keys")?.showModal();
  else if (event.key === "b" || event.key === "B") point($(PLACES));
  else if (event.key === "c" || event.key === "C") {
    showTab("choices");
    point($("#choices button"));
  }
});

// --- history: the match so far, as this seat saw it ----------------------------------------------------

async function history_(where) {
  try {
    await walk(where);
  } catch {
    refusal({ error: say.unreachable });
  }
}

async function walk(where) {
  const last = past ?? -1;
  if (where === "now") return present();
  const wanted = { first: 0, back: past === null ? 1e6 - 1 : last - 1, forward: last + 1 }[where];
  const seat = here.seat === "" ? "" : `?seat=${here.seat}`;
  let number = wanted;
  if (past === null && where === "back") {
    const now = await (await fetch(`${here.path}/step/1000000${seat}`)).json();
    number = now.last - 1;
  }
  if (number < 0) number = 0;
  const answer = await fetch(`${here.path}/step/${number}${seat}`);
  if (!answer.ok) return;
  const step = await answer.json();
  if (step.step >= step.last) return present(step);
  past = step.step;
  closeHint(); // it is about the present
  page.classList.add("past");
  morph(step.parts);
  telling(false);
  tell(step);
}

async function present(step) {
  const seat = here.seat === "" ? "" : `?seat=${here.seat}`;
  const now = step ?? (await (await fetch(`${here.path}/step/1000000${seat}`)).json());
  if (past === null && now.version < version) return; // a newer position was shown while this one was fetched
  past = null;
  page.classList.remove("past");
  morph(now.parts);
  telling(false);
  tell(now);
  version = now.version;
  known = Math.max(known, version);
  const later = queue.filter((event) => event.version > version); // came while the present was being fetched
  queue.splice(0, queue.length, ...later);
  mark(acts());
  hurry?.(); // what was being told lies behind
  if (queue.length) run();
  else hotSeat();
}

function tell(step) {
  const place = document.getElementById("history-step");
  if (place) place.textContent = `${step.step + 1} / ${step.last + 1}`;
}

arm();
bringChoices();
mark(acts());
listen();

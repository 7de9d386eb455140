// A replay that moves without loading the page again. Every link works without this.
import { $, all, byId } from "./dom.js";
import { launch, land } from "./flights.js";
import { clear, draw } from "./marks.js";
import { exchange } from "./parts.js";
import { chart, goTo, waitingFor } from "./review.js";

const reel = byId("replay");
const slider = byId("slider");
const at = byId("at");
const story = $("#story ol");
const last = Number(reel.dataset.last);
let step = Number(reel.dataset.step);
let eyes = reel.dataset.whose; // a seat, "" for a spectator, "open" for everything at once
let wanted = 0; // only the newest of several requests is shown

slider.hidden = false;
byId("review").hidden = false;

function through() {
  return eyes === "" ? "" : eyes === "open" ? "open=true" : `seat=${eyes}`;
}

function address(number) {
  return `${reel.dataset.path}?step=${number}&${through()}`;
}

async function show(number, whose = eyes) {
  const mine = ++wanted;
  const onward = number === step + 1 && whose === eyes;
  step = Math.max(0, Math.min(number, last));
  eyes = whose;
  slider.value = step;
  at.textContent = reel.dataset.looking.replace("{step}", step).replace("{last}", last);
  clear(); // what was drawn is about another position
  const answer = await fetch(`${reel.dataset.path}/${step}?${through()}`).catch(() => null);
  if (mine !== wanted) return;
  if (!answer?.ok) return void (byId("telling").textContent = reel.dataset.unreachable);
  const { parts } = await answer.json();
  const flying = onward ? launch(parts.board) : 0;
  if (flying) await new Promise((done) => setTimeout(done, flying));
  land();
  if (mine !== wanted) return;
  exchange(parts);
  mark();
}

// --- playing by itself ---

const SPENT = "replay-pace"; // what this browser remembers
const button = byId("play");
const pace = byId("pace");
let playing = 0; // which of several rounds of playing goes on; 0: none

function stop() {
  playing = 0;
  button.setAttribute("aria-pressed", "false");
  $("span", button).textContent = button.dataset.play;
}

async function play() {
  const mine = (playing = performance.now());
  button.setAttribute("aria-pressed", "true");
  $("span", button).textContent = button.dataset.pause;
  if (step >= last) await show(0);
  while (playing === mine && step < last) {
    await new Promise((done) => setTimeout(done, Number(pace.value)));
    if (playing === mine) await show(step + 1);
  }
  if (playing === mine) stop();
}

button.dataset.play = $("span", button).textContent;
$(".player").hidden = false;
pace.value = localStorage.getItem(SPENT) ?? pace.value;
pace.addEventListener("change", () => localStorage.setItem(SPENT, pace.value));
button.addEventListener("click", () => (playing ? stop() : play()));

// --- moving ---

function mark() {
  for (const old of all("#story .last")) {
    old.classList.remove("last");
    old.removeAttribute("aria-current");
  }
  const now = byId(`move-${step}`);
  now.classList.add("last");
  now.setAttribute("aria-current", "step");
  byId("telling").textContent = now.querySelector(".deed").textContent.trim();
  story.scrollTop = now.offsetTop - story.offsetTop - story.clientHeight / 3;
  for (const tab of all("[data-eyes]")) {
    if (tab.dataset.eyes === eyes) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  history.replaceState(null, "", address(step));
  for (const back of all("input[name=back]")) back.value = address(step);
  chart(step);
}

// How a seat's chances went: worked out when somebody asks, which may take a while.
let reviewing = "";
async function review(seat) {
  const place = byId("reviewed");
  reviewing = seat;
  place.textContent = reel.dataset.thinking;
  for (const own of all("[data-review]")) {
    own.setAttribute("aria-pressed", own.dataset.review === seat);
  }
  while (reviewing === seat) {
    const answer = await fetch(`${reel.dataset.reviewPath}?seat=${seat}`).catch(() => null);
    const found = await answer?.json().catch(() => null);
    if (reviewing !== seat) return;
    if (found?.html) place.innerHTML = found.html;
    else waitingFor(place, found ?? { error: reel.dataset.unreachable });
    chart(step);
    if (found && answer.status !== 202) return; // whoever cannot be reached now is asked again
    await new Promise((done) => setTimeout(done, 1500));
  }
}

// The position before a decision, as whoever decided saw it; with what was better drawn there, and what was played.
async function lookAt(link) {
  await show(Number(link.dataset.to), link.dataset.through);
  reel.scrollIntoView();
  if (!("better" in link.dataset) || step !== Number(link.dataset.to)) return;
  const ids = (text) => text.split(" ").filter(Boolean);
  draw([
    { number: "✓", ids: ids(link.dataset.better), kind: "better" },
    { number: "✕", ids: ids(link.dataset.played), kind: "played" },
  ]);
}

const WALKS = { first: () => 0, back: () => step - 1, forward: () => step + 1, last: () => last };

reel.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-review]");
  if (asked) return void review(asked.dataset.review);
  const gone = goTo(event);
  if (gone) {
    stop();
    return void show(gone.step, gone.seat);
  }
  const link = event.target.closest("[data-walk],[data-eyes],[data-to]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  if (link.dataset.walk) show(WALKS[link.dataset.walk]());
  else if (link.dataset.through) {
    lookAt(link);
  } else if (link.dataset.to) show(Number(link.dataset.to));
  else show(step, link.dataset.eyes);
});
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === " " && !event.target.closest("button, a, summary")) {
    event.preventDefault();
    return button.click();
  }
  const walk = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (!walk) return undefined;
  event.preventDefault();
  stop();
  return show(WALKS[walk]());
});
const lookBack = location.hash === "#review"; // the score sheet leads there; marking the step drops it from the address
mark();
if (lookBack) byId("review").scrollIntoView();
if (lookBack && /^[0-9]+$/.test(eyes)) review(eyes);

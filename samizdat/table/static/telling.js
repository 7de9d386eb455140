// What happened is told step by step, as the stream brings it.
import { $, all, byId, calm } from "./dom.js";
import { launch, land } from "./flights.js";
import { mind, refocus } from "./focus.js";
import { awaited, here, page, shown } from "./here.js";
import { cover } from "./hotseat.js";
import * as lane from "./lane.js";
import { pace } from "./pace.js";
import { hurryUp, pause, until } from "./pausing.js";
import { apply, morph } from "./showing.js";
import { bring, bringChoices } from "./sight.js";
import { whole } from "./splices.js";
import { onStream } from "./stream.js";
import { wait } from "./waiting.js";

export const curtain = byId("curtain");
const queue = []; // steps that wait to be shown
export const last = {}; // each part as the stream last told it
let showing = false;
let skipping = false; // somebody does not want to be told the rest

export const waiting = () => queue.length;

// A step of the stream: shown at once, or after those that wait.
export function take(event) {
  wait(queue, event);
  return run();
}

onStream("step", (event) => {
  event.parts = whole(event.parts, last);
  if (event.version === shown.known || (event.steps && event.version < shown.known)) return; // shown already
  shown.known = event.version;
  take(event);
});
onStream("refresh", (event) => {
  event.parts = whole(event.parts, last);
  if (queue.length || showing) wait(queue, event);
  else if (shown.past === null) morph(event.parts);
});

async function run() {
  if (showing || shown.past !== null) return;
  showing = true;
  try {
    while (queue.length && shown.past === null) await show(queue.shift());
  } finally {
    showing = false;
    skipping = false;
    lane.close();
  }
}

// All that waits is shown at once.
export function skip() {
  skipping = true;
  hurryUp();
}

async function show(event) {
  const [by, choosing] = [lane.whose(), awaited()];
  const flying = event.steps ? launch(event.parts?.board) : 0; // only a step moves pieces
  if (flying) await pause(flying);
  land();
  const told = behind(event) ? [] : wanted(event.steps);
  if (told.length) await reveal(told);
  if (shown.past !== null) queue.unshift({ ...event, steps: [] }); // somebody stepped back meanwhile
  if (behind(event)) return;
  apply(event);
  // Who is choosing meanwhile goes on choosing; what was told behind the curtain is not told again.
  if (!told.length && !(choosing && awaited())) await story(event, by);
  if (behind(event)) return;
  if (!queue.length) settle(event);
  asleep(!!event.more);
  if (event.parts?.board && !calm.matches && queue.length) await pause(flying ? 80 : 400);
}

// Whether somebody looks elsewhere by now: at the past, or at a newer present.
const behind = (event) => shown.past !== null || (event.steps && event.version < shown.version);

// Nothing else waits to be shown.
function settle(event) {
  if (!event.more) cover(); // between two steps of one decision nobody is to act
  bringChoices();
}

// What somebody else did, in the lane.
async function story(event, by) {
  if (!event.story || !pace() || skipping) return;
  asleep(true);
  await lane.tell(event.story, by, queue.length);
  if (!queue.length || shown.past !== null) lane.close();
}

// While it is told what happened, nothing can be decided: what was open is over, what will be open is not there yet.
export function asleep(yes) {
  if (yes) mind();
  page.classList.toggle("telling", yes);
  for (const id of ["status", "main"]) byId(id).inert = yes;
  if (!yes) refocus();
}

// What this person wants to be told step by step.
function wanted(steps) {
  if (!steps || here.revelations === "off") return [];
  return here.revelations === "all" ? steps : steps.filter((step) => !step.minor);
}

function light(ids) {
  for (const element of all(".told")) element.classList.remove("told");
  for (const id of ids) byId(id)?.classList.add("told");
  bring(all(".told"));
}

export async function reveal(steps) {
  asleep(true);
  curtain.hidden = false;
  await until((finish) => {
    let at = -1;
    const next = () => {
      at += 1;
      if (at >= steps.length) return finish();
      $(".step-body", curtain).innerHTML = steps[at].html;
      $(".step-count", curtain).textContent = `${at + 1} / ${steps.length}`;
      return light(steps[at].focus);
    };
    $("[data-next]", curtain).onclick = next;
    $("[data-skip]", curtain).onclick = () => {
      for (const event of queue) if (event.steps) event.steps = [];
      finish();
    };
    next();
    $("[data-next]", curtain).focus({ preventScroll: true });
  });
  if (curtain.contains(document.activeElement)) document.activeElement.blur();
  curtain.hidden = true;
  light([]);
  asleep(false);
}

// The present is shown: what was being told lies behind, and what came meanwhile is told now.
export function resume() {
  asleep(false);
  const later = queue.filter((event) => event.version > shown.version);
  queue.splice(0, queue.length, ...later);
  hurryUp();
  if (queue.length) run();
  else cover();
}

// What the others did, sentence by sentence, in the lane of the status line: at the pace one chose, or step by step.
import { $, byId, made, narrow } from "./dom.js";
import { here, on, onPress } from "./here.js";
import { light } from "./lights.js";
import { after, markPace, pace, setPace } from "./pace.js";
import { hurryUp, until } from "./pausing.js";

const lane = byId("lane");
const told = []; // since one's own last decision
let at = -1; // which of them is shown
let byHand = false; // somebody steps through them
let timer;
let finish = null; // ends the sentence that is told now

// Who is to act, as the seats show it: whose story comes next.
export function whose() {
  const now = document.querySelectorAll("#seats .seat.now");
  return now.length === 1 ? $("svg.badge", now[0])?.outerHTML ?? "" : "";
}

function draw(waiting = 0) {
  const one = told[at];
  $(".by", lane).innerHTML = one.by;
  $(".line", lane).innerHTML = one.html;
  const beats = told.map((_, number) => made("i", "", number < at ? "done" : number === at ? "now" : ""));
  $(".beats", lane).replaceChildren(...beats.slice(-8), ...Array.from({ length: Math.min(waiting, 8) }, () => made("i", "")));
  $("[data-tell=back]", lane).disabled = at === 0;
  light(one.lights);
}

function schedule() {
  clearTimeout(timer);
  if (finish && !byHand) timer = setTimeout(finish, pace());
}

// One story, until its time is over or somebody goes on.
export async function tell(story, by, waiting) {
  told.push({ ...story, by });
  at = told.length - 1;
  draw(waiting);
  markPace();
  lane.hidden = false;
  await until((done) => {
    finish = done;
    if (!lane.matches(":hover")) schedule();
  });
  finish = null;
  clearTimeout(timer);
}

export function close() {
  lane.hidden = true;
  byHand = false;
  light([]);
}

export const open = () => !lane.hidden;

onPress("#lane [data-tell]", (button) => {
  byHand = true;
  clearTimeout(timer);
  if (button.dataset.tell === "on" && at === told.length - 1) return finish?.();
  at += button.dataset.tell === "on" ? 1 : -1;
  return draw();
});
onPress("#lane [data-pace]", (button) => {
  // Where there is room for one only, it stands for all of them.
  setPace(narrow.matches && button.dataset.pace === here.pace ? after(here.pace) : button.dataset.pace);
  $(`[data-pace=${here.pace}]`, lane).focus({ preventScroll: true });
  byHand = false;
  schedule();
});
lane.addEventListener("pointerenter", () => clearTimeout(timer)); // it waits while somebody reads
lane.addEventListener("pointerleave", schedule);
on("deciding", (what) => { if (what !== "draft") told.length = 0; });
on("past", () => { hurryUp(); close(); });

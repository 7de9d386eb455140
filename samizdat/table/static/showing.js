// A position is shown: its parts take the place of the old ones, and whoever does not see it is told.
import { arm } from "./arming.js";
import { $, byId } from "./dom.js";
import { forget, mind, refocus } from "./focus.js";
import { page, say, shown, signal } from "./here.js";
import { keepNear } from "./near.js";
import { exchange } from "./parts.js";
import { markTabs } from "./sheet.js";

export function morph(parts) {
  const focused = document.activeElement;
  mind();
  exchange(parts);
  arm();
  markTabs();
  keepNear();
  if (document.activeElement === focused && focused !== document.body) forget();
  else refocus();
}

function announce() {
  const told = [$("#record li.last [data-lights]"), $("#status [role=status]")];
  const words = told.map((one) => one?.textContent.trim()).filter(Boolean).join(" ");
  if (byId("live").textContent !== words) byId("live").textContent = words;
}

// One step of the stream.
export function apply(event) {
  shown.version = event.version;
  if (event.parts) morph(event.parts);
  announce();
  signal("shown", event);
}

// A position of the past, or the present instead of one.
export function jump(step, past) {
  shown.past = past;
  page.classList.toggle("past", past !== null);
  morph(step.parts);
  const place = byId("history-step");
  if (place) place.textContent = `${step.step + 1} / ${step.last + 1}`;
  const at = $("[data-at]");
  if (at) at.textContent = say.looking.replace("{step}", step.step + 1).replace("{last}", step.last + 1);
}

// Other tables that wait for the reader, in the bar of every page.
import { $, byId } from "./dom.js";

const EVERY = 120_000; // milliseconds
const LATELY = 20_000; // milliseconds in which it is not asked again because of a step of the match
const place = byId("elsewhere");
let asked = -Infinity;

async function ask() {
  if (document.hidden || place.querySelector("[open]")) return; // who reads the list keeps it
  asked = performance.now();
  const here = place.dataset.here ? `?here=${place.dataset.here}` : "";
  const answer = await fetch(`/elsewhere${here}`).catch(() => null);
  if (answer?.ok) place.innerHTML = await answer.text();
}

if (place) {
  ask();
  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
  $("#table")?.addEventListener("shown", () => { if (performance.now() - asked > LATELY) ask(); });
}

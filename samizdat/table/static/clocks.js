// The clocks of a table: the server says when each runs out, by the time of its house, and what that time is now.
import { all } from "./dom.js";
import { here, on } from "./here.js";
import { onStream } from "./stream.js";

const UNITS = [["day", 86_400, 172_800], ["hour", 3_600, 3_600], ["minute", 60, 0]];
let ahead; // of this page's own steady clock, in seconds

const two = (number) => String(number).padStart(2, "0");

// The same words as the server's.
export function words(seconds, live, spoken = document.documentElement.lang) {
  const whole = Math.floor(Math.max(0, seconds));
  if (live) {
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  }
  const [unit, length] = UNITS.find(([, , least]) => whole >= least);
  return new Intl.NumberFormat(spoken, { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(whole / length));
}

export function setTime(now) {
  if (typeof now === "number") ahead = now - performance.now() / 1000;
  tick();
}

function tick() {
  if (ahead === undefined) return;
  for (const clock of all("[data-ends]")) {
    const text = words(Number(clock.dataset.ends) - ahead - performance.now() / 1000, clock.dataset.clock === "live");
    const shown = clock.querySelector("b");
    if (shown.textContent !== text) shown.textContent = text;
  }
}

on("shown", tick);
onStream("beat", (event) => setTime(event.now));
setTime(Number.parseFloat(here.house));
setInterval(tick, 250);

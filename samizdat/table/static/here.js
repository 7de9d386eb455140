// The table of this page: its element, what the server wrote into it, and which position is shown.
import { byId } from "./dom.js";

export const page = byId("table");
export const here = page.dataset;
export const say = JSON.parse(byId("words").textContent);
export const status = () => byId("status");

export const shown = {
  version: Number(here.version), // the position shown
  known: Number(here.version), // the newest position the stream has told of
  past: null, // the step of history that is shown instead of the present
};

// Whether whoever looks may decide here and now, and whether the match waits for them; whether it is over; whether it is
// being told what happened.
export const acts = () => status().classList.contains("acts");
export const awaited = () => status().dataset.turn.split(" ").includes(here.seat);
export const over = () => "over" in status().dataset;
export const telling = () => page.classList.contains("telling");

// The eyes of this page, as a query of the server.
export const eyes = here.seat === "" ? "" : `?seat=${here.seat}`;

// Modules tell each other what happened by events of the page: "deciding" before a decision is sent, "shown" when
// another position is.
export const signal = (name, detail) => page.dispatchEvent(new CustomEvent(name, { detail }));
export const on = (name, heard) => page.addEventListener(name, (event) => heard(event.detail));

// A press on something of the page that is not asleep.
export function onPress(selector, press) {
  page.addEventListener("click", (event) => {
    const target = event.target.closest(selector);
    if (!target || target.closest("[inert]")) return;
    event.preventDefault();
    press(target, event);
  });
}

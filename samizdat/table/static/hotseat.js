// Several players at one screen: between two of them everything is covered until the next one says "ready".
import { acts, here, over, page } from "./here.js";
import { leave } from "./stream.js";

let leaving = false;

// Covered here at once, however long the cover takes to come; and once, since whoever leaves twice breaks off the first
// leave.
export function cover() {
  if (!here.held || leaving || acts() || over()) return;
  leaving = true;
  page.hidden = true;
  leave();
  location.replace(`${here.path}/cover`); // "back" must not bring the board
}

// A browser keeps pages that one has left, to show them at once to whoever goes back: that may be another player.
addEventListener("pagehide", () => { if (here.held) page.hidden = true; });
addEventListener("pageshow", (event) => { if (here.held && event.persisted) location.reload(); });

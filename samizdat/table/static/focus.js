// The keyboard never falls off the board: a focused choice that vanished hands the focus to the next one, at once or as
// soon as there is one; and arrows go from place to place.
import { $, all, byId } from "./dom.js";
import { bring } from "./sight.js";

export const PLACES = "#board .legal, #hand .legal, #seats .legal, #status .acts [data-move]";

let lost = null; // where the focus was, if what had it went away and nothing took its place

// Remember what has the focus, for it may go away.
export function mind() {
  const element = document.activeElement;
  if (element === document.body) return;
  // Whoever points with a mouse scrolls by the space bar.
  lost = element.matches(":focus-visible") ? { id: element.id, inList: !!element.closest("#choices") } : null;
}

export function forget() {
  lost = null;
}

export function refocus() {
  if (!lost || document.activeElement !== document.body) return;
  for (const next of [byId(lost.id), $(lost.inList ? "#choices button" : PLACES)]) {
    next?.focus({ preventScroll: true }); // what was a choice may be there still, but take no focus any more
    if (document.activeElement === next) return void forget();
  }
}

// The focus, and what it is on in sight, where it lies in something that scrolls.
export function point(element) {
  if (!element) return;
  element.focus({ preventScroll: true });
  bring([element]);
}

// The nearest place in a direction: what lies aside counts double.
export function neighbour(from, [dx, dy], places = all(PLACES)) {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of places) {
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

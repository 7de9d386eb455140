// Pieces that glide from where they lie to where they come, over the board as it was, before the new one is shown.
// A board lists them: elements of class "flight" with selectors of both ends. Boards whose pieces have ids of their
// own need none of this; here fly those that are drawn as a number on a pile or a figure on a seat.
import { $, all, calm } from "./dom.js";

const PIECE = 44; // pixels

// A seat that lies in a folded sheet is in the bar, too.
function middle(selector) {
  for (const place of [selector, selector.replace(/^#seat-/, "#stub-")]) {
    const box = $(place)?.getBoundingClientRect();
    if (box && (box.width || box.height)) return [box.left + box.width / 2, box.top + box.height / 2];
  }
  return null;
}

const inSight = ([x, y]) => x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;

// The piece itself: drawn in the list, or a copy of one that lies on the board.
function pieceOf(flight) {
  if (!flight.dataset.sameAs) return flight.firstElementChild;
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", `${-PIECE / 2} ${-PIECE / 2} ${PIECE} ${PIECE}`);
  picture.append(...[...$(flight.dataset.sameAs).children].map((child) => child.cloneNode(true)));
  return picture;
}

// Sends the pieces off; how many milliseconds they will be on their way, 0 if there is nothing to see.
export function launch(board) {
  if (calm.matches || document.hidden || !board?.includes('class="flight"')) return 0;
  const listed = new DOMParser().parseFromString(board, "text/html").querySelectorAll(".flight");
  const [duration, easing] = getComputedStyle(document.documentElement).getPropertyValue("--move").trim().split(/ (.*)/); // such as "320ms ease"
  const time = parseFloat(duration);
  let flying = 0;
  for (const flight of listed) {
    const [from, to] = [middle(flight.dataset.from), middle(flight.dataset.to)];
    if (!from || !to || !(inSight(from) || inSight(to))) continue;
    const piece = pieceOf(flight);
    piece.classList.add("flying");
    document.body.append(piece);
    const at = ([x, y]) => `translate(${x - PIECE / 2}px, ${y - PIECE / 2}px)`;
    piece.animate([{ transform: at(from) }, { transform: at(to) }], { duration: time, easing, fill: "both" });
    flying = time;
  }
  return flying;
}

export function land() {
  for (const piece of all(".flying")) piece.remove();
}

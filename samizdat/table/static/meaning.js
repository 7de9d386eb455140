// What somebody means who points at a place of the page.
import { outline, shows } from "./answering.js";
import { all } from "./dom.js";

export const ABOUT = "[data-about]";
export const aside = (node) => node instanceof Element && node.closest("#about, #beside") !== null;
export const meant = (node) => (node instanceof Element && !aside(node) ? node.closest(ABOUT) : null);

// Everything in sight that can be asked about, each answer once: a map has dozens of spaces that all say the same.
export function everything() {
  const found = new Map();
  for (const one of all(`:is(#board, #hand, #seats) ${ABOUT}`)) if (!found.has(one.dataset.about) && shows(one)) found.set(one.dataset.about, one);
  return [...found.values()];
}

const holds = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
const size = (element) => { const at = outline(element); return at.width * at.height; };

function inside(land, x, y) {
  const matrix = land.getScreenCTM();
  return !!matrix && land.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix.inverse()));
}

const smallest = (elements) => elements.reduce((best, one) => (size(one) < size(best) ? one : best));
const isPiece = (one) => !(one instanceof SVGElement) || one.querySelector(".u") !== null;

// Pieces that no press is meant for let it through to what they stand on; asked about, they answer for themselves. And
// between the strokes of a piece is the piece, too.
export function meantAt(x, y, node) {
  const plain = meant(node);
  if (!(node instanceof Element) || !node.closest("#board")) return plain;
  const here = all(`#board ${ABOUT}`).filter(shows);
  const silent = here.filter((one) => getComputedStyle(one).pointerEvents === "none");
  const under = (ones) => ones.filter((one) => isPiece(one) && holds(outline(one), x, y));
  const pieces = plain ? [plain, ...under(silent)] : under(here);
  if (pieces.length) return smallest(pieces);
  return silent.find((one) => one instanceof SVGGeometryElement && inside(one, x, y)) ?? null;
}

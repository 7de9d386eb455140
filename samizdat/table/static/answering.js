// One answer at a time, beside what it is about.
import { about, answerOf, onChange, piece } from "./answers.js";
import { all, byId, narrow } from "./dom.js";

const spoken = byId("about-spoken");
const GAP = 10; // pixels between something and its answer
const EDGE = 8; // and between an answer and the edge of the window

export const pointed = { at: null, asking: false }; // what answers, and whether the keyboard goes from thing to thing

export const shows = (element) => element.getClientRects().length > 0 && element.checkVisibility?.({ visibilityProperty: true }) !== false;

// A group of a map may hold a whole empty canvas: what is drawn in it is where it is.
export function outline(element) {
  const drawn = element instanceof SVGElement ? all(".u, .hit", element).filter(shows) : [];
  const boxes = (drawn.length ? drawn : [element]).map((one) => one.getBoundingClientRect()).filter((one) => one.width);
  if (!boxes.length) return element.getBoundingClientRect();
  const side = (name, pick) => pick(...boxes.map((one) => one[name]));
  const [left, top] = [side("left", Math.min), side("top", Math.min)];
  return new DOMRect(left, top, side("right", Math.max) - left, side("bottom", Math.max) - top);
}

// The sign under the pointer says what it means, too, if the legend has it.
async function sign(under) {
  const use = under?.matches("use") ? under : under?.closest("svg.g")?.querySelector("use");
  const name = use?.getAttribute("href")?.slice("#g-".length);
  if (!name) return "";
  const legend = document.createElement("template");
  legend.innerHTML = await piece(about.dataset.legend);
  const row = legend.content.querySelector(`[data-sign="${CSS.escape(name)}"]`);
  return row ? `<p class="sign">${row.querySelector("dt").innerHTML}<span>${row.querySelector("dd").innerHTML}</span></p>` : "";
}

function describe(element) {
  const focused = document.activeElement;
  if (focused.matches(":focus-visible") && (element.contains(focused) || focused.contains(element))) focused.setAttribute("aria-describedby", "about");
  if (pointed.asking) spoken.textContent = all("strong, header span, p", about).map((part) => part.textContent.trim()).join(". ");
}

export async function show(element, under = null) {
  if (pointed.at !== element) unmark();
  pointed.at = element;
  const [html, meaning] = await Promise.all([answerOf(element), sign(under)]);
  if (pointed.at !== element) return;
  if (!html || !element.isConnected) { close(); return; }
  about.innerHTML = html;
  if (meaning) about.querySelector("header").insertAdjacentHTML("afterend", meaning);
  about.hidden = false;
  element.setAttribute("data-pointed", "");
  describe(element);
  put(element);
}

function unmark() {
  for (const old of all("[data-pointed]")) old.removeAttribute("data-pointed");
  for (const old of all("[aria-describedby=about]")) old.removeAttribute("aria-describedby");
}

export function close() {
  unmark();
  pointed.at = null;
  about.hidden = true;
  spoken.textContent = "";
}

// Right, left, below, above: wherever there is room. On a phone it lies above the tabs.
function put(element) {
  about.style.left = about.style.top = "";
  if (narrow.matches) return;
  const at = outline(element);
  const { offsetWidth: w, offsetHeight: h } = about;
  const into = (low, size, room) => Math.max(EDGE, Math.min(low, room - size - EDGE));
  const tries = [
    [at.right + GAP, into(at.top, h, innerHeight)],
    [at.left - GAP - w, into(at.top, h, innerHeight)],
    [into(at.left, w, innerWidth), at.bottom + GAP],
    [into(at.left, w, innerWidth), at.top - GAP - h],
  ];
  const fits = ([x, y]) => x >= EDGE && y >= EDGE && x + w <= innerWidth - EDGE && y + h <= innerHeight - EDGE;
  const [x, y] = tries.find(fits) ?? [into(at.right - w - GAP, w, innerWidth), into(at.bottom - h - GAP, h, innerHeight)];
  about.style.left = `${x}px`;
  about.style.top = `${y}px`;
}

onChange(() => { if (pointed.at && !pointed.at.isConnected) close(); });
addEventListener("resize", () => { if (pointed.at) put(pointed.at); });

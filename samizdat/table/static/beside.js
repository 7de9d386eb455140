// Beside the board: the legend, and rules. Nobody has to leave the board to read them.
import { about, piece } from "./answers.js";
import { close } from "./answering.js";
import { $, all, byId, narrow } from "./dom.js";

const beside = byId("beside");
let before = null; // where the keyboard stood

async function open(address, kind) {
  const html = await piece(address);
  if (!html) return false;
  if (beside.hidden) before = document.activeElement;
  if (narrow.matches) close(); // there is room for one
  beside.innerHTML = html;
  beside.dataset.kind = kind;
  beside.setAttribute("aria-labelledby", `${kind}-title`);
  beside.hidden = false;
  $("[data-close]", beside).focus({ preventScroll: true });
  return true;
}

// Whether there was something to fold.
export function fold() {
  if (beside.hidden) return false;
  if (beside.contains(document.activeElement)) before?.focus?.({ preventScroll: true });
  beside.hidden = true;
  beside.replaceChildren();
  return true;
}

export function legend() {
  if (!beside.hidden && beside.dataset.kind === "legend") return void fold();
  close();
  open(about.dataset.legend, "legend");
}

async function rule(link) {
  const { pathname, hash } = new URL(link.href);
  if (!(await open(`${pathname}/${hash.slice(1)}`, "rule"))) location.assign(link.href);
}

document.addEventListener("click", (event) => {
  const node = event.target;
  const link = node.closest("a[href*='/rules/'][href*='#']:not([data-book])");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (node.closest("[data-legend-open]")) {
    node.closest("[data-menu]")?.removeAttribute("open");
    legend();
  } else if (node.closest("#beside [data-close]")) fold();
  else if (link && plain) {
    event.preventDefault();
    rule(link);
  }
});

for (const button of all("[data-legend-open]")) button.hidden = false;

// Reading the rules: finding words, folds that open for whoever is sent to them, and paper. The page is whole without this.
import { $, all, byId, calm } from "./dom.js";
import { places } from "./seeking.js";

const text = byId("text");
const seek = byId("seek");
const sought = byId("sought");
const contents = $(".contents details");
const narrow = matchMedia("(max-width: 899px)"); // the contents are a bar
const UPPER = 0.15; // of the screen: the part whose title has passed it is the one being read
const marks = globalThis.Highlight && CSS.highlights ? { all: new Highlight(), here: new Highlight() } : null;

let found = [];
let at = -1;
let opened = []; // folds that the search opened, and closes again

if (marks) {
  CSS.highlights.set("sought", marks.all);
  CSS.highlights.set("sought-here", marks.here);
}

// --- folds ---------------------------------------------------------------------------------------------------

function unfold(element) {
  const shut = [];
  for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    if (!fold.open) shut.push(fold);
    fold.open = true;
  }
  return shut;
}

function arrive() {
  const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  if (!target || !text.contains(target)) return;
  if (unfold(target).length) target.scrollIntoView();
}

addEventListener("hashchange", arrive);
arrive();

let shut = []; // what paper opened
addEventListener("beforeprint", () => {
  shut = all("details:not([open])", text);
  for (const fold of shut) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of shut) fold.open = false;
});
const print = byId("print");
print.hidden = false;
print.addEventListener("click", () => globalThis.print());

// --- contents ------------------------------------------------------------------------------------------------

function fit() {
  contents.open = !narrow.matches;
}
narrow.addEventListener("change", fit);
fit();
contents.addEventListener("click", (event) => {
  if (narrow.matches && event.target.closest("a")) contents.open = false;
});

const links = new Map(all("a", contents).map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...links.keys()].map((id) => byId(id));

function follow() {
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * UPPER);
  for (const link of links.values()) link.removeAttribute("aria-current");
  links.get(above.at(-1)?.id)?.setAttribute("aria-current", "true");
}

let drawing = 0;
addEventListener("scroll", () => (drawing ||= requestAnimationFrame(() => ((drawing = 0), follow()))), { passive: true });
follow();

// --- search --------------------------------------------------------------------------------------------------

function show() {
  sought.textContent = seek.value.trim() ? (found.length ? `${at + 1} / ${found.length}` : sought.dataset.none) : "";
  for (const button of all("[data-seek]")) button.hidden = found.length < 2;
  if (!marks) return;
  marks.all.clear();
  marks.here.clear();
  found.forEach((range, i) => (i === at ? marks.here : marks.all).add(range));
}

function go(to) {
  if (!found.length) return;
  at = (to + found.length) % found.length;
  show();
  found[at].startContainer.parentElement.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
}

function find() {
  for (const fold of opened) fold.open = false;
  opened = [];
  found = places(text, seek.value);
  for (const range of found) opened.push(...unfold(range.startContainer.parentElement));
  at = found.length ? 0 : -1;
  show();
  if (found.length) go(0);
}

$(".seek").hidden = false;
seek.addEventListener("input", find);
seek.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && seek.value) {
    seek.value = "";
    find();
  } else if (event.key === "Enter" && event.shiftKey) {
    event.preventDefault();
    go(at - 1);
  }
});
$(".seek").addEventListener("submit", (event) => {
  event.preventDefault();
  go(at + 1);
});
$("[data-seek=back]").addEventListener("click", () => go(at - 1));

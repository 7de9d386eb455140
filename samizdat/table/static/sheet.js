// One screen: index tabs, and the sheet of a phone.
import { $, all, byId, narrow } from "./dom.js";

const main = byId("main");
const HEIGHTS = ["peek", "half", "full"];
let opened = `${main.dataset.on} ${main.dataset.sheet}`; // with what the last decision was made

export function markTabs() {
  const shown = narrow.matches ? main.dataset.on : main.dataset.fold;
  const decides = opened.split(" ")[0];
  for (const tab of all("#tabs [role=tab]")) {
    const name = tab.dataset.show;
    tab.setAttribute("aria-selected", String(name === shown));
    if (name === shown) main.toggleAttribute("data-look", narrow.matches && !("holds" in tab.dataset) && name !== decides);
  }
  for (const section of all("#main [data-tab]")) { // also those that have no tab in this variant
    const name = section.dataset.tab;
    const folds = narrow.matches || $(`#tabs [data-show="${name}"][data-fold]`);
    section.classList.toggle("unshown", folds && name !== shown);
  }
}

export function showTab(name) {
  if (narrow.matches) main.dataset.on = name;
  else if ($(`#tabs [data-show="${name}"][data-fold]`)) main.dataset.fold = name;
  if (narrow.matches && main.dataset.sheet === "peek") main.dataset.sheet = "half";
  markTabs();
}

// The server says which section a decision is made with and how high its sheet stands; told once for each kind of
// decision, so that a sheet that was pulled by hand stays where it was pulled to. While others decide it stays, too: they
// do what one has just done oneself, and the board keeps its size.
export function openSheet(again = false) {
  const { dataset, classList } = byId("status");
  if (again || (classList.contains("acts") && dataset.opens !== opened)) {
    [main.dataset.on, main.dataset.sheet] = dataset.opens.split(" ");
    opened = dataset.opens;
  }
  markTabs();
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest("#tabs [data-show]");
  if (!tab) return;
  const open = narrow.matches && main.dataset.on === tab.dataset.show && main.dataset.sheet !== "peek";
  if (open) main.dataset.sheet = "peek"; // the tab that is open already folds its sheet
  else showTab(tab.dataset.show);
});

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest("#tabs [role=tab]");
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!tab || !by) return;
  const tabs = all("#tabs [role=tab]").filter((one) => one.offsetWidth);
  const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
  next.focus();
  showTab(next.dataset.show);
});

const grab = $(".grab");
function pull(by) {
  const at = HEIGHTS.indexOf(main.dataset.sheet) + by;
  main.dataset.sheet = HEIGHTS[Math.max(0, Math.min(HEIGHTS.length - 1, at))];
}

let pulledFrom = null;
grab.addEventListener("pointerdown", (event) => { pulledFrom = event.clientY; grab.setPointerCapture(event.pointerId); });
grab.addEventListener("pointerup", (event) => {
  const by = pulledFrom - event.clientY;
  pulledFrom = null;
  if (Math.abs(by) > 24) pull(Math.sign(by));
  else main.dataset.sheet = main.dataset.sheet === "half" ? "peek" : "half";
});
grab.addEventListener("keydown", (event) => {
  if (event.key === "ArrowUp") pull(1);
  else if (event.key === "ArrowDown") pull(-1);
  else if (event.key === "Enter" || event.key === " ") pull(main.dataset.sheet === "full" ? -2 : 1);
  else return;
  event.preventDefault();
});

narrow.addEventListener("change", markTabs);
markTabs();

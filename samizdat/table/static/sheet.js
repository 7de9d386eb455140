// One screen: index tabs, the sheet of a phone, and maps brought near.
"use strict";

const main = document.getElementById("main");
const narrow = matchMedia("(max-width: 1099px)");
const HEIGHTS = ["peek", "half", "full"];

// --- tabs and the sheet ----------------------------------------------------------------------------------

function markTabs() {
  const shown = narrow.matches ? main.dataset.on : main.dataset.fold;
  const decides = document.getElementById("status").dataset.opens.split(" ")[0];
  for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
    const name = tab.dataset.show;
    tab.setAttribute("aria-selected", String(name === shown));
    const away = (narrow.matches || "fold" in tab.dataset) && name !== shown;
    for (const section of document.querySelectorAll(`[data-tab="${name}"]`)) section.classList.toggle("unshown", away);
    if (name === shown) main.toggleAttribute("data-look", narrow.matches && !("holds" in tab.dataset) && name !== decides);
  }
}

function showTab(name) {
  if (narrow.matches) main.dataset.on = name;
  else if (document.querySelector(`#tabs [data-show="${name}"][data-fold]`)) main.dataset.fold = name;
  if (narrow.matches && main.dataset.sheet === "peek") main.dataset.sheet = "half";
  markTabs();
}

// The server says which section a decision is made with and how high its sheet stands; told once for each kind of
// decision, so that a sheet that was pulled by hand stays where it was pulled to.
let opened = main.dataset.on + " " + main.dataset.sheet;
function openSheet(again = false) {
  const wanted = document.getElementById("status").dataset.opens;
  if (again || wanted !== opened) [main.dataset.on, main.dataset.sheet] = wanted.split(" ");
  opened = wanted;
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
  const tabs = [...document.querySelectorAll("#tabs [role=tab]")].filter((one) => one.offsetWidth);
  const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
  next.focus();
  showTab(next.dataset.show);
});

const grab = document.querySelector(".grab");
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

// --- maps: the land grows, the pieces do not, so that what lies close comes apart --------------------------

const NEAREST = 3;
const near = new Map(); // of each map: how near it is, and where

function place(rub) {
  const view = near.get(rub);
  const pane = rub.querySelector(".pane");
  const [w, h] = [rub.clientWidth, rub.clientHeight];
  view.x = Math.max(w - w * view.z, Math.min(0, view.x));
  view.y = Math.max(h - h * view.z, Math.min(0, view.y));
  for (const [name, value] of [["--z", view.z], ["--zx", view.x], ["--zy", view.y]]) pane.style.setProperty(name, value);
  rub.classList.toggle("near", view.z > 1.01);
  rub.querySelector(".zoom")?.setAttribute("aria-pressed", String(view.z > 1.01));
}

function zoomAt(rub, z, x, y) {
  const view = near.get(rub);
  const next = Math.max(1, Math.min(NEAREST, z));
  view.x = x - (x - view.x) * next / view.z;
  view.y = y - (y - view.y) * next / view.z;
  view.z = next;
  place(rub);
}

// The glass goes to what can be chosen, and back to the whole.
function glass(rub) {
  const view = near.get(rub);
  const box = rub.getBoundingClientRect();
  if (view.z > 1.01) return zoomAt(rub, 1, 0, 0);
  const what = [...rub.querySelectorAll(".legal .at, .legal .lg, .wow-arrow line, .sel")]
    .map((element) => element.getBoundingClientRect()).filter((found) => found.width);
  const middle = (low, high) => (Math.min(...what.map((r) => r[low])) + Math.max(...what.map((r) => r[high]))) / 2;
  const x = (what.length ? middle("left", "right") : box.left + box.width / 2) - box.left;
  const y = (what.length ? middle("top", "bottom") : box.top + box.height / 2) - box.top;
  zoomAt(rub, 1.9, x, y);
  view.x += box.width / 2 - x;
  view.y += box.height / 2 - y;
  return place(rub);
}

function watch(rub) {
  near.set(rub, { z: 1, x: 0, y: 0 });
  const fingers = new Map();
  let moved = 0;
  rub.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = 0; });
  rub.addEventListener("pointermove", (event) => {
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    const box = rub.getBoundingClientRect();
    const view = near.get(rub);
    if (other) {
      const gap = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      const [x, y] = [(event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top];
      zoomAt(rub, view.z * gap(event) / gap(old), x, y);
    } else if (view.z > 1.01) {
      view.x += event.clientX - old.clientX;
      view.y += event.clientY - old.clientY;
      place(rub);
    }
    moved += Math.hypot(event.clientX - old.clientX, event.clientY - old.clientY);
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    rub.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  rub.addEventListener("click", (event) => { // a drag is not a tap
    if (moved > 8) { event.stopPropagation(); event.preventDefault(); }
    else if (event.target.closest(".zoom")) glass(rub);
  }, true);
  rub.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = rub.getBoundingClientRect();
    zoomAt(rub, near.get(rub).z * Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  new ResizeObserver(() => place(rub)).observe(rub);
}

// A board that was drawn anew has lost what only this page knows.
function keepNear() {
  for (const rub of document.querySelectorAll(".fit .rub")) {
    if (near.has(rub)) place(rub);
    else watch(rub);
  }
}

narrow.addEventListener("change", markTabs);
markTabs();
keepNear();

// Maps brought near: the land grows, the pieces do not, so that what lies close comes apart.
import { all } from "./dom.js";

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
  const what = all(".legal .at, .legal .lg, .wow-arrow line, .sel", rub)
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
export function keepNear() {
  for (const rub of all(".fit .rub")) {
    if (near.has(rub)) place(rub);
    else watch(rub);
  }
}

keepNear();

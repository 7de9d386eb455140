// How fast the turns of others are told; each person's own choice, which the browser remembers.
import { all } from "./dom.js";
import { here } from "./here.js";

const MILLISECONDS = { slow: 2400, normal: 1200, fast: 400, once: 0 };
const NAMES = Object.keys(MILLISECONDS);
const YEAR = 31536000; // seconds

export const pace = () => MILLISECONDS[here.pace] ?? MILLISECONDS.normal;
export const after = (name) => NAMES[(NAMES.indexOf(name) + 1) % NAMES.length];

export function setPace(name) {
  here.pace = name;
  document.cookie = `pace=${name};path=/;max-age=${YEAR};samesite=lax`;
  markPace();
}

export function markPace() {
  for (const button of all("#lane [data-pace]")) {
    button.setAttribute("aria-pressed", String(button.dataset.pace === here.pace));
  }
}

// What is put down next (a kind of token) is chosen first; places then show whether they take it.
import { all } from "./dom.js";

let kind = "";
export const armed = () => kind;

export function arm(wanted) {
  const buttons = all("[data-arm]");
  if (!buttons.length) return;
  const usable = buttons.filter((button) => button.getAttribute("aria-disabled") !== "true");
  if (wanted) kind = wanted;
  if (!usable.some((button) => button.dataset.arm === kind)) kind = (usable[0] || buttons[0]).dataset.arm;
  for (const button of buttons) {
    const chosen = button.dataset.arm === kind;
    button.setAttribute("aria-pressed", chosen);
    button.classList.toggle("chosen", chosen);
    button.classList.toggle("mark", chosen);
  }
  for (const place of all("[data-adds]")) {
    const open = place.dataset.open.split(" ").includes(kind);
    place.classList.toggle("legal", open);
    place.classList.toggle("cant", !open);
    place.setAttribute("aria-disabled", !open);
  }
}

// Links are copied by a button where there is a clipboard: it exists only on a safe connection.
import { all } from "./dom.js";

if (navigator.clipboard) for (const button of all("[data-copy]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const target = event.target.closest("[data-copy]");
  if (!target) return;
  await navigator.clipboard.writeText(target.dataset.copy);
  target.classList.add("copied");
  if (target.dataset.done) target.textContent = target.dataset.done;
});

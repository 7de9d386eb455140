// Menus close when one turns elsewhere; and buttons that open a dialog are shown where there is a script.
import { $, all, byId } from "./dom.js";

for (const button of all("[data-dialog]")) button.hidden = false;

document.addEventListener("click", (event) => {
  for (const menu of all("[data-menu][open]")) {
    if (!menu.contains(event.target) || event.target.closest("[data-history],[data-dialog]")) menu.open = false;
  }
  const opener = event.target.closest("[data-dialog]");
  if (opener) byId(opener.dataset.dialog).showModal();
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && $("[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  $("summary", menu).focus();
});

// Links are copied by a button where there is a clipboard: it exists only on a safe connection.
import { all } from "./dom.js";

if (navigator.clipboard) for (const button of all("[data-copy]")) button.hidden = false;

// The device's own way to share comes first; where there is none, copying does.
for (const button of all("[data-share-link]")) button.hidden = !navigator.share;
if (!navigator.share) for (const button of all("[data-first]")) button.classList.add("go");

// A link that leads somewhere by itself is given to others instead, where the device or the clipboard can do that.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share-link]");
  if (button) return void navigator.share({ title: button.dataset.title, url: button.dataset.shareLink }).catch(() => null);
  const target = event.target.closest("[data-share]");
  if (!target || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  if (navigator.share) return void navigator.share({ title: document.title, url: target.href }).catch(() => null);
  await navigator.clipboard.writeText(target.href);
  target.classList.add("copied");
  target.querySelector("span").textContent = target.dataset.done;
});

document.addEventListener("click", async (event) => {
  const target = event.target.closest("[data-copy]");
  if (!target) return;
  await navigator.clipboard.writeText(target.dataset.copy);
  target.classList.add("copied");
  if (target.dataset.done) target.textContent = target.dataset.done;
});

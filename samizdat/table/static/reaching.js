// The page on which somebody says how to be reached: this browser can be asked, and tells its time zone.
import { $, all } from "./dom.js";

const button = $("[data-push]");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

function refuse(words) {
  const place = $("[data-push-wrong]");
  place.textContent = words;
  place.hidden = false;
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return refuse(button.dataset.blocked);
  const worker = await navigator.serviceWorker.ready;
  const wish = { userVisibleOnly: true, applicationServerKey: bytes(button.dataset.push) };
  const found = await worker.pushManager.subscribe(wish).catch(() => null);
  if (!found) return refuse(button.dataset.failed);
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/settings/notices/push", { method: "POST", body: JSON.stringify(found), headers });
  if (answer.ok) return location.reload();
  return refuse((await answer.json()).error);
}

if (button && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis) {
  button.hidden = false;
  $("[data-no-push]").hidden = true;
  button.addEventListener("click", subscribe);
}

for (const zone of all("[data-zone]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone.value === "UTC" && [...zone.options].some((one) => one.value === here)) zone.value = here;
}

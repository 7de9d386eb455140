// The page that the service worker kept when it came is brought up to date before somebody leaves it. Only one that is
// still kept: whoever sits at this screen by now may be somebody else.
import { here, shown } from "./here.js";
import { lastContact, onLost } from "./stream.js";
import { last } from "./telling.js";

async function keep() {
  const name = `kept-${here.person}`;
  if (!here.person || !("caches" in globalThis) || !Object.keys(last).length || !(await caches.has(name))) return;
  const cache = await caches.open(name);
  const old = await cache.match(here.path);
  if (!old) return;
  const copy = new DOMParser().parseFromString(await old.text(), "text/html");
  for (const [part, html] of Object.entries(last)) {
    const place = copy.getElementById(part);
    if (place) place.outerHTML = html;
  }
  copy.getElementById("table").dataset.version = shown.known;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Samizdat-Kept": String(lastContact()) };
  await cache.put(here.path, new Response(`<!doctype html>${copy.documentElement.outerHTML}`, { headers }));
}

document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); });
addEventListener("pagehide", keep);
onLost(keep);

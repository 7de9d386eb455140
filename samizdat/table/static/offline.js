// Without a network: the tables that were kept, and another try.
import { $, byId, made } from "./dom.js";

const LONGEST = 24 * 3_600_000; // as long as the service worker shows them

async function list() {
  const place = $("#kept ul");
  const names = (await caches.keys()).filter((name) => name.startsWith("kept-"));
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const page = await cache.match(request);
      const when = Number(page.headers.get("Samizdat-Kept"));
      if (Date.now() - when > LONGEST) continue;
      const title = new DOMParser().parseFromString(await page.text(), "text/html").title.split(" · ")[0];
      const link = Object.assign(made("a", title), { href: new URL(request.url).pathname });
      const how = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
      const time = new Date(when).toLocaleString(document.documentElement.lang, how);
      const line = made("li", "");
      line.append(link, " ", made("small", place.dataset.since.replace("{time}", time), "type"));
      place.append(line);
    }
  }
  byId("kept").hidden = !place.children.length;
}

const again = byId("again");
again.hidden = false;
again.addEventListener("click", () => location.reload());

// A device says that it has a network before it has one: the table itself is asked.
const ASKING = 3_000; // milliseconds
async function ask() {
  const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
if (location.pathname !== "/offline") { // it stands for another page
  addEventListener("online", ask);
  setInterval(ask, ASKING);
}
if ("caches" in globalThis) list();

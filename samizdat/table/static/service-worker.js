// The table without a network: our own files, and for each table the last page as its seat saw it. Pages belong to one
// person: when the server says that somebody else is here, or a form is sent that may change who that is, they go. A
// page that several share at one screen is never kept; the server says which may be ("Samizdat-Keep").
self.importScripts("/static/push.js"); // what it does with messages
const VERSION = new URL(self.location).searchParams.get("v");
const FILES = `files-${VERSION}`;
const KEPT = "kept-"; // and whose they are
const LONGEST = 24 * 3_600_000; // milliseconds; a right that was taken away elsewhere is not outlived by long
const MOST = 20; // tables
const PERSONAL = /^\/(sign-in|sign-out|account|settings|you)\b/;
const AWAY = [502, 504]; // what a proxy answers whose server is not there

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(prepare());
});

// The page that says that there is no network, with what it is made of.
async function prepare() {
  const cache = await caches.open(FILES);
  const answer = await fetch("/offline");
  const needed = [...(await answer.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((found) => found[1]);
  await cache.put("/offline", answer);
  await cache.addAll([...new Set(needed)]);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(drop((name) => name.startsWith("files-") && name !== FILES).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (request.mode === "navigate" || PERSONAL.test(pathname)) event.waitUntil(drop((name) => name.startsWith(KEPT)));
  } else if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (/^\/(static|boards)\//.test(pathname)) event.respondWith(file(event));
});

async function drop(which) {
  const names = (await caches.keys()).filter(which);
  await Promise.all(names.map((name) => caches.delete(name)));
}

// A page from the network; without one, as it was kept, or the page that says so.
async function page(event, path) {
  const answer = await fetch(event.request).catch(() => null);
  if (!answer || AWAY.includes(answer.status)) return (await kept(path)) ?? (await caches.match("/offline")) ?? Response.error();
  const person = answer.headers.get("Samizdat-Person");
  if (person) await drop((name) => name.startsWith(KEPT) && name !== KEPT + person);
  if (person && answer.ok && answer.headers.has("Samizdat-Keep")) event.waitUntil(keep(KEPT + person, path, answer.clone()));
  else await forget(path);
  return answer;
}

async function keep(name, path, answer) {
  const cache = await caches.open(name);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Samizdat-Kept": String(Date.now()) };
  await cache.put(path, new Response(await answer.text(), { headers }));
  const all = await cache.keys();
  await Promise.all(all.slice(0, -MOST).map((old) => cache.delete(old)));
}

// A table that answers otherwise than with a page to keep: the seat was given away, or the screen is shared now.
async function forget(path) {
  const names = (await caches.keys()).filter((name) => name.startsWith(KEPT));
  await Promise.all(names.map(async (name) => (await caches.open(name)).delete(path)));
}

async function kept(path) {
  for (const name of await caches.keys()) {
    const found = name.startsWith(KEPT) && (await (await caches.open(name)).match(path));
    if (!found) continue;
    const when = Number(found.headers.get("Samizdat-Kept"));
    if (Date.now() - when > LONGEST) return void (await forget(path));
    const html = (await found.text()).replace("<html ", `<html data-kept="${when}" `);
    return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
  return null;
}

// Our files: those whose address changes with what lies behind it are fetched once.
async function file(event) {
  const { request } = event;
  const cache = await caches.open(FILES);
  const known = request.url.includes(VERSION) && request.url.includes("/static/") && (await cache.match(request));
  if (known) return known;
  const answer = await fetch(request).catch(() => null);
  if (!answer) return (await cache.match(request)) ?? Response.error();
  if (answer.status === 200) event.waitUntil(cache.put(request, answer.clone()));
  return answer;
}

// What a service worker does with messages: it shows them, and leads to the table. It is a script of a worker, not a
// module of a page: `/service-worker.js` brings it in.
/* global self */

// Whoever has the table before their eyes is not told again.
async function looksOn(link) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.focused && page.url.split("?")[0] === link);
}

async function tell(told) {
  if (await looksOn(told.link)) return;
  const { title, body, link, tag } = told;
  await self.registration.showNotification(title, { body, tag, renotify: true, icon: "/static/icon.svg", data: { link } });
}

async function go(link) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url.split("?")[0] === link);
  await (there ? there.focus() : self.clients.openWindow(link));
}

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(tell(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data.link));
});

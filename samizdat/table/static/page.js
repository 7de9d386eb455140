// Every page: light or dark, menus, copying links. Nothing here is needed to play.
"use strict";

const YEAR = 31536000;

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-theme-switch],[data-copy],[data-dialog]");
  if (!target) return;
  if ("themeSwitch" in target.dataset) {
    event.preventDefault(); // without a script, its form does the same
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    document.cookie = `theme=${dark ? "light" : "dark"};path=/;max-age=${YEAR};samesite=lax`;
  } else if (target.dataset.dialog) {
    target.closest("[data-menu]")?.removeAttribute("open");
    document.getElementById(target.dataset.dialog).showModal();
  } else {
    navigator.clipboard?.writeText(target.dataset.copy).then(() => {
      target.classList.add("copied");
      if (target.dataset.done) target.textContent = target.dataset.done;
    });
  }
});

// Buttons that need a script are shown where there is one; the clipboard exists only on a safe connection.
for (const button of document.querySelectorAll("[data-dialog]")) button.hidden = false;
if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

// A menu closes when one turns elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (!menu.contains(event.target) || event.target.closest("[data-history]")) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Streams beat every 15 seconds; one that is silent for so many milliseconds is dead.
const SILENCE = 40_000;

// Rooms where one waits follow what happens while somebody looks; a name that is being typed is not lost to a reload.
const room = document.querySelector("[data-follow]");
if (room) {
  let source;
  let heard; // when the stream last told anything
  const follow = () => {
    source?.close();
    heard = performance.now();
    if (document.hidden) return; // a browser has few connections to a host, for all tabs together
    source = new EventSource(room.dataset.follow);
    for (const name of ["reload", "step", "refresh"]) source.addEventListener(name, again);
    source.addEventListener("beat", () => { heard = performance.now(); });
  };
  const watch = setInterval(() => { // a stream can be refused, or die without a word
    if (source?.readyState === EventSource.CLOSED || performance.now() - heard > SILENCE) follow();
  }, 5_000);
  const again = () => {
    source.close();
    clearInterval(watch);
    document.removeEventListener("visibilitychange", follow);
    const field = document.activeElement;
    const typing = field instanceof HTMLInputElement && field.value !== field.defaultValue;
    if (typing) field.addEventListener("blur", () => setTimeout(() => location.reload(), 200), { once: true });
    else location.reload();
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}

// Rooms where one waits follow what happens while somebody looks; a name that is being typed is not lost to a reload.
import { $ } from "./dom.js";
import { Pulse } from "./pulse.js";

const GONE = 10_000; // milliseconds in which whoever left by a link is gone

function follow(address) {
  const pulse = new Pulse();
  let source;
  let leaving = false;
  let missed = false; // something happened meanwhile

  function listen() {
    source?.close();
    pulse.beat();
    if (document.hidden) return; // a browser has few connections to a host, for all tabs together
    source = new EventSource(address);
    for (const name of ["reload", "step", "refresh"]) source.addEventListener(name, again);
    source.addEventListener("beat", () => pulse.beat());
  }

  const watch = setInterval(() => { // a stream can be refused, or die without a word
    if (source?.readyState === EventSource.CLOSED || pulse.dead) listen();
  }, 5_000);

  function again() {
    source.close();
    clearInterval(watch);
    document.removeEventListener("visibilitychange", listen);
    const field = document.activeElement;
    const typing = field instanceof HTMLInputElement && field.value !== field.defaultValue;
    if (typing) field.addEventListener("blur", () => setTimeout(() => location.reload(), 200), { once: true });
    else if (leaving) missed = true;
    else location.reload();
  }

  // To reload would break off the way of whoever has just said "ready". A link may also lead nowhere, to a letter say.
  addEventListener("beforeunload", () => {
    leaving = true;
    setTimeout(() => {
      leaving = false;
      if (missed) location.reload();
    }, GONE);
  });

  document.addEventListener("visibilitychange", listen);
  listen();
}

const room = $("[data-follow]");
if (room) follow(room.dataset.follow);

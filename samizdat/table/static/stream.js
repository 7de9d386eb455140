// The stream of events of a table: opened, watched over, and opened again.
import { byId } from "./dom.js";
import { eyes, here, page, say, shown } from "./here.js";
import { Pulse } from "./pulse.js";
import { refusal, refused } from "./refusal.js";

export const BLINK = 3_000; // milliseconds; a connection that is back by then was hardly gone

const heard = {}; // by the name of an event: who wants to hear it
const pulse = new Pulse();
let source;
let left = false; // for good
let retry; // of a stream that was refused
let warning; // that the connection is lost
const before = Number(document.documentElement.dataset.kept); // when a page was kept that is shown without a network
let contact = before || Date.now(); // the last word from the table
let lost = ""; // what was said of it
let onLose = () => null;
let change = here.change; // what the page was made with; whoever comes back is sent everything

export const onStream = (name, hear) => { heard[name] = hear; };
export const lastHeard = () => pulse.last;
export const lastContact = () => contact;
export const onLost = (act) => { onLose = act; };

export function hangUp() {
  source?.close();
}

export function leave() {
  left = true;
  hangUp();
}

export function listen() {
  clearTimeout(retry);
  hangUp();
  if (document.hidden || left || !here.path) return; // a preview on disk has no stream
  const whose = here.seat === "" ? "looking=true" : `seat=${here.seat}`;
  source = new EventSource(`${here.path}/events?since=${shown.known}&change=${change}&heard=${byId("talk")?.dataset.heard ?? ""}&${whose}`);
  change = -1;
  pulse.beat();
  for (const name of ["step", "refresh", "talk", "beat"]) {
    source.addEventListener(name, (message) => {
      pulse.beat();
      contact = Date.now();
      heard[name]?.(JSON.parse(message.data));
    });
  }
  source.addEventListener("reload", () => location.reload());
  source.onopen = () => {
    clearTimeout(warning);
    contact = Date.now();
    page.classList.remove("offline");
    if (lost && refused().startsWith(lost)) refusal(null);
  };
  source.onerror = () => {
    lose(before ? 0 : BLINK);
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(again, 2000);
  };
}

function lose(patience) {
  if (page.classList.contains("offline")) return;
  page.classList.add("offline");
  warning = setTimeout(warn, patience);
  onLose();
}

// Since when there is no connection: the hour, and the day if it was another.
function warn() {
  const when = new Date(contact);
  const today = when.toDateString() === new Date().toDateString();
  const how = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(today ? {} : { day: "numeric", month: "short" }) };
  lost = say.lost.replace("{time}", when.toLocaleString(document.documentElement.lang, how));
  refusal({ error: lost, press: { word: say.tryNow, act: listen } });
}

// The stream was refused: the seat may have been given to somebody else while the connection was lost.
async function again() {
  const answer = await fetch(`${here.path}/step/0${eyes}`).catch(() => null);
  if (answer?.status === 403) location.replace(here.path);
  else listen();
}

setInterval(() => { if (pulse.dead) listen(); }, 10_000);

// A browser keeps six connections to a host, for all tabs together: a tab that nobody looks at gives its own back. Shown
// again, it is sent every step that it missed, once.
document.addEventListener("visibilitychange", listen);

// A device knows by itself that it has no network, long before the stream is missed.
addEventListener("offline", () => {
  hangUp();
  lose(0);
});
addEventListener("online", listen);

// What is asked of the server: about something on the board, the legend, a rule.
import { byId } from "./dom.js";

export const about = byId("about"); // where something that is pointed at answers
const home = byId("table") ?? byId("replay");

const LAST = 1e6; // steps: the end of any match

// A past step, a draft, a replay, somebody else's hand in the end: the board itself says which position it shows.
function question(element) {
  const { path } = about.dataset;
  const asked = new URLSearchParams({ what: element.dataset.about });
  const through = element.closest("[data-through]")?.dataset.through;
  const seat = (eyes) => { if (eyes) asked.set("seat", eyes); return asked; };
  if (path.endsWith("/replay")) {
    const now = new URLSearchParams(location.search);
    return `${path}/${now.get("step") ?? 0}/about?${seat(through ?? now.get("seat"))}`;
  }
  if (through) return `${path}/replay/${LAST}/about?${seat(through)}`;
  asked.set("step", byId("status").dataset.step);
  return `${path}/about?${seat(home.dataset.seat)}`;
}

// Each address is asked once; what could not be had is asked again the next time.
async function fetched(known, address) {
  if (!known.has(address)) {
    const answer = fetch(address).then((found) => (found.ok ? found.text() : "")).catch(() => "");
    known.set(address, answer);
  }
  const html = await known.get(address);
  if (!html) known.delete(address);
  return html;
}

const said = new Map(); // of the position that is shown
const lasting = new Map(); // the same for the whole match
export const answerOf = (element) => fetched(said, question(element));
export const piece = (address) => fetched(lasting, address);

// What changes on the board changes what its pieces say.
export function onChange(heard) {
  const watch = new MutationObserver(() => { said.clear(); heard(); });
  const seen = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-about", "class", "aria-label"] };
  for (const id of ["board", "hand", "seats"]) if (byId(id)) watch.observe(byId(id), seen);
}

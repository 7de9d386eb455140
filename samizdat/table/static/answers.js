// What is asked of the server: about something on the board, the legend, a rule.
import { byId } from "./dom.js";

export const about = byId("about"); // where something that is pointed at answers
const home = byId("table") ?? byId("replay");

// A past step, a draft, a replay: the board itself says which position it shows.
function question(element) {
  const asked = new URLSearchParams({ what: element.dataset.about });
  if (!about.dataset.path.endsWith("/replay")) {
    asked.set("step", byId("status").dataset.step);
    if (home.dataset.seat !== "") asked.set("seat", home.dataset.seat);
    return `${about.dataset.path}/about?${asked}`;
  }
  const now = new URLSearchParams(location.search);
  const eyes = element.closest("[data-through]")?.dataset.through ?? now.get("seat");
  if (eyes) asked.set("seat", eyes);
  return `${about.dataset.path}/${now.get("step") ?? 0}/about?${asked}`;
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

// Advice for the seat that is to decide, from what it knows: drawn on the board, and a sheet at the foot of the screen.
import { post } from "./deciding.js";
import { $, all, byId, made } from "./dom.js";
import { acts, here, on, onPress, say } from "./here.js";
import { clear, draw, only } from "./marks.js";
import { bring } from "./sight.js";

let advising = 0; // only the newest question is answered
let asked = ""; // what could be chosen then

const choices = () => $("#choices ul").textContent;

// Whether there was something to close.
export function closeHint() {
  const place = byId("hint");
  advising += 1;
  clear();
  if (place.hidden) return false;
  place.hidden = true;
  return true;
}

function showHint(...children) {
  const place = byId("hint");
  const close = made("button", "", "close");
  close.setAttribute("aria-label", say.close);
  close.innerHTML = '<svg class="g" aria-hidden="true"><use href="#g-close"/></svg>';
  close.onclick = () => { closeHint(); $("[data-hint]")?.focus(); };
  place.replaceChildren(...children, close);
  place.hidden = false;
}

const SIGNS = { wins: "check", risks: "close", note: "log" };

// One sentence of why: what it wins, what it risks, or something to know.
function reason({ sign, text }) {
  const line = made("span", "", `why ${sign}`);
  line.innerHTML = `<svg class="g" aria-hidden="true"><use href="#g-${SIGNS[sign]}"/></svg>`;
  if (say[sign]) line.append(made("span", `${say[sign]} `, "vh"));
  line.append(text);
  return line;
}

// One decision: what it is made of, its chance and how sure that is, and why. Pointed at, it alone is drawn.
function advice(one, place) {
  const item = document.createElement("li");
  item.append(made("b", one.labels.join(" · ")), " ");
  if (one.chance !== null) {
    const chance = made("span", `${one.chance} % `, "chance");
    chance.append(made("small", `± ${one.error}`));
    const bar = made("i", "", "bar");
    bar.style.setProperty("--chance", one.chance);
    bar.style.setProperty("--error", one.error);
    item.append(chance, " ", bar);
  }
  item.append(...one.why.map(reason));
  if (one.draft.length) {
    const button = made("button", say.tryIt, "btn");
    button.onclick = () => lay(one.draft);
    item.append(button);
  }
  item.tabIndex = 0;
  for (const name of ["pointerenter", "focusin"]) item.addEventListener(name, () => only(String(place + 1)));
  for (const name of ["pointerleave", "focusout"]) item.addEventListener(name, () => only(null));
  return item;
}

// What stands for a decision: places of the board, or else its button.
function drawing(one, place) {
  const moves = new Set(one.moves);
  const elements = one.places.length ? [] : all("#status [data-move]").filter((button) => moves.has(button.dataset.move));
  return { number: String(place + 1), ids: one.places, elements, from: one.from };
}

// A choice that is put together piece by piece is laid out as advised; nothing is sealed by that.
async function lay(draft) {
  closeHint();
  for (const change of [{ change: "clear" }, ...draft.map((notation) => ({ change: "add", notation }))]) {
    if (!(await post("draft", change))) return;
  }
  $("[data-seal]")?.focus({ preventScroll: true });
}

async function advise() {
  const place = byId("hint");
  const mine = ++advising;
  asked = choices();
  showHint(made("p", say.thinking, "cap"));
  while (mine === advising) {
    const answer = await fetch(`${here.path}/hint`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ seat: Number(here.seat) }),
    }).catch(() => null);
    const found = (await answer?.json().catch(() => null)) ?? { error: say.unreachable };
    if (mine !== advising) return;
    if (!found.hints) showHint(made("p", found.wait ?? found.error, "cap"));
    else {
      const list = document.createElement("ol");
      list.append(...found.hints.map(advice));
      const summary = found.summary ? [made("p", found.summary, "summary")] : [];
      showHint(made("h2", say.ways), made("p", say.chances, "cap"), list, ...summary);
      bring(found.hints[0]?.places.map(byId).filter(Boolean) ?? []); // the best way is in sight, also in a sheet that scrolls
      draw(found.hints.map(drawing));
      place.scrollTop = 0;
    }
    if (answer?.status !== 202) return;
    await new Promise((done) => setTimeout(done, 1500));
  }
}

onPress("[data-hint]", advise);
on("deciding", (what) => { if (what !== "draft") closeHint(); });
on("past", closeHint); // it is about the present
// What others do meanwhile does not take advice away; a jump to the present may lead to another position.
on("shown", (event) => { if (asked !== choices() || !acts() || event.steps === null) closeHint(); });

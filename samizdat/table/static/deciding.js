// Decisions are sent, one about each position. The server decides whether they stand.
import { here, say, shown, signal, telling } from "./here.js";
import { pressed } from "./pressed.js";
import { refusal } from "./refusal.js";
import { BLINK, lastHeard, listen } from "./stream.js";

const SOON = 300; // milliseconds; an answer that comes sooner needs no words

let posting = null; // what is on its way to the server
let posted = null; // the position it decides
let sealing = false; // a second press means the same

export const sending = () => posting !== null;

// `target` is what was pressed, if it was pressed.
export async function post(what, body, target = null) {
  if (what === "seal" && sealing) return false;
  if (what === "seal") sealing = true;
  const answered = pressed(target);
  try {
    // A quick hand lays token after token; and the stream may show the next position before the answer about the last
    // one is here. But a second decision about the same position is a slip.
    const composing = what === "draft" || what === "seal";
    let about = shown.version;
    while (posting && (composing || about !== posted)) await posting;
    if (posting || shown.past !== null || here.seat === "" || telling()) return false;
    if (composing) about = shown.version; // what others did meanwhile does not touch a draft
    signal("deciding", what);
    posted = what === "draft" ? null : about;
    posting = send(what, { version: about, ...body }).finally(() => { posting = null; });
    return await posting;
  } finally {
    answered();
    if (what === "seal") sealing = false;
  }
}

// Whether the server has taken it.
async function send(what, body) {
  refusal(null);
  const asked = performance.now();
  const waiting = setTimeout(() => refusal({ error: say.sending }), SOON);
  try {
    const answer = await fetch(`${here.path}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ seat: Number(here.seat), ...body }),
      signal: AbortSignal.timeout(15_000),
    });
    const told = await answer.json();
    refusal(answer.ok ? null : told);
    if (answer.ok || told.stale) setTimeout(() => { if (lastHeard() < asked) listen(); }, BLINK); // the stream should have told
    return answer.ok;
  } catch (error) {
    const unsure = error.name === "TimeoutError"; // it may have arrived; the stream will tell
    refusal({ error: unsure ? say.unsure : say.offline });
    if (unsure) listen();
    return false;
  } finally {
    clearTimeout(waiting);
  }
}

// History: the match so far, as this seat saw it.
import { $ } from "./dom.js";
import { eyes, here, onPress, say, shown, signal } from "./here.js";
import { refusal } from "./refusal.js";
import { jump } from "./showing.js";
import { asleep, resume } from "./telling.js";
import { mark } from "./title.js";

const NOW = 1_000_000; // a step that no match has: the last one is sent

async function fetchStep(number) {
  const answer = await fetch(`${here.path}/step/${number}${eyes}`);
  return answer.ok ? answer.json() : null;
}

async function walk(where) {
  if (where === "now") return present(await fetchStep(NOW));
  const at = where === "first" ? 0 : (shown.past ?? (await fetchStep(NOW)).last);
  const step = await fetchStep(Math.max(0, { first: 0, back: at - 1, forward: at + 1 }[where]));
  if (!step) return;
  if (step.step >= step.last) return present(step);
  jump(step, step.step);
  signal("past", step);
  asleep(false);
}

function present(now) {
  if (shown.past === null && now.version < shown.version) return; // a newer position was shown while this one was fetched
  jump(now, null);
  shown.version = now.version;
  shown.known = Math.max(shown.known, shown.version);
  mark();
  resume();
}

// Whoever looks back is told when it is their turn.
const ASKING = 3_000; // milliseconds
setInterval(async () => {
  if (shown.past === null || here.seat === "" || document.hidden) return;
  const answer = await fetch(`${here.path}/turn?seat=${here.seat}`).catch(() => null);
  const place = $("#status .yours");
  if (place && answer?.ok) place.hidden = !(await answer.json()).yours;
}, ASKING);

onPress("[data-history]", (target) => {
  walk(target.dataset.history).catch(() => refusal({ error: say.unreachable }));
});

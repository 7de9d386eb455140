// A press on a choice: on the board, in the hand, in the list, or on a button of the status line.
import { arm, armed } from "./arming.js";
import { post } from "./deciding.js";
import { all, phone } from "./dom.js";
import { on, onPress, say } from "./here.js";
import { refusal } from "./refusal.js";

export const DECIDES = "[data-move],[data-add],[data-adds],[data-take],[data-arm]";

let peeked = null; // the decision whose place was shown

// On a phone a map shows what a place is before it decides, or before it is told why it cannot be chosen.
function peek(target) {
  const move = target.dataset.move;
  if (!phone.matches || !target.closest(".peek") || peeked === move) return false;
  peeked = move;
  const place = all(".peek [data-move][aria-label]").find((one) => one.dataset.move === move);
  const fact = place.getAttribute("aria-label");
  refusal({ error: place.getAttribute("aria-disabled") === "true" ? fact : `${fact} – ${say.again}` });
  return true;
}

export function choose(target) {
  const data = target.dataset;
  if (data.move) {
    if (peek(target)) return;
    peeked = null;
    post("move", { move: data.move }, target);
  } else if (data.adds) {
    const notation = JSON.parse(data.adds)[armed()];
    if (notation) post("draft", { change: "add", notation }, target);
  } else if (data.add) post("draft", { change: "add", notation: data.add }, target);
  else if (data.take) post("draft", { change: "take", notation: data.take }, target);
  else if (data.arm) arm(data.arm);
}

onPress(`${DECIDES},[data-undo],[data-seal],[data-clear]`, (target, event) => {
  // A double click is one decision; but a place that was shown first on a phone is chosen by the second tap.
  if (event.detail === 2 && !peeked && event.target.closest("[data-move],[data-seal],[data-undo]")) return;
  const data = target.dataset;
  if ("undo" in data) post("undo", {}, target);
  else if ("seal" in data) post("seal", {}, target);
  else if ("clear" in data) post("draft", { change: "clear" }, target);
  else choose(target);
});
on("shown", () => { peeked = null; });

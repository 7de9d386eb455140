// Typing a box in: every field is checked when it is left, and the page shows what the server says of it.
// Without this the form is sent by its button.
import { $, all, byId } from "./dom.js";

const FIELDS = ".bt :is(input, select)";
let sending = Promise.resolve();
let waiting = 0;

const field = (target) => target.closest?.(FIELDS);
const place = (input) => input.name.replace("c-", "");

function ready() {
  document.body.classList.add("scripted");
  for (const note of all(".boxp .typing")) note.hidden = false;
}

// One table is sent after the other; only the answer to the last is shown, as the others are old by then.
function send(more = {}) {
  const form = $("[data-box]");
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  waiting += 1;
  sending = sending.then(async () => {
    const answer = await fetch($("[data-box]").action, { method: "POST", body, headers: { Accept: "text/html" } });
    waiting -= 1;
    if (!waiting) await show(answer);
    return null;
  }).catch(() => { waiting = Math.max(0, waiting - 1); });
  return sending;
}

async function show(answer) {
  const html = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = html.querySelector("main.boxp");
  if (!fresh) {
    byId("checked").textContent = html.querySelector("main")?.textContent.trim() ?? "";
    return;
  }
  history.replaceState(null, "", answer.url);
  globalThis.Idiomorph.morph($("main.boxp"), fresh, { morphStyle: "outerHTML", ignoreActiveValue: true });
  ready();
}

function goOn(input) {
  const inputs = all(FIELDS);
  inputs[inputs.indexOf(input) + 1]?.focus();
}

document.addEventListener("change", (event) => {
  if (field(event.target) || event.target.name === "name") send();
});

document.addEventListener("keydown", (event) => {
  const input = field(event.target);
  if (!input || !["Enter", "="].includes(event.key)) return;
  event.preventDefault();
  if (event.key === "=") {
    const here = place(input);
    input.blur();
    send({ house: here }).then(() => byId(`c-${here}`)?.focus());
  } else {
    send({ copy: place(input) });
    goOn(input);
  }
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-box]")) return;
  event.preventDefault();
  const button = event.submitter;
  send(button?.name ? { [button.name]: button.value } : {});
});

ready();

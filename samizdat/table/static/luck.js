// Whoever sits down adds a number to the luck of the table, made here, and keeps a receipt. The form is sent without one if
// the table cannot be asked for what stands fixed before; docs/fair-luck.md says what it is good for.
import { pressed } from "./pressed.js";
import { hex, keep } from "./receipts.js";

const PATIENCE = 4000; // milliseconds
const asked = new WeakSet(); // forms whose table is asked
const ready = new WeakSet(); // forms that may go

function put(form, name, value) {
  const field = form.querySelector(`input[type=hidden][name=${name}]`) ?? document.createElement("input");
  form.append(Object.assign(field, { type: "hidden", name, value }));
}

// A table to sit down at, or a ticket for one that is to be opened.
async function add(form) {
  const table = form.dataset.luck;
  const answer = await fetch(table ? `/api/tables/${table}` : "/api/luck", { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) return;
  const { id, table: promised, opened, commitment, ticket, so_far = "" } = await answer.json();
  const number = hex(crypto.getRandomValues(new Uint8Array(32)));
  const at = new Date().toISOString();
  keep({ format: "samizdat-receipt", table: id ?? promised, opened, commitment, so_far, number, at });
  put(form, "number", number);
  if (ticket) put(form, "ticket", ticket);
  else put(form, "so_far", so_far);
}

// A table at which nobody of this browser sits needs no number of it.
const sits = (form) => {
  const chosen = [...form.querySelectorAll("select[name^=seat-]")].map((one) => one.value);
  return !chosen.length || chosen.includes("me") || chosen.includes("here");
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("luck" in form.dataset) || ready.delete(form) || !sits(form)) return;
  event.preventDefault();
  if (asked.has(form)) return;
  asked.add(form);
  const release = pressed(event.submitter);
  await add(form).catch(() => null);
  release();
  asked.delete(form);
  ready.add(form);
  form.requestSubmit(event.submitter);
}, { capture: true });

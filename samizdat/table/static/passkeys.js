// Passkeys: the browser is asked for one, and what it says goes to the server. Pages say what else can be done.
import { $, all } from "./dom.js";

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// The server writes bytes as text, and browsers that cannot read that themselves are many.
function read(ask) {
  const named = (one) => ({ ...one, id: bytes(one.id) });
  const made = { ...ask, challenge: bytes(ask.challenge) };
  if (ask.user) made.user = { ...ask.user, id: bytes(ask.user.id) };
  if (ask.excludeCredentials) made.excludeCredentials = ask.excludeCredentials.map(named);
  if (ask.allowCredentials) made.allowCredentials = ask.allowCredentials.map(named);
  return made;
}

function written(credential) {
  const response = { clientDataJSON: text(credential.response.clientDataJSON) };
  for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[part]) response[part] = text(credential.response[part]);
  }
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}

async function post(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

async function use(button) {
  const name = $("[data-passkey-name]")?.value ?? "";
  const { ask, to } = await post(button.dataset.ask, { name });
  if (to) return void location.assign(to);
  const publicKey = read(ask);
  const asked = ask.user ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey });
  const credential = await asked.catch(() => { throw new Error(button.dataset.refused); });
  const done = await post(button.dataset.passkey, { answer: written(credential), name });
  location.assign(done.to);
}

if (globalThis.PublicKeyCredential) {
  for (const button of all("[data-passkey]")) button.hidden = false;
  for (const note of all("[data-no-passkeys]")) note.hidden = true;
}
for (const button of all("[data-print]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  if (event.target.closest("[data-print]")) return void print();
  const button = event.target.closest("[data-passkey]");
  if (!button) return;
  const wrong = $("[data-passkey-wrong]", button.parentElement);
  wrong.hidden = true;
  button.disabled = true;
  try {
    await use(button);
  } catch (error) {
    wrong.textContent = error.message;
    wrong.hidden = false;
  }
  button.disabled = false;
});

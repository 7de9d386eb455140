// Talk at a table: lines come over the stream, are marked until they were seen, and are sent without leaving the page.
import { $, all, byId, narrow } from "./dom.js";
import { here, page, say } from "./here.js";
import { exchange } from "./parts.js";
import { pressed } from "./pressed.js";
import { refusal } from "./refusal.js";
import { showTab } from "./sheet.js";
import { listen, onStream } from "./stream.js";

const MOST = 300; // lines that a sheet keeps
const main = byId("main");
const panel = () => byId("talk");
const sheet = () => $("[name=sheet-of-talk]:checked", panel()).value;
const list = (name) => $(`[data-among="${name}"] .said`, panel());
const seen = `talk ${here.path} ${here.seat}`; // how far somebody has read in this browser: numbers, no words

const read = () => { try { return JSON.parse(localStorage.getItem(seen)) ?? {}; } catch { return {}; } };
const last = (name) => Number(list(name).lastElementChild?.dataset.n ?? -1);
const open = () => (narrow.matches ? main.dataset.on === "talk" && main.dataset.sheet !== "peek" : main.dataset.fold === "talk");

function clocks(from) {
  for (const time of all("time", from)) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }
}

// What lies open has been read; the rest is counted on the tab and on its sheet.
function mark() {
  const known = read();
  if (open() && !document.hidden) known[sheet()] = last(sheet());
  try { localStorage.setItem(seen, JSON.stringify(known)); } catch { /* it is marked again next time */ }
  let unread = 0;
  for (const radio of all("[name=sheet-of-talk]", panel())) {
    const lines = all("li:not(.own)", list(radio.value)).filter((line) => Number(line.dataset.n) > (known[radio.value] ?? -1));
    radio.parentElement.toggleAttribute("data-unheard", lines.length > 0);
    unread += lines.length;
  }
  const tab = $("#tabs [data-show=talk]");
  if (!tab) return;
  if (unread) tab.dataset.unheard = unread;
  else delete tab.dataset.unheard;
}

function toEnd(name) {
  const lines = list(name);
  lines.scrollTop = lines.scrollHeight;
}

// Stamps go on the last line of somebody else, unless a line was chosen.
function aim(name) {
  const form = $(`[data-among="${name}"] .answer`, panel());
  const others = all("li:not(.own)", list(name)).filter((line) => $(".line", line));
  form.hidden = others.length === 0;
  if (others.length) form.elements.n.value = others.at(-1).dataset.n;
}

function hear({ lines, heard }) {
  panel().dataset.heard = heard;
  const aloud = [];
  for (const { sheet: name, n, html, own, aloud: words } of lines) {
    const into = list(name);
    if (!into) return void again(); // somebody sat down with whom one can talk alone
    const id = `say-${name}-${n}`;
    const atEnd = into.scrollHeight - into.scrollTop - into.clientHeight < 40;
    if (byId(id)) exchange({ [id]: html });
    else {
      into.insertAdjacentHTML("beforeend", html);
      while (into.children.length > MOST) into.firstElementChild.remove();
      if (words) aloud.push(words);
    }
    clocks(byId(id));
    if (atEnd || own) toEnd(name);
    aim(name);
  }
  if (aloud.length) byId("heard").textContent = aloud.join(" ");
  mark();
}

// The whole panel as its reader wants it now: something was muted, or somebody else sits here.
async function again() {
  const query = here.seat === "" ? "" : `?seat=${here.seat}`;
  const answer = await fetch(`${here.path}/talk${query}`).catch(() => null);
  if (!answer?.ok) return;
  const chosen = sheet();
  const words = $(`[data-among="${chosen}"] [name=words]`, panel())?.value ?? "";
  const { className } = panel();
  panel().outerHTML = await answer.text();
  panel().className = className;
  const radio = $(`[name=sheet-of-talk][value="${chosen}"]`, panel());
  if (radio) radio.checked = true;
  const field = $(`[data-among="${chosen}"] [name=words]`, panel());
  if (field) field.value = words;
  begin();
  listen();
}

async function send(form, submitter) {
  const answered = pressed(submitter);
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form, submitter)), headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(15_000),
    });
    refusal(answer.ok ? null : await answer.json());
    if (!answer.ok) return;
    if (form.elements.words) form.elements.words.value = "";
    byId("line").close();
    if (form.dataset.talk === "again") await again();
  } catch {
    refusal({ error: say.unreachable });
  } finally {
    answered();
  }
}

async function about(link) {
  const answer = await fetch(`${link.href}${link.search ? "&" : "?"}part=true`).catch(() => null);
  if (!answer?.ok) return;
  const dialog = byId("line");
  $("div", dialog).innerHTML = await answer.text();
  for (const inner of all("[id]", dialog)) inner.removeAttribute("id"); // the line itself has it
  clocks(dialog);
  dialog.showModal();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-talk]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
}, true);

// At the document, where the tabs are listened to before: what was opened is open by now.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (link) { event.preventDefault(); about(link); }
  else if (event.target.closest("#tabs")) { toEnd(sheet()); mark(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "t" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea") || !$("#tabs [data-show=talk]")) return;
  event.preventDefault();
  showTab("talk");
  $(`[data-among="${sheet()}"] [name=words]`, panel())?.focus();
  mark();
});
page.addEventListener("change", (event) => {
  if (event.target.name !== "sheet-of-talk") return;
  toEnd(sheet());
  mark();
});
document.addEventListener("visibilitychange", mark);
addEventListener("resize", () => toEnd(sheet()));

function begin() {
  clocks(panel());
  for (const radio of all("[name=sheet-of-talk]", panel())) toEnd(radio.value);
  mark();
}

onStream("talk", hear);
begin();

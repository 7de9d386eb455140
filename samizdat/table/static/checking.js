// Checks the luck of a match: one that is shown here, or one from a file. All words stand in the page already.
import { $, all } from "./dom.js";
import { against, canHash, checked, read } from "./fairness.js";
import { receiptOf } from "./receipts.js";

function tell(place, ...names) {
  for (const line of all("[data-line]", place)) line.hidden = !names.includes(line.dataset.line);
}

async function check(place, text, receipt) {
  const data = read(text);
  if (!data) return tell(place, "none");
  const lines = canHash() ? (await checked(data)).map(([name, good]) => `${name}-${good ? "good" : "bad"}`) : ["unsafe"];
  if (!data.fair?.numbers.length) lines.push("alone");
  if (receipt === null) lines.push("receipt-none");
  else if (receipt) lines.push(`receipt-${await against(receipt, data)}`);
  tell(place, ...lines, "left");
}

// --- a match of this table ---

const shown = $("[data-check]");
if (shown) {
  const receipt = receiptOf(shown.dataset.table) ?? null;
  const button = $("[data-recount]", shown);
  const save = $("[data-receipt]", shown);
  const recount = async () => {
    const answer = await fetch(shown.dataset.check).catch(() => null);
    if (answer?.ok) await check(shown, await answer.text(), receipt);
    else tell(shown, "unreachable");
  };
  button.hidden = false;
  button.addEventListener("click", recount);
  if (receipt) {
    const file = new Blob([`${JSON.stringify(receipt, null, 1)}\n`], { type: "application/json" });
    Object.assign(save, { hidden: false, href: URL.createObjectURL(file) });
    const answer = against(receipt, JSON.parse(shown.dataset.record));
    answer.then((name) => tell(shown, `receipt-${name}`));
  }
}

// --- a match from a file ---

const form = $("[data-check-files]");
if (form) {
  form.hidden = false;
  const place = $("[data-found]");
  const text = (name) => form.elements[name].files[0]?.text();
  form.addEventListener("change", async () => {
    const [match, given] = [await text("match"), await text("receipt")];
    if (match === undefined) return;
    let receipt;
    try {
      receipt = given && JSON.parse(given);
    } catch {
      receipt = {};
    }
    await check(place, match, receipt);
  });
}

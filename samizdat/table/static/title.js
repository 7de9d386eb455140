// Whoever waits in another tab sees by the title that it is their turn, and hears it if they want to.
import { acts, here, on, over } from "./here.js";
import { comes } from "./knock.js";

const title = document.title;
let asking; // now and then, while nobody looks

export function mark(yours = acts()) {
  document.title = yours ? `● ${title}` : title;
}

async function askTurn() {
  const answer = await fetch(`${here.path}/turn?seat=${here.seat}`).catch(() => null);
  if (!document.hidden || !answer?.ok) return;
  const { yours } = await answer.json();
  mark(yours);
  comes(yours);
}

document.addEventListener("visibilitychange", () => {
  clearInterval(asking);
  if (document.hidden && here.seat !== "" && !over()) asking = setInterval(askTurn, 20_000);
  else mark();
});
on("shown", () => mark());
mark();

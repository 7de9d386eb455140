// A form is sent once: whoever presses again while its page is on the way does not open a second table.
import { pressed } from "./pressed.js";

const PATIENCE = 15_000; // milliseconds; then it may be sent again, if the page has not come
const release = new Map(); // of forms on their way

function free(form) {
  release.get(form)?.();
  release.delete(form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (release.has(form)) return void event.preventDefault();
  release.set(form, pressed(event.submitter));
  setTimeout(() => free(form), PATIENCE);
});
addEventListener("pageshow", () => { for (const form of release.keys()) free(form); }); // somebody came back

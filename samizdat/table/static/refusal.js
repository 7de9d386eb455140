// Why something cannot be done, in the line that is kept free for it.
import { byId, made } from "./dom.js";

export function refusal(answer) {
  const place = byId("refusal");
  if (!place) return;
  place.replaceChildren();
  place.hidden = !answer;
  if (!answer) return;
  place.append(answer.error, " ");
  if (answer.press) place.append(Object.assign(made("button", answer.press.word, "again"), { type: "button", onclick: answer.press.act }));
  if (answer.link) place.append(Object.assign(made("a", answer.rule), { href: answer.link, target: "_blank" }));
}

export const refused = () => byId("refusal")?.textContent.trim();

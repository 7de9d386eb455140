// The chart of a look back: where on it the board stands, and which step a press on it means.
import { $, all, made } from "./dom.js";

let mistake = -1; // the one looked at last

const near = (chances, step) => chances.reduce((best, one) => (Math.abs(one[0] - step) < Math.abs(best[0] - step) ? one : best));

// A line through the chart at the step that is shown, with the chance of the decision nearest to it.
export function chart(step) {
  const plot = $(".plot[data-chances]");
  if (!plot) return;
  const line = $(".here", plot);
  const [at, chance] = near(JSON.parse(plot.dataset.chances), step);
  const label = $("b", line);
  line.hidden = false;
  line.style.left = `${100 * step / Number(plot.dataset.last)}%`;
  line.classList.toggle("late", step > Number(plot.dataset.last) / 2);
  label.textContent = `${label.dataset.word} ${step}${at === step ? ` · ${Math.round(chance)} %` : ""}`;
}

// The step of the decision nearest to a press on the chart, as the seat saw it; or the next decision that cost much.
export function goTo(event) {
  if (event.target.closest("[data-next-mistake]")) {
    const links = all("[data-better]");
    mistake = (mistake + 1) % links.length;
    links[mistake].click();
    return null;
  }
  const plot = event.target.closest(".plot[data-chances]");
  if (!plot) return null;
  const box = plot.getBoundingClientRect();
  const step = Number(plot.dataset.last) * (event.clientX - box.left) / box.width;
  return { step: near(JSON.parse(plot.dataset.chances), step)[0], seat: plot.dataset.seat };
}

// How far it has come, while it is worked out.
export function waitingFor(place, found) {
  const told = made("p", found.wait ?? found.error, "note");
  if (!found.all) return void place.replaceChildren(told);
  const bar = document.createElement("progress");
  bar.max = found.all;
  bar.value = found.done;
  bar.setAttribute("aria-label", told.textContent);
  return void place.replaceChildren(told, bar);
}

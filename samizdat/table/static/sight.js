// What is focused or spoken of is brought to where it can be seen, inside whatever scrolls there. The page itself never
// scrolls.
import { $, all, byId, calm } from "./dom.js";
import { openSheet } from "./sheet.js";

// The queue, hand or list around something, if it holds more than it can show.
export function scroller(element) {
  const main = byId("main");
  for (let around = element.parentElement; around && around !== main; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const scrolls = (overflow, room, content) => /auto|scroll/.test(overflow) && content > room + 1;
    const down = scrolls(overflowY, around.clientHeight, around.scrollHeight);
    if (down || scrolls(overflowX, around.clientWidth, around.scrollWidth)) return around;
  }
  return null;
}

export function bring(elements) {
  const first = elements.find((element) => element.getBoundingClientRect().width && scroller(element));
  if (!first) return;
  const around = scroller(first);
  const [box, room] = [first.getBoundingClientRect(), around.getBoundingClientRect()];
  const into = (low, high, from, to) => (low < from ? low - from - 8 : high > to ? high - to + 8 : 0);
  around.scrollBy({
    left: into(box.left, box.right, room.left, room.right),
    top: into(box.top, box.bottom, room.top, room.bottom),
    behavior: calm.matches ? "auto" : "smooth",
  });
}

// A choice in a hand or queue that scrolls comes into sight.
export function bringChoices() {
  openSheet();
  if ($("#status.acts")) bring(all("#board .legal, #hand .legal"));
}

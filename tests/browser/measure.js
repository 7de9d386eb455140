// What is wrong with a page, in words. A legal place counts as reachable if a finger or mouse at one of five points of
// it hits it, if it lies in something that scrolls, or, on a crowded map, if the list of choices has the same decision.
async ([needed, narrow]) => {
  const { scroller } = await import("/static/sight.js");
  const wrong = [];
  const say = (what, element) => wrong.push(`${what}: ${element?.id || element?.className?.baseVal || element?.className || ""}`);
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight + 1) say(`the page scrolls by ${root.scrollHeight - innerHeight} px`);
  if (root.scrollWidth > innerWidth + 1) say(`the page is ${root.scrollWidth - innerWidth} px too wide`);
  const shown = (element) => element && element.getClientRects().length && getComputedStyle(element).visibility !== "hidden";
  const inside = (element) => {
    const box = element.getBoundingClientRect();
    return box.left >= -2 && box.top >= -2 && box.right <= innerWidth + 2 && box.bottom <= innerHeight + 2;
  };
  for (const selector of needed) {
    const found = [...document.querySelectorAll(selector)].filter(shown);
    if (!found.length) say("not shown", { id: selector });
    for (const element of found) if (!inside(element)) say("out of the window", { id: `${selector} ${JSON.stringify(element.getBoundingClientRect())}` });
  }
  const decision = ({ dataset: { move, add, take } }) => [move, add, take].join();
  const listed = new Set([...document.querySelectorAll("#choices button")].map((one) => decision(one)));
  for (const place of document.querySelectorAll("#board .legal, #hand .legal, #seats .legal, #status .acts .btn")) {
    if (!shown(place)) { if (!narrow || !listed.has(decision(place))) say("a choice is not shown", place); continue; }
    if (scroller(place) || (narrow && place.closest("[data-tab], #status .acts"))) continue;  // pulled or swiped into sight
    const boxes = place.closest("svg") ? [...place.querySelectorAll("*")].map((one) => one.getBoundingClientRect()) : [place.getBoundingClientRect()];
    const hit = boxes.some((box) => [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75]].some(([x, y]) => {
      const at = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      return at && (place.contains(at) || at.contains(place) && at.closest(".legal") === place);
    }));
    const crowded = place.closest(".rub") && listed.has(decision(place));  // the glass brings it near
    if (!hit && !crowded) say("a choice cannot be reached", place);
  }
  if (narrow) for (const button of document.querySelectorAll("#status .btn, #tabs button, .top button, .top a, .top summary, .grab, .zoom, #hand .legal, #seats .legal, #choices button")) {
    if (!shown(button) || button.closest("svg, .drop")) continue;
    const box = button.getBoundingClientRect();
    const grown = button.matches(".grab") ? 44 : box.height;
    if (box.width < 43.5 || grown < 43.5) say(`only ${box.width.toFixed()}×${box.height.toFixed()} px to tap`, button);
  }
  return wrong;
}

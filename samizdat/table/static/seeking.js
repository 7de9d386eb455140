// Where some words stand in a text: ranges in reading order, but a rule whose number was asked for comes first.

const BLOCKS = "h2, h3, p, li, td, th, figcaption, summary, .saying";
const NUMBER = /^[a-z]*-?\d+(\.\d+)*[a-z]?$/;

const plain = (text) => text.toLocaleLowerCase().replaceAll("\u00a0", " ");
const number = (text) => plain(text).replace("-", ""); // A-5 is also found as A5

/** The texts of one block, without those of blocks inside it and of pictures. */
function own(block) {
  const found = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(BLOCKS) === block && !node.parentElement.closest(".cutout")
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  );
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

/** A range over part of several texts that follow one another. */
function range(nodes, start, end) {
  const made = document.createRange();
  let before = 0;
  for (const node of nodes) {
    const after = before + node.length;
    if (start >= before && start < after) made.setStart(node, start - before);
    if (end > before && end <= after) {
      made.setEnd(node, end - before);
      break;
    }
    before = after;
  }
  return made;
}

export function places(text, words) {
  const wanted = plain(words.trim()).replace(/\s+/g, " ");
  if (!wanted) return [];
  const found = [];
  const first = [];
  for (const block of text.querySelectorAll(BLOCKS)) {
    if (block.closest(".cutout")) continue;
    const nodes = own(block);
    const whole = plain(nodes.map((node) => node.data).join("")).replace(/\s/g, " ");
    if (NUMBER.test(wanted) && number(block.id) === number(wanted)) {
      const label = block.querySelector("strong")?.firstElementChild?.firstChild;
      if (label) first.push(range([label], 0, label.length));
    }
    for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
      found.push(range(nodes, at, at + wanted.length));
    }
  }
  const same = (one) => first.some(({ startContainer }) => startContainer === one.startContainer);
  return [...first, ...found.filter((one) => !same(one))];
}

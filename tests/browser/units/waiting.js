import { MOST_WAITING, wait } from "/static/waiting.js";
import { same } from "/units/units.js";

export default {
  "steps wait in their order": () => {
    const queue = [];
    for (const version of [1, 2, 3]) wait(queue, { version, parts: {} });
    same(queue.map((event) => event.version), [1, 2, 3]);
  },
  "too many are laid together, and nothing that changed is lost": () => {
    const queue = [];
    wait(queue, { version: 0, parts: { board: "0", hand: "only then" } });
    for (let version = 1; version <= MOST_WAITING; version++) wait(queue, { version, parts: { board: `${version}` } });
    same(queue.length, MOST_WAITING);
    same(queue[0], { version: 1, parts: { board: "1", hand: "only then" } });
    same(queue.at(-1).version, MOST_WAITING);
  },
};

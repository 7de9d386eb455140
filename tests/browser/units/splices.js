import { whole } from "/static/splices.js";
import { same } from "/units/units.js";

export default {
  "a part that comes whole is kept for the next": () => {
    const last = {};
    same(whole({ board: "a\nb" }, last), { board: "a\nb" });
    same(last, { board: "a\nb" });
  },
  "a splice is new lines and lines that stay": () => {
    const last = { record: "a\nb\nc\nd" };
    same(whole({ record: [[0, 1], "new\nlines", [2, 4]] }, last), { record: "a\nnew\nlines\nc\nd" });
    same(whole({ record: [[1, 2]] }, last), { record: "new" });
  },
  "only what changed is told": () => {
    const last = { board: "old", hand: "mine" };
    same(whole({ board: "new" }, last), { board: "new" });
    same(last, { board: "new", hand: "mine" });
  },
};

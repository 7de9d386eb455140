import { bow } from "/static/arrows.js";
import { same } from "/units/units.js";

const end = (path) => path.split(" ").slice(-2).map(Number);

export default {
  "an arrow ends where it points": () => {
    const [line, head] = bow([0, 0], [100, 50]);
    same(end(line), [100, 50]);
    same(head.startsWith("M100 50L"), true);
    same(head.endsWith("Z"), true);
  },
  "an arrow to where one stands is no accident": () => {
    const [line, head] = bow([5, 5], [5, 5]);
    same(`${line}${head}`.includes("NaN"), false);
  },
};

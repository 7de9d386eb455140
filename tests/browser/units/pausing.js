import { hurried, hurryUp, pause, until } from "/static/pausing.js";
import { same } from "/units/units.js";

export default {
  "a hurry ends a pause": async () => {
    const waiting = pause(1_000_000);
    same(hurried(), true);
    hurryUp();
    await waiting;
    same(hurried(), false);
  },
  "what is waited for may end by itself": async () => {
    let end;
    const waiting = until((finish) => { end = finish; });
    end();
    await waiting;
    same(hurried(), false);
  },
  "nobody is in a hurry when nothing is waited for": () => hurryUp(),
};

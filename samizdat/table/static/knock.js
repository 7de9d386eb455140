// A knock on wood, and a phone that trembles, when one's turn comes: only for those who want it. Most of
// all in a tab that nobody sees just then.
import { acts, here, on } from "./here.js";

const TREMBLE = [60, 60, 60]; // milliseconds
let was = acts();
let room;

// Two short knocks: a tone that falls and dies away at once. No file is needed for that.
function knock() {
  room ??= new AudioContext();
  for (const after of [0, 0.16]) {
    const [wood, arm] = [room.createOscillator(), room.createGain()];
    const begin = room.currentTime + after;
    wood.frequency.setValueAtTime(320, begin);
    wood.frequency.exponentialRampToValueAtTime(110, begin + 0.07);
    arm.gain.setValueAtTime(0.4, begin);
    arm.gain.exponentialRampToValueAtTime(0.001, begin + 0.09);
    wood.connect(arm).connect(room.destination);
    wood.start(begin);
    wood.stop(begin + 0.1);
  }
  navigator.vibrate?.(TREMBLE);
}

// Once for each turn, however it was heard of: over the stream, or asked for by a tab that nobody sees.
export function comes(yours) {
  if (here.sound === "on" && yours && !was) knock();
  was = yours;
}

on("shown", () => comes(acts()));

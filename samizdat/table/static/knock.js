// A knock on wood, and a phone that trembles, when one's turn comes: only for those who want it.
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

on("shown", () => {
  if (here.sound === "on" && acts() && !was) knock();
  was = acts();
});

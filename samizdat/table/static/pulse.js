// A stream can die without a word: a computer slept, a router forgot it. It beats every 15 seconds while it lives.

const SILENCE = 40_000; // milliseconds; one that is silent for so long is dead

export class Pulse {
  beat() {
    this.last = performance.now();
  }

  get dead() {
    return performance.now() - this.last > SILENCE;
  }
}

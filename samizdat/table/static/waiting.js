// Steps that wait to be shown, one at a time.

export const MOST_WAITING = 60; // more than that nobody wants to be shown one by one

// A tab that lies open for days does not gather steps without end: the oldest are laid together.
export function wait(queue, event) {
  queue.push(event);
  while (queue.length > MOST_WAITING) {
    const old = queue.shift();
    queue[0] = { ...queue[0], parts: { ...old.parts, ...queue[0].parts } };
  }
}

// Waiting a while, unless somebody is in a hurry.

let hurry = null; // ends what is waited for at once

export const hurried = () => hurry !== null;

export function hurryUp() {
  hurry?.();
}

// A promise that `start` keeps by the function it is given; a hurry keeps it, too.
export function until(start) {
  return new Promise((done) => {
    const finish = () => { hurry = null; done(); };
    hurry = start(finish) ?? finish;
  });
}

export function pause(ms) {
  return until((finish) => {
    const timer = setTimeout(finish, ms);
    return () => { clearTimeout(timer); finish(); };
  });
}

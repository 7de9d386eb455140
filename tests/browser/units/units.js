// What unit tests of our modules need: each file exports its tests by name.

export function same(found, wanted) {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} instead of ${other}`);
}

// The tests of one file that fail, with what they say.
export async function failures(tests) {
  const found = {};
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
    } catch (error) {
      found[name] = error.message;
    }
  }
  return found;
}

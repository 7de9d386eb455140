// A part comes whole, or as a splice: new lines, and which lines of the last one stay.

// The parts as they are now; `last` has each part as it was told last, and is brought up to date.
export function whole(parts, last) {
  const found = {};
  for (const [name, part] of Object.entries(parts)) {
    const lines = typeof part === "string" ? [] : last[name].split("\n");
    const pieces = typeof part === "string" ? [part] : part;
    found[name] = pieces.flatMap((piece) => (typeof piece === "string" ? piece : lines.slice(...piece))).join("\n");
    last[name] = found[name];
  }
  return found;
}

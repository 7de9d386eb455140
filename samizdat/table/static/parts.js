// Parts of a page changed without rebuilding them: what stays keeps its element, so that pieces glide.

// What a reader has unfolded stays so.
const beforeAttributeUpdated = (name, element) => name !== "open" || element.tagName !== "DETAILS";

export function exchange(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const old = document.getElementById(name);
    if (old) globalThis.Idiomorph.morph(old, html, { morphStyle: "outerHTML", callbacks: { beforeAttributeUpdated } });
  }
}

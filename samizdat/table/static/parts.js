// Parts of a page changed without rebuilding them: what stays keeps its element, so that pieces glide.

// What a reader has unfolded stays so, and so does what the keyboard asks about while others decide, or has not read.
const asked = (name, element) => ["data-pointed", "data-unheard"].includes(name) || (element === document.activeElement && ["tabindex", "aria-describedby"].includes(name));
const beforeAttributeUpdated = (name, element, how) => {
  if (name === "open") return element.tagName !== "DETAILS";
  return how !== "remove" || !asked(name, element);
};

export function exchange(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const old = document.getElementById(name);
    if (old) globalThis.Idiomorph.morph(old, html, { morphStyle: "outerHTML", callbacks: { beforeAttributeUpdated } });
  }
}

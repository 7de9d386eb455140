// A press is seen at once, however slow the network is: what was pressed shows it until there is an answer.
export function pressed(target) {
  target?.classList.add("sent");
  target?.setAttribute("aria-busy", "true");
  return () => {
    target?.classList.remove("sent");
    target?.removeAttribute("aria-busy");
  };
}

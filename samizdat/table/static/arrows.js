// The outlines of an arrow: a bow from one place to another, and its head.
export function bow([x, y], [tx, ty]) {
  const [dx, dy] = [tx - x, ty - y];
  const [mx, my] = [x + dx / 2 - dy / 5, y + dy / 2 + dx / 5];
  const length = Math.hypot(tx - mx, ty - my) || 1;
  const [ux, uy] = [(tx - mx) / length, (ty - my) / length];
  const back = (aside) => `${tx - 14 * ux - aside * uy} ${ty - 14 * uy + aside * ux}`;
  return [`M${x} ${y}Q${mx} ${my} ${tx} ${ty}`, `M${tx} ${ty}L${back(8)}L${back(-8)}Z`];
}

// A pencil over the page: rings by hand, and lines that lead to them.
const NS = "http://www.w3.org/2000/svg";
const drawing = document.createElementNS(NS, "svg");
drawing.setAttribute("class", "pencil");
drawing.setAttribute("aria-hidden", "true");
document.body.append(drawing);

export function erase() {
  drawing.replaceChildren();
}

function stroke(d) {
  for (const name of ["casing", "pen"]) {
    const line = document.createElementNS(NS, "path");
    line.setAttribute("class", name);
    line.setAttribute("d", d);
    drawing.append(line);
  }
}

// A ring by hand: a little off true, once round and a bit more.
export function ring(box) {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const [rx, ry] = [box.width / 2 + 7, box.height / 2 + 7];
  const corner = 2 / (box.width > 170 || box.height > 170 ? 6 : 3.2);
  let d = "";
  for (let i = 0; i <= 66; i += 1) {
    const angle = -2.2 + (i / 60) * 2 * Math.PI;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const off = 2 * Math.sin(angle * 3 + 1) + (i > 56 ? (i - 56) * 0.5 : 0);
    const px = x + Math.sign(c) * Math.abs(c) ** corner * (rx + off);
    const py = y + Math.sign(s) * Math.abs(s) ** corner * (ry + off);
    d += `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`;
  }
  stroke(d);
}

export function leader(slip, box) {
  const within = (value, low, high) => Math.max(low, Math.min(value, high));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  let from, to;
  if (slip.left >= box.right || slip.right <= box.left) {
    from = [slip.left >= box.right ? slip.left : slip.right, within(y, slip.top + 16, slip.bottom - 16)];
    to = [slip.left >= box.right ? box.right + 8 : box.left - 8, within(from[1], box.top, box.bottom)];
  } else if (slip.top >= box.bottom || slip.bottom <= box.top) {
    from = [within(x, slip.left + 16, slip.right - 16), slip.top >= box.bottom ? slip.top : slip.bottom];
    to = [within(from[0], box.left, box.right), slip.top >= box.bottom ? box.bottom + 8 : box.top - 8];
  } else return; // the slip lies on a part of a large thing: the ring says enough
  const bend = [(from[0] + to[0]) / 2 + (to[1] - from[1]) * 0.12, (from[1] + to[1]) / 2 - (to[0] - from[0]) * 0.12];
  stroke(`M${from}Q${bend} ${to}`);
}

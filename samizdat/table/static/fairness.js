// Whether nobody chose the luck of a match: its hashes once more, from its file alone. docs/fair-luck.md has the protocol;
// samizdat/kernel/fairness.py is the same for the command line.

import { hex } from "./receipts.js";

const PROTOCOL = "samizdat fair luck 1";

export const canHash = () => Boolean(globalThis.crypto?.subtle); // only where the connection is safe, or from disk

async function sha256(bytes) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

const unhex = (text) => text.match(/../g).map((pair) => Number.parseInt(pair, 16));

const hashed = (text) => sha256(new TextEncoder().encode(text));

export function digest(about, ...lines) {
  return hashed([`${PROTOCOL}: ${about}`, ...lines].map((line) => `${line}\n`).join(""));
}

// Data in the one way there is to write it: keys in order, no spaces.
export function plain(data) {
  if (Array.isArray(data)) return `[${data.map(plain).join(",")}]`;
  if (data === null || typeof data !== "object") return JSON.stringify(data);
  return `{${Object.keys(data).toSorted().map((key) => `${JSON.stringify(key)}:${plain(data[key])}`).join(",")}}`;
}

export function commitment(fair, secret) {
  return digest("commitment", `table ${fair.table}`, `opened ${fair.opened}`, `secret ${secret}`);
}

// What stood fixed after so many numbers.
export async function soFar(data, count = data.fair.numbers.length) {
  const marks = data.fair.numbers.slice(0, count)
    .map(async ([seat, number]) => `number ${seat} ${await digest("number", number)}`);
  return digest(
    "so far", `commitment ${data.commitment}`, `game ${data.game}`, `rules ${data.rules}`, `box ${data.box}`,
    `variant ${data.variant}`, `players ${data.players}`, `options ${plain(data.options)}`, ...(await Promise.all(marks)),
  );
}

export async function seed(data) {
  const numbers = data.fair.numbers.map(([seat, number]) => `number ${seat} ${number}`);
  const all = await digest("seed", `secret ${data.nonce}`, `so far ${await soFar(data)}`, ...numbers);
  return all.slice(0, 32);
}

function commitmentOfOld(data) {
  const text = [...new TextEncoder().encode("samizdat seed\0")];
  return sha256(new Uint8Array([...text, ...unhex(data.seed), ...unhex(data.nonce)]));
}

const HEX = /^[0-9a-f]{32}$/;

// A match file as data; null if it is none.
export function read(text) {
  try {
    const data = JSON.parse(text);
    const numbers = data.fair ? data.fair.numbers : [];
    const whole = numbers.every(([seat, number]) => Number.isInteger(seat) && /^[0-9a-f]{64}$/.test(number));
    return data.format === "samizdat-match" && HEX.test(data.seed) && HEX.test(data.nonce) && whole ? data : null;
  } catch {
    return null;
  }
}

// What is so and what is not, by name, in the order in which one reads it.
export async function checked(data) {
  const { checksum, ...rest } = data;
  const found = [["checksum", (await hashed(plain(rest))) === checksum]];
  const published = data.fair ? await commitment(data.fair, data.nonce) : await commitmentOfOld(data);
  found.push(["commitment", published === data.commitment]);
  if (data.fair) found.push(["seed", (await seed(data)) === data.seed]);
  if (Object.keys(data.luck).length) found.push(["hand", false]);
  if (data.start) found.push(["start", false]);
  return found;
}

// What became of the number that a browser added: the name of a sentence.
export async function against(receipt, data) {
  if (!data.fair || receipt.table !== data.fair.table) return "other";
  if (receipt.commitment !== data.commitment) return "hash";
  const place = data.fair.numbers.findIndex(([, number]) => number === receipt.number);
  if (place < 0) return "unused";
  if (!receipt.so_far || !canHash()) return "used";
  return (await soFar(data, place)) === receipt.so_far ? "used" : "changed";
}

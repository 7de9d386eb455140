// The values of docs/fair-luck.md, to which samizdat/kernel/fairness.py is held, too.
import { against, checked, commitment, plain, read, seed, soFar } from "/static/fairness.js";
import { same } from "/units/units.js";

const NUMBERS = [
  [2, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"],
  [0, "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"],
];
const DATA = {
  format: "samizdat-match", game: "revolution", rules: 1, box: "568783b6386a2059", variant: "standard", players: 3,
  options: { refund: false, max_rounds: 2, word: "é" }, seed: "4e72ee5a8052fbc58303cf9a09745dc9",
  nonce: "c0ffeec0ffeec0ffeec0ffeec0ffee11", luck: {}, checksum: "",
  commitment: "0d7c89e700ce5930f7a7acf6b2b88088ebe99070fd4385d5e21d5b7274b12430",
  fair: { table: "Xk3-table_01", opened: "2026-11-18T05:31:48Z", numbers: NUMBERS },
};
const RECEIPT = {
  table: "Xk3-table_01", commitment: DATA.commitment, number: NUMBERS[1][1],
  so_far: "f5142af39f803f53e54baffaafa8e580008d908be6e5a7cfe68b7ebb286b96f9",
};
const named = (found) => Object.fromEntries(found);

export default {
  async "the values of the document"() {
    same(await commitment(DATA.fair, DATA.nonce), DATA.commitment);
    same(await soFar(DATA, 0), "506deb5f05aaa976a897edc62fe3e41e64c314949f8f198123ea8efabeba9cec");
    same(await soFar(DATA, 1), RECEIPT.so_far);
    same(await soFar(DATA), "e00e18be1de4bca6e0857bbfb340ae6548437f49717e843c25b701126aa3b3aa");
    same(await seed(DATA), DATA.seed);
  },
  "data has one way to be written"() {
    same(plain({ b: [1, null, "é\n"], a: { d: true, c: -2 } }), '{"a":{"c":-2,"d":true},"b":[1,null,"é\\n"]}');
  },
  async "what was changed is named"() {
    same(named(await checked(DATA)), { checksum: false, commitment: true, seed: true });
    same(named(await checked({ ...DATA, nonce: "0".repeat(32) })), { checksum: false, commitment: false, seed: false });
    same(named(await checked({ ...DATA, players: 4 })).seed, false);
    same(named(await checked({ ...DATA, luck: { 1: [0] } })).hand, false);
    same(named(await checked({ ...DATA, start: {} })).start, false);
  },
  async "a receipt is used, or it is told why not"() {
    same(await against(RECEIPT, DATA), "used");
    same(await against({ ...RECEIPT, so_far: "" }, DATA), "used");
    same(await against({ ...RECEIPT, so_far: "0" }, DATA), "changed");
    same(await against({ ...RECEIPT, number: "0" }, DATA), "unused");
    same(await against({ ...RECEIPT, commitment: "0" }, DATA), "hash");
    same(await against({ ...RECEIPT, table: "another" }, DATA), "other");
    same(await against({}, { ...DATA, fair: undefined }), "other");
  },
  "what is no match file is none"() {
    same(read(JSON.stringify(DATA)), DATA);
    for (const text of ["", "{}", "[]", "null", JSON.stringify({ ...DATA, seed: "x" }), JSON.stringify({ ...DATA, fair: { numbers: [[0, "x"]] } })]) same(read(text), null);
  },
};

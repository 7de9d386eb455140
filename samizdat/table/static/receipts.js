// What this browser keeps of the numbers that it added to the luck of tables, so that it can see whether they were used.

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const PLACE = "luck-receipts";
const MOST = 300; // tables; the oldest go

export function receipts() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // this browser keeps nothing, or something else wrote there
  }
}

export function keep(receipt) {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...receipts(), receipt].slice(-MOST)));
  } catch {
    // nothing is kept here: the number is as good, but nobody can check it afterwards
  }
}

// The last one of a table: whoever gave a seat away and took another has one of each.
export const receiptOf = (table) => receipts().findLast((one) => one.table === table);

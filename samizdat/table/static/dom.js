// Finding and making elements, and what the reader's device prefers.

export const $ = (selector, from = document) => from.querySelector(selector);
export const all = (selector, from = document) => [...from.querySelectorAll(selector)];
export const byId = (id) => document.getElementById(id);
export const made = (tag, text, cls = "") => Object.assign(document.createElement(tag), { textContent: text, className: cls });

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const narrow = matchMedia("(max-width: 1099px)"); // one column, with a sheet
export const phone = matchMedia("(max-width: 719px)");

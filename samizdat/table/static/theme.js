// Light or dark, at once; without a script, the form of the switch does the same.

const YEAR = 31536000; // seconds
const root = document.documentElement;

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  event.preventDefault();
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme};path=/;max-age=${YEAR};samesite=lax`;
});

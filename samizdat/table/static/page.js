// Every page: light or dark, menus, copying links. Nothing here is needed to play.
"use strict";

const YEAR = 31536000;

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-theme-switch],[data-copy]");
  if (!target) return;
  if ("themeSwitch" in target.dataset) {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    document.cookie = `theme=${dark ? "light" : "dark"};path=/;max-age=${YEAR};samesite=lax`;
  } else {
    navigator.clipboard?.writeText(target.dataset.copy).then(() => {
      target.classList.add("copied");
      if (target.dataset.done) target.textContent = target.dataset.done;
    });
  }
});

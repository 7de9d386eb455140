// Finding words in the rules: rules without them step aside. The page is whole without this.
import { $, all, byId } from "./dom.js";

const seek = byId("seek");
const sought = byId("sought");
const rules = all(".text li[id], .text p, .text .scroll");
const texts = rules.map((rule) => rule.textContent.toLocaleLowerCase());

$(".seek").hidden = false;
if (matchMedia("(max-width: 899px)").matches) $(".contents details").open = false;

seek.addEventListener("input", () => {
  const wanted = seek.value.trim().toLocaleLowerCase();
  let found = 0;
  rules.forEach((rule, i) => {
    const fits = !wanted || texts[i].includes(wanted);
    rule.hidden = !fits;
    found += fits;
  });
  for (const heading of all(".text h2")) {
    let next = heading.nextElementSibling;
    let any = !wanted;
    for (; next && next.tagName !== "H2"; next = next.nextElementSibling) {
      any ||= !next.hidden && (next.matches("p, .scroll") || !!next.querySelector("li:not([hidden])"));
    }
    heading.hidden = !any;
  }
  sought.hidden = !wanted;
  sought.textContent = found ? found : sought.dataset.none;
});

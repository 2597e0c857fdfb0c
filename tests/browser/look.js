// Stands in the head of a copy of a report, behind axe.min.js and before its policy: looks at the page once it is loaded,
// and tells the page around it, as JSON, what was seen.
"use strict";

const seen = { alerts: 0, errors: [], refused: [] };
window.alert = () => { seen.alerts += 1; };
window.addEventListener("error", (event) => seen.errors.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => seen.errors.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => {
  seen.refused.push(`${event.violatedDirective}: ${event.blockedURI}`);
});

/** Returns one line for each element in which a rule found a fault. */
function faults(violations) {
  return violations.flatMap((rule) => rule.nodes.map((node) => ({
    rule: rule.id,
    impact: node.impact ?? rule.impact ?? "none",
    where: node.target.flat().join(" "),
    says: (node.failureSummary ?? rule.help).replace(/\s+/g, " "),
  })));
}

window.addEventListener("load", async () => {
  const root = document.documentElement;
  seen.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  seen.width = window.innerWidth;
  seen.reach = root.scrollWidth;
  seen.height = root.scrollHeight;
  seen.words = document.body.innerText.split(/\s+/).filter((word) => word).length;
  seen.firstChart = Math.round(document.querySelector("figure")?.getBoundingClientRect().bottom ?? 0);
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  seen.reachOpened = root.scrollWidth;
  seen.cut = [...document.querySelectorAll(".scroll")].filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.scrollWidth - each.clientWidth} px: ${each.querySelector("caption").textContent.trim()}`);
  seen.second = [...document.querySelectorAll("tr:has(.first)")].map((row) => {
    const cells = [...row.querySelectorAll("td")].map((each) => ({ first: each.classList.contains("first"), box: each.getBoundingClientRect() }));
    cells.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
    return cells.length > 0 && cells[0].first;
  });
  seen.fetched = performance.getEntriesByType("resource").map((each) => each.name).filter((name) => !name.startsWith("data:"));
  const found = window.axe ? await axe.run(document, { resultTypes: ["violations"] }) : { passes: [], violations: [] };
  seen.rules = found.passes.length + found.violations.length;
  seen.faults = faults(found.violations);
  parent.postMessage(JSON.stringify(seen), "*");
});

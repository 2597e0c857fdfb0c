const reveal = (id) => {
  for (let each = document.getElementById(id); each; each = each.parentElement) {
    if (each.tagName === "DETAILS") each.open = true;
  }
};
addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link) reveal(link.hash.slice(1));
});
addEventListener("beforeprint", () => document.querySelectorAll("details[data-print]").forEach((each) => { each.open = true; }));
reveal(location.hash.slice(1));

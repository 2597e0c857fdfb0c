addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));

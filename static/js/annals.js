// What every page has: the theme switch, the line that shows a request under way, and words for one that failed.
// Every page works without it.
(function () {
  "use strict";

  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function theme() {
    return root.dataset.theme || (dark.matches ? "dark" : "light");
  }

  function show(button) {
    button.setAttribute("aria-pressed", String(theme() === "dark"));
  }

  const button = document.querySelector(".theme-switch");
  if (button) {
    button.hidden = false;
    show(button);
    dark.addEventListener("change", () => show(button));
    button.addEventListener("click", () => {
      const next = theme() === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      try {
        localStorage.setItem("theme", next);
      } catch {
        // The choice then lasts for this page only.
      }
      show(button);
    });
  }

  // A request that failed on the way says so, in words that stand in the page (a <template> of base.html).
  function fail() {
    const words = document.getElementById("request-failed");
    const place = document.getElementById("notices");
    if (words && place) place.replaceChildren(words.content.cloneNode(true));
  }
  let under_way = 0;
  function busy(change) {
    under_way = Math.max(0, under_way + change);
    document.body.classList.toggle("busy", under_way > 0);
  }
  document.addEventListener("htmx:beforeRequest", () => busy(1));
  document.addEventListener("htmx:afterRequest", () => busy(-1));
  document.addEventListener("htmx:responseError", fail);
  document.addEventListener("htmx:sendError", fail);
  document.addEventListener("htmx:timeout", fail);
})();

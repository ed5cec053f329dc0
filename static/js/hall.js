// The wall: on a wide screen the boards fill it one at a time and turn their pages; a lost connection keeps the last state and says
// so. And the button that prints a list. Everything is there without it, one board below the other.
(function () {
  "use strict";

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  if (!document.getElementById("hall")) return;

  const SECONDS = 12;
  const wide = window.matchMedia("(min-width: 60rem)");
  let board = 0;
  let page = 0;
  let held = false;
  let lost = null;

  function boards() {
    return [...document.querySelectorAll("#hall .board")];
  }

  function step(lines) {
    return lines.clientWidth + (parseFloat(getComputedStyle(lines).columnGap) || 0);
  }

  function pages(lines) {
    return Math.max(1, Math.round((lines.scrollWidth - lines.clientWidth) / step(lines)) + 1);
  }

  function show() {
    const all = boards();
    const hall = document.getElementById("hall");
    const turns = wide.matches && all.length > 0;
    hall.classList.toggle("turning", turns);
    const told = hall.querySelector(".hall-turn");
    if (!turns) {
      for (const one of all) one.hidden = false;
      if (told) told.hidden = true;
      return;
    }
    board %= all.length;
    all.forEach((one, at) => { one.hidden = at !== board; });
    const lines = all[board].querySelector(".board-lines");
    const last = pages(lines);
    page = Math.min(page, last - 1);
    const sign = document.documentElement.dir === "rtl" ? -1 : 1;
    lines.scrollLeft = sign * page * step(lines);
    if (told) {
      told.hidden = all.length === 1 && last === 1;
      told.querySelector("[data-page]").textContent = `${page + 1}/${last}`;
      told.querySelector("[data-hold]").setAttribute("aria-pressed", String(held));
    }
  }

  function turn() {
    const all = boards();
    if (held || !wide.matches || !all.length) return;
    const lines = all[board % all.length].querySelector(".board-lines");
    page += 1;
    if (page >= pages(lines)) {
      page = 0;
      board = (board + 1) % all.length;
    }
    show();
  }

  function connection(there) {
    const note = document.querySelector("[data-offline]");
    if (there) lost = null;
    else if (!lost) lost = new Date();
    if (!note) return;
    note.hidden = lost === null;
    if (lost) note.querySelector("[data-since]").textContent = lost.toLocaleTimeString();
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-hold]")) return;
    held = !held;
    show();
  });
  document.addEventListener("htmx:sendError", () => connection(false));
  document.addEventListener("htmx:timeout", () => connection(false));
  document.addEventListener("htmx:responseError", () => connection(false));
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) connection(true); });
  document.addEventListener("htmx:afterSettle", show);
  wide.addEventListener("change", show);
  window.addEventListener("resize", show);
  show();
  setInterval(turn, SECONDS * 1000);
})();

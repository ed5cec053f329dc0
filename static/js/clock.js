// Clocks of rounds in the time of the server. An element .clock says when it ends (data-ends-at) and what the server's time was when
// it was made (data-now); at its end it stands at 0 and says so (data-over). A clock without an end is stopped, and stays as it is.
// Without JavaScript the page says until when the round goes.
(function () {
  "use strict";

  const LAST_MINUTES = 5 * 60;
  let ahead = 0; // what the server's clock is before the one of this device, in milliseconds
  const known = new WeakSet();

  function text(seconds) {
    const hours = Math.floor(seconds / 3600);
    const two = (number) => String(number).padStart(2, "0");
    const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
    return hours ? `${hours}:${rest}` : rest;
  }

  function show(clock, now) {
    const left = Math.max(0, Math.ceil((Date.parse(clock.dataset.endsAt) - now) / 1000));
    const figures = clock.querySelector(".clock-figures") || clock;
    const told = left ? text(left) : clock.dataset.over || text(0);
    if (figures.textContent !== told) figures.textContent = told;
    clock.dataset.state = left === 0 ? "over" : left <= LAST_MINUTES ? "last" : "runs";
  }

  function tick() {
    const clocks = document.querySelectorAll(".clock[data-ends-at]");
    for (const clock of clocks) {
      if (!known.has(clock)) {
        known.add(clock);
        const then = Date.parse(clock.dataset.now);
        if (!Number.isNaN(then)) ahead = then - Date.now();
      }
    }
    for (const clock of clocks) show(clock, Date.now() + ahead);
  }

  // Every answer of the server says what time it is there (to the second): a clock that went astray is put right.
  document.addEventListener("htmx:afterRequest", (event) => {
    const said = event.detail.xhr && Date.parse(event.detail.xhr.getResponseHeader("Date"));
    if (said && Math.abs(said - (Date.now() + ahead)) > 2000) ahead = said - Date.now();
    tick();
  });
  tick();
  setInterval(tick, 250);
})();

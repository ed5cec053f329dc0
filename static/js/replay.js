// The replay: slider and arrow keys, and what a step shows is also said. The links work without it.
(function () {
  "use strict";

  const replay = document.getElementById("replay");
  if (!replay || !window.htmx) return;
  const slider = document.getElementById("replay-slider");
  const output = replay.querySelector("output");
  const announce = document.getElementById("announce");
  let waiting = 0;

  function moment() {
    return document.getElementById("moment");
  }

  // One request at a time: while one is under way only the last wish is kept, so a held key never outruns the site.
  let wanted = null;
  let under_way = false;
  function go(at) {
    wanted = at;
    if (under_way) return;
    under_way = true;
    const asked = at;
    window.htmx
      .ajax("GET", replay.dataset.url + "?at=" + asked, { source: replay, target: "#moment", swap: "outerHTML settle:0ms" })
      .then(() => history.replaceState(history.state, "", "?at=" + moment().dataset.at))
      .catch(() => { wanted = asked; })
      .finally(() => {
        under_way = false;
        if (wanted !== asked) go(wanted);
      });
  }

  // Only the box of the feed scrolls, never the page under the reader.
  function reveal() {
    const box = replay.querySelector(".entries");
    const current = box && box.querySelector("[aria-current]");
    if (!current || box.scrollHeight <= box.clientHeight) return;
    box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 3;
  }

  function shown() {
    const at = moment().dataset.at;
    if (document.activeElement !== slider || !waiting) slider.value = at;
    output.textContent = at;
    reveal();
  }

  slider.addEventListener("input", () => {
    output.textContent = slider.value;
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      waiting = 0;
      go(slider.value);
    }, 80);
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable], summary, .table-box, .board-box.wide")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { at, last } = moment().dataset;
    const from = Number(under_way ? wanted : at);
    const to = Math.min(Number(last), Math.max(0, from + step));
    if (to !== from) go(to);
  });

  // A link that leads nowhere further does nothing.
  replay.addEventListener("click", (event) => {
    if (event.target.closest("[aria-disabled='true']")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  let wordsOpen = false;
  document.addEventListener("htmx:beforeSwap", () => {
    const words = document.getElementById("position-words");
    wordsOpen = Boolean(words && words.open);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target && event.detail.target.id !== "moment") return;
    const words = document.getElementById("position-words");
    if (words && wordsOpen) words.open = true;
    shown();
    announce.textContent = moment().dataset.words;
  });

  replay.querySelector(".replay-jump button").hidden = true;
  replay.querySelector(".replay-keys").hidden = false;
  reveal();
})();

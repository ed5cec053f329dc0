// The upload page: files can be dropped on the form, and a large file shows how far it is. The form works without it.
(function () {
  "use strict";

  const form = document.getElementById("upload-form");
  if (!form) return;
  const files = form.querySelector("input[type=file]");
  const drop = form.querySelector(".drop");
  const progress = document.getElementById("upload-progress");
  const bar = progress.querySelector("progress");
  const figure = progress.querySelector("span");
  const SHOWN_FROM = 1024 * 1024;

  form.querySelector(".drop-hint").hidden = false;
  let over = 0;
  function mark(change) {
    over = Math.max(0, over + change);
    drop.classList.toggle("over", over > 0);
  }
  form.addEventListener("dragenter", () => mark(1));
  form.addEventListener("dragleave", () => mark(-1));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    over = 0;
    mark(0);
    if (!event.dataTransfer || !event.dataTransfer.files.length) return;
    files.files = event.dataTransfer.files;
    files.focus();
  });

  form.addEventListener("htmx:xhr:progress", (event) => {
    const { loaded, total, lengthComputable } = event.detail;
    if (!lengthComputable || total < SHOWN_FROM) return;
    progress.hidden = false;
    bar.value = (100 * loaded) / total;
    figure.textContent = Math.floor((100 * loaded) / total) + " %";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target === form) progress.hidden = true;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const reports = document.getElementById("reports");
    if (event.detail.elt === reports || event.detail.target === reports) reports.focus({ preventScroll: true });
  });
})();

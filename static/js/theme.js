// Runs before the page is drawn, so that a chosen theme never flashes: "light" or "dark" if chosen, else as the device says.
(function () {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; the device's own setting holds then.
  }
})();

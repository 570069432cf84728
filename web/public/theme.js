// Runs before the first paint, so that the page does not flash in the colors of the device.
try {
  for (const name of ["theme", "density"]) {
    const choice = JSON.parse(localStorage.getItem(`vestry.${name}`));
    if (choice) document.documentElement.dataset[name] = choice;
  }
} catch {
  // A denied storage has no choices.
}

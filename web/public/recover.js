// Runs before the app, which does not start if one of its files is missing. After an update, the files of an old page are gone.
const AGAIN_MS = 60_000;
let isReloading = false;

/** Without storage the reload could repeat forever, and without a network the file is not gone. */
function reloadOnce() {
  if (isReloading) return true;
  try {
    const last = Number(sessionStorage.getItem("vestry.reloaded"));
    if (!navigator.onLine || Math.abs(Date.now() - last) < AGAIN_MS) return false;
    sessionStorage.setItem("vestry.reloaded", String(Date.now()));
  } catch {
    return false;
  }
  isReloading = true;
  // Forms first learn that the page goes, and do not ask.
  setTimeout(() => location.reload());
  return true;
}

/** The page says in three languages what happened. Once the app shows something, `base.css` hides that. */
function showFailure() {
  const failure = document.getElementById("failure");
  if (!failure.hidden) return;
  failure.hidden = false;
  const retry = () => failure.checkVisibility() && location.reload();
  addEventListener("online", retry);
  setInterval(retry, AGAIN_MS);
}

// A script or a sheet of the page itself.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof Element) || !target.matches("script, link[rel=stylesheet]")) return;
    if (reloadOnce()) return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", showFailure);
    else showFailure();
  },
  true,
);

// A file that the app wanted later. Drafts are kept by their forms.
addEventListener("vite:preloadError", (event) => {
  if (reloadOnce()) event.preventDefault();
  else showFailure();
});

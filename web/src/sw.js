// The shell alone: the page, its scripts and styles. Nothing of the church is kept here. The build fills in the two constants.
const SHELL = "shell-BUILD";
const FILES = ["FILES"];
/** A tab that is open during an update still needs the scripts of the version before. */
const VERSIONS = 2;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)));
  skipWaiting();
});

addEventListener("activate", (event) => {
  const activate = async () => {
    const names = await caches.keys();
    // In the order of their installation. A version that came back is not the last one.
    const others = names.filter((name) => name !== SHELL);
    await Promise.all(others.slice(0, 1 - VERSIONS).map((name) => caches.delete(name)));
    // The page of the first visit has no worker yet, and its network can go before the next visit.
    await clients.claim();
  };
  event.waitUntil(activate());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // Scripts of a page are requested with other headers than those of the installation.
  const kept = (where) =>
    caches.match(request.mode === "navigate" ? "/" : request, { ...where, ignoreVary: true });
  // The newest page comes from the service, unless the network or the service is down.
  if (request.mode === "navigate") {
    const page = () => kept({ cacheName: SHELL });
    const answer = fetch(request).then(async (one) =>
      one.status < 500 ? one : ((await page()) ?? one),
    );
    event.respondWith(answer.catch(page));
  } else if (FILES.includes(pathname))
    event.respondWith(kept({ cacheName: SHELL }).then((one) => one ?? fetch(request)));
  // The name of an asset has the hash of its content, so any version may have kept it.
  else if (origin === location.origin && pathname.startsWith("/assets/"))
    event.respondWith(kept().then((one) => one ?? fetch(request)));
});

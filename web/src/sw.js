// The shell alone: the page, its scripts and styles. Nothing of the church is kept here. The build fills in the two constants.
const SHELL = "shell-BUILD";
const FILES = ["FILES"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)));
  skipWaiting();
});

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name !== SHELL));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  // Scripts of a page are requested with other headers than those of the installation.
  const kept = () =>
    caches.match(request.mode === "navigate" ? "/" : request, {
      cacheName: SHELL,
      ignoreVary: true,
    });
  // The newest page comes from the service, unless the network or the service is down.
  if (request.mode === "navigate") {
    const answer = fetch(request).then(async (one) =>
      one.status < 500 ? one : ((await kept()) ?? one),
    );
    event.respondWith(answer.catch(kept));
  } else if (FILES.includes(new URL(request.url).pathname))
    event.respondWith(kept().then((one) => one ?? fetch(request)));
});

// The service worker of keizer.html on a server: it keeps the files of one version, all or none,
// and gives them without a network. A newer one waits until no window of this one is open. It
// knows nothing of seasons.
"use strict";

const FILES = {files}; // SHA-256 by path; ./ is the page
const { scope } = registration;
const NAME = `${scope} ${Object.values(FILES).join(" ")}`;

async function fetched() {
  // no-cache: the server is asked whether what the browser has of it is still so.
  const wanted = Object.entries(FILES).map(
    ([path, integrity]) => new Request(path, { integrity, cache: "no-cache" }),
  );
  const cache = await caches.open(NAME);
  await cache.addAll(wanted);
}

async function tidied() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(`${scope} `) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function given(path, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(path)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(fetched()));
addEventListener("activate", (event) => event.waitUntil(tidied()));
addEventListener("fetch", (event) => {
  const [address] = event.request.url.split(/[?#]/);
  const path = address.replace(scope, "").replace(/^(index\.html)?$/, "./");
  if (Object.hasOwn(FILES, path)) event.respondWith(given(path, event.request));
});

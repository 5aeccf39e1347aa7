// Of the page, where a server has it: it is kept for use without a network, can be installed,
// and shows a season that lies beside it.
"use strict";

const SERVED = location.protocol !== "file:";
const VERSION = document.documentElement.dataset.version;

// The season of the server that is looked at, as guests see it: { name, bytes }, or null.
let guest = null;

// Look at the file of a name beside this page; else it is said why not.
async function beside(name, language) {
  if (!SERVED) return say("unserved", { name });
  if (!/^[\p{L}\p{N}][\p{L}\p{N} _.,'()&-]*$/u.test(name)) return say("elsewhere", { name });
  const asked = { cache: "no-cache", redirect: "error" };
  let file;
  try {
    const answer = await fetch(encodeURIComponent(name), asked);
    if (!answer.ok) return say("absent", { name });
    file = new File([await answer.blob()], name);
  } catch ({ message: why }) {
    return say("unread", { name, why });
  }
  const bytes = await read(file);
  if (!bytes || !(await sound(name, bytes)).season) return;
  await call("look", [nameOf(file), bytes]);
  await call("ask", [`/index.html?lang=${language}`, []]);
  guest = { name, bytes };
}

// Look no more: then a reload begins with this browser's own seasons.
function endVisit() {
  guest = null;
  history.replaceState(null, "", location.pathname + location.hash);
}

// Keep the files of this page for use without a network. A newer one waits until all windows of
// this one are closed.
async function keepOffline() {
  const last = localStorage.getItem("version");
  if (last && last !== VERSION) say("updated", { version: VERSION.split(" ")[0] });
  localStorage.setItem("version", VERSION);
  fill();
  const there = await navigator.serviceWorker.register("offline.js");
  const told = () => {
    if (!there.waiting || !navigator.serviceWorker.controller) return;
    say("newer", {});
    fill();
  };
  there.addEventListener("updatefound", () => there.installing.addEventListener("statechange", told));
  told();
  if (matchMedia("(display-mode: standalone)").matches) await navigator.storage.persist();
}

// What is to do once keizer has begun.
function served() {
  if (!SERVED) return;
  keepOffline().catch(() => {}); // a browser that keeps nothing, as in a private window
  // A file that was opened with the installed program.
  window.launchQueue?.setConsumer(({ files: [handle] }) => handle && act(() => openHandle(handle)));
}

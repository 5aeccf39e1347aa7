// The page: it asks the worker for pages of the face, shows them, and keeps the season file.
// An address is the part after #: keizer.html#/standings.html is page standings.html.
"use strict";

const ROOT = "https://keizer.invalid";
const LARGEST = 200 << 20; // bytes of a season file
const TYPES = [{ description: "keizer", accept: { "application/vnd.sqlite3": [".db"] } }];
const BEGINS = {
  en: "keizer starts: this takes some seconds.",
  nl: "keizer start: dat duurt enkele seconden.",
  de: "keizer startet: das dauert einige Sekunden.",
  fr: "keizer démarre : cela prend quelques secondes.",
};

// ------------------------------------------------------------------------ the worker

const source = (id) => document.getElementById(id).textContent;
let worker;
let asked = 0;
const waiting = new Map();

function call(what, given, moved = []) {
  return new Promise((fulfil, fail) => {
    waiting.set(++asked, { fulfil, fail });
    worker.postMessage([asked, what, given], moved);
  });
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const unpacked = (bytes) =>
  new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"))).text();

async function begin() {
  const parts = {};
  for (const part of document.querySelectorAll("script[data-part]")) {
    parts[part.dataset.part] = bytesOf(part.textContent.trim());
    part.remove();
  }
  // One script, and no module: from file:// a worker can import nothing in WebKit, and cannot be
  // a module in Chromium. Pyodide takes one with importScripts for a worker without import().
  const first = '"use strict"; self.importScripts = undefined;';
  const script = [[first, await unpacked(parts["pyodide.js"]), source("worker")].join("\n")];
  worker = new Worker(URL.createObjectURL(new Blob(script, { type: "text/javascript" })));
  worker.onmessage = ({ data: [number, answer, error] }) => {
    const { fulfil, fail } = waiting.get(number);
    waiting.delete(number);
    if (error) fail(new Error(error));
    else fulfil(answer);
  };
  worker.onerror = (event) => waiting.forEach(({ fail }) => fail(new Error(event.message)));
  await call("begin", parts, Object.values(parts).map(({ buffer }) => buffer));
}

// ------------------------------------------------------------------------ the season

// The one that is open: its record (kept.js); and, of this page alone, bytes: its file as it is
// now; owed: bytes by path that the browser should keep and does not yet; kept: whether it keeps
// all; denied: whether it may not write to the file of its handle; broken: whether it tried to, in vain.
let season = null;
let running = 0;

const OF_THE_PAGE = ["bytes", "owed", "kept", "denied", "broken"];
const record = (of) => Object.fromEntries(Object.entries(of).filter(([name]) => !OF_THE_PAGE.includes(name)));

const hash = async (bytes) =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
const bytesIn = async (file) => new Uint8Array(await file.arrayBuffer());
const moment = (at) =>
  new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" });

// Whether another tab has the season now: then this one changes nothing any more.
const lost = () => Boolean(season) && !held.has(season.name);

// Whether nobody else has some of its steps: neither a file, nor what the browser keeps.
const loose = () => Boolean(season?.unsaved) && !season.kept;

function remember(name) {
  try {
    if (name) sessionStorage.setItem("season", name);
    return sessionStorage.getItem("season");
  } catch {
    return null; // then a reload begins with the list of seasons
  }
}

// Have it for this tab alone, if the user says so.
async function have(name) {
  if (await lock(name, { taken: () => fill() })) return true;
  const meant = await choose("tab", { name });
  return meant === "take" && lock(name, { force: true, taken: () => fill() });
}

// Whether the season that is open may be left: not before one knows, if nobody else has its steps.
const mayLeave = () => !loose() || confirm(document.querySelector("[data-if=loose]").textContent);

// Make it the season that is open: a sound one, of which there are files.
async function enter(found, files) {
  await call("take", [found.name, files]);
  const old = season?.name === found.name ? season.owed : {};
  season = { ...found, bytes: files[found.name], owed: old };
  release(season.name);
  restyle = true;
  remember(season.name);
  await note({ [season.name]: season.bytes });
  return true;
}

// Keep what is so; what changed, bytes by path, and the paths that are gone. Says why not, if so.
async function note(changed = {}, gone = []) {
  season.owed = { ...season.owed, ...changed };
  try {
    await kept.step(record(season), season.owed, gone);
    Object.assign(season, { kept: true, owed: {} });
    return null;
  } catch (error) {
    season.kept = false;
    return kept.base && error.message;
  }
}

// What the season of a file is called here: club (1).db, as it was downloaded, is club.db.
function nameOf(file) {
  const plain = file.name.normalize("NFC").replace(/[^\p{L}\p{N} _.,'()&-]/gu, "-").replace(/^[.-]+/, "");
  const stem = plain.replace(/\.(db3?|sqlite3?)$/i, "").replace(/ ?\(\d{1,2}\)$/, "");
  return `${stem || "club"}.db`;
}

// Whether bytes of a file are a season, else whether they may be a list; it is said what is wrong.
async function sound(name, bytes) {
  const [wrong, list] = await call("wrong", [name, bytes]);
  if (wrong) say("wrong", { why: wrong });
  return { season: !wrong, list };
}

// Open what was chosen or dropped, a File, with a handle where the browser gives one; whether
// there is another page to show.
async function open(file, handle) {
  if (file.size > LARGEST) return say("large", { name: file.name, number: LARGEST >> 20 });
  let bytes;
  try {
    bytes = await bytesIn(file);
  } catch (error) {
    return say("unread", { name: file.name, why: error.message });
  }
  const what = await sound(file.name, bytes);
  if (what.list) return offer(file);
  const name = (handle && (await known(handle))) ?? nameOf(file);
  if (!what.season || !mayLeave() || !(await have(name))) return false;
  const old = await kept.read("seasons", name);
  const files = old ? await kept.files(name) : {};
  if (old) {
    const meant = await replaces(old, files[name], bytes);
    if (meant === "kept") return resume(name).then(home);
    if (!meant) return false;
  }
  const denied = Boolean(handle) && !(await allowed(handle, true));
  const found = { name, at: Date.now(), unsaved: 0, disk: await hash(bytes), handle, folder: old?.folder, denied };
  return enter(found, { ...files, [name]: bytes }).then(home);
}

// The name of the season whose file a handle is of, if the browser keeps it.
async function known(handle) {
  for (const one of await kept.seasons()) {
    if (one.handle && (await one.handle.isSameEntry(handle))) return one.name;
  }
}

// Whether a file takes the place of what there is of it here: "file", or "kept", or null where
// nobody can say. One that may lack steps does so only if somebody says so, and what there is then
// stays under another name.
async function replaces(old, mine, bytes) {
  const [lacks, last] = await call("lacks", [bytes, mine]);
  if (!lacks && !old.unsaved) return "file";
  const meant = await choose("both", { name: old.name, what: last, at: moment(old.at) });
  if (meant !== "leave") return meant && "kept";
  try {
    say("aside", { name: await kept.aside(record(old), mine) });
    return "file";
  } catch (error) {
    say("unkept", { why: error.message });
    return "kept";
  }
}

// The same of a file that need not be a season any more.
const instead = async (old, mine, bytes) =>
  (await sound(old.handle.name, bytes)).season ? replaces(old, mine, bytes) : "kept";

// Go on with a season that this browser keeps; whether that went well. quiet: without asking for
// anything.
async function resume(name, quiet = false) {
  if (!mayLeave() || !(quiet ? await lock(name, { taken: () => fill() }) : await have(name))) return false;
  const found = await kept.read("seasons", name);
  if (!found) return false;
  const files = await kept.files(name);
  const mine = files[name];
  found.denied = Boolean(found.handle) && !(await allowed(found.handle, quiet));
  if (found.denied) say("refused", { name });
  else if (found.handle && !(await meet(found, files))) return false;
  const marked = await kept.read("doing", name);
  await enter(found, files);
  if (marked) say("lost", { what: marked.what, at: moment(marked.at) });
  else if (!quiet && mine === files[name]) say("back", { name, at: moment(found.at) });
  if (season.unsaved && season.handle && !season.denied && !season.broken) await write();
  return true;
}

// A season and its file as that is now: read anew, if another program has changed it, and it takes
// the place of what there is. Whether it is known what is meant, as `replaces`.
async function meet(found, files) {
  const { name, handle } = found;
  try {
    const bytes = await bytesIn(await handle.getFile());
    const disk = await hash(bytes);
    if (disk === found.disk) return true;
    const ours = disk === (await hash(files[name])); // as where this ended before that was noted
    const meant = ours ? "file" : await instead(found, files[name], bytes);
    if (meant === "file") {
      if (!ours) say("changed", { name });
      Object.assign(found, { disk, unsaved: 0 });
      files[name] = bytes;
    } else if (meant) apart(found);
    return Boolean(meant);
  } catch (error) {
    fault(error, found);
    return true;
  }
}

// Leave the file of a season alone from now on.
function apart(found) {
  say("apart", { name: found.handle.name });
  Object.assign(found, { handle: undefined, unsaved: found.unsaved || 1 });
}

// What a browser lets one ask only after a click counts as refused.
async function allowed(handle, quiet) {
  const asking = { mode: "readwrite" };
  const now = await handle.queryPermission(asking);
  return (now === "granted" || quiet ? now : await handle.requestPermission(asking).catch(() => now)) === "granted";
}

const changed = async () => (await hash(await bytesIn(await season.handle.getFile()))) !== season.disk;

// Read the file anew that another program has changed.
async function reread() {
  const found = { ...season };
  const files = { ...(await kept.files(found.name)), ...season.owed, [found.name]: season.bytes };
  if (!(await meet(found, files))) apart(found);
  await enter(found, files);
}

// Write the season to its file: whole, or not at all; and not if it has changed meanwhile, or the
// season is another tab's.
async function write() {
  try {
    if (season.disk && (await changed())) return await reread();
    const out = await season.handle.createWritable();
    await out.write(season.bytes);
    if (lost()) return await out.abort();
    if (season.disk && (await changed())) {
      await out.abort();
      return await reread();
    }
    await out.close();
    season.broken = false;
    await saved();
  } catch (error) {
    fault(error, season);
  }
}

async function saved() {
  Object.assign(season, { disk: await hash(season.bytes), unsaved: 0 });
  await note();
}

function fault(error, of) {
  const sentences = { NotFoundError: "gone", NotAllowedError: "refused", SecurityError: "refused" };
  const which = sentences[error.name] ?? "unwritten";
  of.broken = true;
  if (which === "gone") of.unsaved ||= 1;
  say(which, { name: of.handle?.name ?? of.name, why: error.message });
}

async function save() {
  const before = season.handle;
  try {
    season.denied = Boolean(before) && !(await allowed(before));
    if (season.denied) return say("refused", { name: season.name });
    if (!before && !lost() && window.showSaveFilePicker) {
      season.handle = await showSaveFilePicker({ suggestedName: season.name, types: TYPES });
      season.disk = null; // whatever was there, its replacement was allowed
    }
  } catch (error) {
    if (error.name !== "AbortError") fault(error, season);
    return false;
  }
  if (season.handle && !lost()) {
    await write();
    if (season.broken) season.handle = before;
    return true;
  }
  download(season.bytes, season.name, "application/vnd.sqlite3");
  say("saved", { name: season.name });
  return saved();
}

// A folder where snapshots are written, too.
async function folder() {
  const there = await showDirectoryPicker({ mode: "readwrite" }).catch(() => null);
  if (!there) return;
  season.folder = there;
  await note();
  await snapshots(await kept.files(season.name));
}

async function snapshots(files) {
  for (const [path, bytes] of Object.entries(files)) {
    if (!path.includes("/") || !season.folder) continue;
    try {
      const file = await season.folder.getFileHandle(path.split("/").pop(), { create: true });
      const out = await file.createWritable();
      await out.write(bytes);
      await out.close();
    } catch ({ message: why }) {
      say("unwritten", { name: season.folder.name, why });
    }
  }
}

// After a request: what it changed is kept, and written.
async function keep(answer, what) {
  if (answer.season && answer.season !== season?.name) {
    if (season) await call("drop", season.name);
    season = { name: answer.season, unsaved: 0, disk: null, owed: {} };
    await lock(season.name, { taken: () => fill() });
    release(season.name);
    remember(season.name);
  }
  if (!season || (!Object.keys(answer.changed).length && !answer.gone.length)) return;
  if (lost()) return say("late", { name: season.name, what }); // another tab took it during the step
  const step = answer.changed[season.name];
  if (step) Object.assign(season, { bytes: step, unsaved: season.unsaved + 1, at: Date.now() });
  const why = await note(answer.changed, answer.gone);
  if (step && season.handle && !season.denied) await write();
  if (why && season.unsaved) say("unkept", { why });
  await snapshots(answer.changed);
}

// --------------------------------------------------------------------------- pages

let shown = ""; // its address
let pressed = false; // a link, so that its page begins at its top
const submitted = []; // forms not yet sent: { number, what: the text of the button }
let forms = 0; // that were submitted
let behind = 0; // those up to this number were, before one could read that the file had changed
const scrolled = new Map(); // how far down each page was left
let turn = Promise.resolve();
const styles = new Map(); // by path
let restyle = false; // since that of the club may be another one
const pathOf = (url) => url.slice(url.indexOf("#") + 1).split(/[?#]/)[0];

// One after the other: run it when those before have ended.
function queued(run) {
  running++;
  document.documentElement.setAttribute("aria-busy", "true");
  const mine = turn.then(run).finally(() => {
    if (!--running) document.documentElement.removeAttribute("aria-busy");
  });
  turn = mine.catch(() => {});
  return mine;
}

// A form with its files, as it is sent: WebKit cannot read a Response of a FormData with files.
function multipart(fields) {
  const border = crypto.randomUUID();
  const quoted = (text) => `"${text.replace(/["\r\n]/g, encodeURIComponent)}"`;
  const parts = [...fields].flatMap(([name, value]) => [
    `--${border}\r\nContent-Disposition: form-data; name=${quoted(name)}`,
    value instanceof File ? `; filename=${quoted(value.name)}` : "",
    "\r\n\r\n", value, "\r\n",
  ]);
  return new Blob([...parts, `--${border}--\r\n`], { type: `multipart/form-data; boundary=${border}` });
}

async function request(path, body, what) {
  const there = await kept.seasons().catch(() => []);
  const seasons = there.map(({ name, unsaved, at }) => ({ name, unsaved, at: moment(at) }));
  if (!body) return call("ask", [path, seasons]);
  const marked = season && kept.doing(season.name, what).catch(() => {}); // what the worker does meanwhile
  const posted = new Response(body instanceof FormData ? multipart(body) : body);
  const kind = posted.headers.get("content-type");
  const answer = await call("ask", [path, seasons, new Uint8Array(await posted.arrayBuffer()), kind]);
  await marked;
  return answer;
}

// Ask for a page, or send a form; the page that comes, with where that is. number, what: as of
// those that are submitted.
async function ask(url, { body, number, what } = {}) {
  const [path, spot] = url.slice(url.indexOf("#") + 1).split("#");
  const before = season?.name;
  const answer = body && (await barred(path, number)) ? await request("/") : await request(path, body, what);
  const keeping = keep(answer, what);
  const page = answer.type === "text/html" && parse(new TextDecoder().decode(answer.data)); // meanwhile
  await keeping;
  if (body && before && season?.kept) kept.done(before).catch(() => {});
  if (!page) {
    download(answer.data, answer.name || path.split("/").pop(), answer.type);
    return null;
  }
  restyle ||= Boolean(body);
  await dress(page, answer.path);
  fill(page);
  return [page, `#${answer.path}${spot ? `#${spot}` : ""}`];
}

// Whether a form may not be sent: another tab has the season; or the file has changed, and the
// form is of a page from before somebody could know.
async function barred(path, number) {
  if (/^\/do\/(begin|demo)$/.test(path)) return !mayLeave();
  if (lost()) return true;
  if (number <= behind) {
    say("changed", { name: season.name });
    return true;
  }
  if (!season?.handle || season.denied || (await unchanged())) return false;
  behind = forms;
  return true;
}

// Whether no other program has changed the file; else it is read anew.
async function unchanged() {
  try {
    if (!(await changed())) return true;
    await reread();
    return false;
  } catch {
    return true; // it cannot be read: writing it will say why
  }
}

// Give a page its style, and links that lead back here.
async function dress(page, path) {
  const here = ROOT + path;
  for (const [kind, name] of [["a[href]", "href"], ["form[action]", "action"]]) {
    for (const element of page.querySelectorAll(kind)) {
      const to = element.getAttribute(name);
      const { origin, pathname, search, hash: spot } = new URL(to, here);
      if (origin === ROOT && !to.startsWith("#")) element.setAttribute(name, `#${pathname}${search}${spot}`);
    }
  }
  const links = [...page.querySelectorAll("link[rel=stylesheet]")];
  const wanted = links.map((link) => new URL(link.getAttribute("href"), here).pathname);
  for (const one of wanted) if (!styles.has(one) || one.startsWith("/sheet/")) await style(one);
  const sheets = wanted.map((one) => styles.get(one));
  if (sheets.some((one, at) => one !== document.adoptedStyleSheets[at])) document.adoptedStyleSheets = sheets;
  // The club's colour may be another one now: that need not be waited for.
  if (restyle) style(wanted[0]).catch(() => {});
  restyle = false;
  const { lang, dir } = page.documentElement;
  Object.assign(document.documentElement, { lang, dir });
  try {
    localStorage.setItem("language", lang);
  } catch {
    // then it is that of the browser again the next time
  }
}

async function style(path) {
  const { data } = await call("ask", [path, []]);
  if (!styles.has(path)) styles.set(path, new CSSStyleSheet());
  styles.get(path).replaceSync(new TextDecoder().decode(data));
}

// What the page of the season's file says: which state, and what there is to tell.
const said = [];

const put = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

const text = (which, page = document) => page.querySelector(`[data-say=${which}]`).content.textContent;

// Returns nothing, so that a step which ends with it has no page to show.
function say(which, { why, ...values }) {
  said.push([which, { ...values, why: why?.replace(/\.$/, "") }]);
}

// What is so of the season: one of the states of kept.html.
function state() {
  if (!season) return "none";
  if (loose()) return "loose";
  if (lost()) return "lost";
  if (season.unsaved) return "kept";
  return season.handle && !season.denied && !season.broken ? "file" : "saved";
}

function fill(page = document) {
  const values = season && { name: season.handle?.name ?? season.name, number: season.unsaved };
  for (const element of page.querySelectorAll("[data-if]")) {
    element.hidden = !element.dataset.if.split(" ").includes(state());
    if (element.dataset.able) element.hidden ||= !(element.dataset.able in window);
    element.dataset.text ??= element.textContent;
    if (values) element.textContent = put(element.dataset.text, values);
  }
  const notes = page.querySelector(".notes");
  if (!notes) return;
  for (const [which, told] of said.splice(0)) {
    const line = page.createElement("p");
    line.className = "note-warning";
    line.textContent = put(text(which, page), told);
    notes.append(line);
  }
}

// The answer to a question, "take" or "leave"; null where somebody leaves it by Escape.
async function choose(which, values) {
  const dialog = document.querySelector(`[data-choice=${which}]`);
  if (!dialog) return null; // before the first page
  const question = dialog.querySelector("p");
  question.dataset.text ??= question.textContent;
  question.textContent = put(question.dataset.text, values);
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((end) => dialog.addEventListener("close", end, { once: true }));
  return dialog.returnValue || null;
}

function download(bytes, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Show the page of the address, as it is now.
async function visit() {
  const url = location.hash.startsWith("#/") ? location.hash : "#/";
  try {
    const found = await queued(() => ask(url));
    if (!found) return history.back();
    if (location.hash !== found[1]) history.replaceState(null, "", found[1]);
    show(...found);
    shown = location.hash;
    give();
    if (!pressed) scrollTo(0, scrolled.get(found[1]) ?? scrollY); // back, or forward
    pressed = false;
  } catch (error) {
    stopped(error);
  }
}

// Do what may show another page: run says whether.
function act(run) {
  return queued(run).then((moved) => (moved ? visit() : fill()), stopped);
}

function stopped(error) {
  const box = document.querySelector(".notes") ?? document.querySelector("main");
  const line = document.createElement("p");
  line.className = "note-refused";
  line.textContent = net.silent(error);
  box.replaceChildren(line);
  fill();
}

// What face.js gets its pages by.
window.net = {
  silent({ message: why }) {
    const which = loose() ? "stopped-loose" : "stopped";
    return put(document.querySelector(`[data-say=${which}]`)?.content.textContent ?? "{why}", { why });
  },
  here: () => location.hash,
  same: (url) => pathOf(url) === pathOf(shown),
  went(url) {
    history.pushState(null, "", url);
    shown = location.hash;
  },
  get(url, body) {
    const form = body && { body, ...submitted.shift() };
    return queued(() => ask(url, form));
  },
};

// To where the season is, once one is open.
function home(opened) {
  if (opened && pathOf(location.hash) !== "/tonight") history.pushState(null, "", "#/tonight");
  return opened;
}

let offered = null; // a list, it may be, or a season of another program

// What was opened and is no season goes into the form that begins one.
function offer(file) {
  offered = file;
  if (pathOf(location.hash) !== "/start") history.pushState(null, "", "#/start");
  return true;
}

function give() {
  const input = document.querySelector("form[action$='do/begin'] [type=file]");
  if (!offered || !input) return;
  const given = new DataTransfer();
  given.items.add(offered);
  input.files = given.files;
  const { name } = input.form.elements;
  name.value = offered.name.replace(/\.\w+$/, "");
  name.select();
  offered = null;
}

const does = {
  save,
  folder,
  resume: ({ name }) => resume(name).then(home),
  async forget({ name, ask: question }) {
    if (!confirm(question) || !(await have(name))) return false;
    await kept.forget(name);
    return true;
  },
  async open() {
    if (!window.showOpenFilePicker) return document.getElementById("file").click();
    const [handle] = await showOpenFilePicker().catch(() => []);
    if (!handle) return false;
    return allowed(handle).then(async () => open(await handle.getFile(), handle));
  },
};

addEventListener("hashchange", visit);

addEventListener("submit", (event) => {
  const form = event.target;
  const what = (event.submitter ?? form).innerText.trim().slice(0, 80) || form.action.split("/").pop();
  if (form.method === "post") submitted.push({ number: ++forms, what });
  if (form.method !== "get") return;
  event.preventDefault();
  const [at] = form.getAttribute("action").split("?");
  location.hash = `${at}?${new URLSearchParams(new FormData(form, event.submitter))}`;
}, true);

addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) return void act(() => does[button.dataset.do](button.dataset));
  const link = event.target.closest("a[href]");
  const to = link?.getAttribute("href") ?? "";
  pressed = to.startsWith("#/");
  scrolled.set(location.hash, scrollY);
  if (/^#\/(export\/|.*\.json$)/.test(to)) {
    event.preventDefault();
    queued(() => ask(to)).catch(stopped);
  } else if (to.startsWith("#") && !to.startsWith("#/")) {
    event.preventDefault();
    const spot = document.getElementById(to.slice(1));
    spot?.scrollIntoView();
    spot?.focus();
  }
});

document.getElementById("file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file) act(() => open(file));
});

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  const [item] = event.dataTransfer.items;
  if (event.target.closest("input, textarea")) return;
  event.preventDefault();
  if (item?.kind !== "file") return;
  const file = item.getAsFile();
  const asked = item.getAsFileSystemHandle?.();
  act(async () => {
    const handle = await asked?.catch(() => undefined);
    if (handle) await allowed(handle).catch(() => {});
    return open(file, handle);
  });
});

addEventListener("beforeunload", (event) => {
  if ((season?.unsaved || running) && state() !== "lost") event.preventDefault();
});

addEventListener("focus", () => {
  const typing = document.activeElement?.closest("input, select, textarea");
  if (!season?.handle || season.denied || season.unsaved || running || lost() || typing) return;
  queued(unchanged).then((same) => same || visit(), () => {});
});

// --------------------------------------------------------------------------- begin

async function main() {
  let language = navigator.language.split("-")[0];
  try {
    language = localStorage.getItem("language") ?? language;
  } catch {
    // that of the browser, then
  }
  if (language in BEGINS) document.getElementById("boot").textContent = BEGINS[language];
  await new Promise(requestAnimationFrame); // so that it is seen
  await Promise.all([begin(), kept.begin().catch(({ message: why }) => say("unopened", { why }))]);
  if (language in BEGINS) await call("ask", [`/about?lang=${language}`, []]);
  const name = remember();
  if (name) await queued(() => resume(name, true));
  if (!season) history.replaceState(null, "", "#/start");
  await visit();
}

main().catch((error) => {
  document.getElementById("boot").textContent = `keizer cannot start in this browser: ${error.message}`;
});

// Of the page: how it asks the worker, and what it does with the season that is open.
"use strict";

const LARGEST = 200 << 20; // bytes of a season file
const TYPES = [{ description: "keizer", accept: { "application/vnd.sqlite3": [".db"] } }];

// ------------------------------------------------------------------------ the worker

const source = (id) => document.getElementById(id).textContent;
const TOO_LONG = new Error("the worker was ended: it read a file for too long");
const parts = {}; // of the program, packed: bytes by name
let script; // of a worker
let worker;
let asked = 0;
let second = 1000; // milliseconds: tests have shorter ones
let deadline; // when a file has been read for too long
const waiting = new Map();

function call(what, given) {
  return new Promise((fulfil, fail) => {
    waiting.set(++asked, { fulfil, fail });
    worker.postMessage([asked, what, given]);
  });
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const unpacked = (bytes) =>
  new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"))).text();

async function begin() {
  for (const part of document.querySelectorAll("script[data-part]")) {
    parts[part.dataset.part] = bytesOf(part.textContent.trim());
    part.remove();
  }
  // One script, and no module: from file:// a worker can import nothing in WebKit, and cannot be
  // a module in Chromium. Pyodide takes one with importScripts for a worker without import().
  const first = '"use strict"; self.importScripts = undefined;';
  const text = [first, await unpacked(parts["pyodide.js"]), source("worker")].join("\n");
  script = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  await start();
}

// Start Python. WebKit fails now and then ("Out of bounds memory access"), and not twice.
async function start() {
  try {
    await startOnce();
  } catch {
    worker.terminate();
    await startOnce();
  }
}

async function startOnce() {
  worker = new Worker(script);
  worker.onmessage = ({ data: [number, answer, error] }) => {
    if (number === "reads") return limit(answer);
    const { fulfil, fail } = waiting.get(number);
    waiting.delete(number);
    if (error) fail(new Error(error));
    else fulfil(answer);
  };
  worker.onerror = (event) => waiting.forEach(({ fail }) => fail(new Error(event.message)));
  await call("begin", parts);
}

// Let the worker read a file for so many seconds; 0: it has read it.
function limit(seconds) {
  clearTimeout(deadline);
  if (seconds) deadline = setTimeout(restart, seconds * second);
}

// End the worker, which cannot be interrupted, and give another one the season as it was before.
async function restart() {
  worker.terminate();
  const unanswered = [...waiting.values()];
  waiting.clear();
  try {
    await start();
    await call("ask", [`/about?lang=${document.documentElement.lang}`, []]);
    if (season) {
      const there = await kept.files(season.name).catch(() => ({}));
      await call("take", [season.name, { ...there, ...season.owed, [season.name]: season.bytes }]);
    }
    unanswered.forEach(({ fail }) => fail(TOO_LONG));
  } catch (error) {
    unanswered.forEach(({ fail }) => fail(error));
  }
}

// ------------------------------------------------------------------------ the season

// The one that is open: its record (kept.js); and, of this page alone, bytes: its file as it is
// now; owed: bytes by path that the browser should keep and does not yet; kept: whether it keeps
// all; denied: whether it may not write to the file of its handle; broken: whether it tried to, in vain.
let season = null;
let running = 0;
let readings = 0; // of files that another program had changed

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
    if (name !== undefined) sessionStorage.setItem("season", name);
    return sessionStorage.getItem("season");
  } catch {
    return null; // then a reload begins with the list of seasons
  }
}

// Have it for this tab alone, if the user says so.
async function have(name) {
  if (await lock(name)) return true;
  return (await choose("tab", { name })) === "take" && lock(name, true);
}

// Whether the season that is open may be left: not before one knows, if nobody else has its steps.
const mayLeave = () => !loose() || confirm(document.querySelector("[data-if=loose]").textContent);

// Make it the season that is open: a sound one, of which there are files; whether this tab may.
async function enter(found, files) {
  if (!held.has(found.name)) return false; // another tab took it while somebody was asked
  await call("take", [found.name, files]);
  if (guest) endVisit();
  const owed = season?.name === found.name ? season.owed : {};
  season = { ...found, bytes: files[found.name], owed };
  restyle = true;
  const error = await note({ [season.name]: season.bytes });
  if (error !== TAKEN || lost()) return true;
  season = null; // the tab that had it wrote its last step meanwhile
  return resume(found.name, true);
}

// Keep what is so; what changed, bytes by path, and the paths that are gone. The error, if it could
// not: then a reload does not go back to what was kept before, unless a file is ahead of that.
async function note(changed = {}, gone = []) {
  season.owed = { ...season.owed, ...changed };
  if (lost()) return TAKEN; // what the browser keeps is the other tab's
  try {
    const version = await kept.step(record(season), season.owed, gone);
    Object.assign(season, { kept: true, owed: {}, version });
    remember(season.name);
    return null;
  } catch (error) {
    if (error === TAKEN) return error;
    season.kept = false;
    if (!season.handle) remember("");
    return kept.base && error;
  }
}

// Chromium has no message for want of room.
const unkept = ({ name, message: why }) => say(name === "QuotaExceededError" ? "full" : "unkept", { why });

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

// The bytes of a File, or nothing: then it is said why.
async function read(file) {
  if (file.size > LARGEST) return say("large", { name: file.name, number: LARGEST >> 20 });
  return bytesIn(file).catch(({ message: why }) => say("unread", { name: file.name, why }));
}

// Open what was chosen or dropped, a File, with a handle where the browser gives one; whether
// there is another page to show.
async function open(file, handle) {
  const bytes = await read(file);
  if (!bytes) return false;
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
  if (denied) say("refused", { name: handle.name });
  const { folder, version } = old ?? {};
  const found = { name, at: Date.now(), unsaved: 0, disk: await hash(bytes), handle, folder, version, denied };
  return enter(found, { ...files, [name]: bytes }).then(home);
}

// The same of a handle, of which may be asked whether it may be written.
async function openHandle(handle) {
  await allowed(handle);
  return open(await handle.getFile(), handle);
}

// The name of the season whose file a handle is of, if the browser keeps it.
async function known(handle) {
  for (const one of await kept.seasons()) {
    if (await one.handle?.isSameEntry(handle).catch(() => false)) return one.name;
  }
}

// Whether a file takes the place of what there is of it here: "file", or "kept", or null where
// nobody can say. One that may lack steps does so only if somebody says so, and what there is then
// stays under another name.
async function replaces(old, mine, bytes) {
  const [lacks, last] = await call("lacks", [bytes, mine]);
  if (!lacks && !old.unsaved) return "file";
  const meant = await choose("both", { name: old.name, what: last, at: moment(old.at) });
  if (!held.has(old.name)) return null;
  if (meant !== "leave") return meant && "kept";
  try {
    say("aside", { name: await kept.aside(record(old), mine) });
    delete old.version; // nothing has its name now
    return "file";
  } catch (error) {
    unkept(error);
    return "kept";
  }
}

// The same of a file that need not be a season any more.
const instead = async (old, mine, bytes) =>
  (await sound(old.handle.name, bytes)).season ? replaces(old, mine, bytes) : "kept";

// Go on with a season that this browser keeps; whether that went well. quiet: without asking for
// anything.
async function resume(name, quiet = false) {
  if (!mayLeave() || !(quiet ? await lock(name) : await have(name))) return false;
  const found = await kept.read("seasons", name);
  if (!found) return false;
  const files = await kept.files(name);
  const mine = files[name];
  found.denied = Boolean(found.handle) && !(await allowed(found.handle, quiet));
  if (found.denied) say("refused", { name });
  else if (found.handle && !(await meet(found, files))) return false;
  const marked = await kept.read("doing", name);
  if (!(await enter(found, files))) return false;
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
      Object.assign(found, { disk, unsaved: 0, broken: false });
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
  Object.assign(found, { handle: undefined, broken: false, unsaved: found.unsaved || 1 });
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
  const agreed = await meet(found, files);
  if (lost()) return;
  if (!agreed) apart(found);
  await enter(found, files);
  readings++;
  behind = forms;
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

// Save it: to its file, if that can be written; else to one that somebody chooses, or downloads.
async function save() {
  const { handle, disk } = season;
  if (handle && !lost()) {
    season.denied = !(await allowed(handle));
    if (season.denied) say("refused", { name: handle.name });
    else await write();
    if (!season.denied && !season.broken) return true;
  }
  if (window.showSaveFilePicker && !lost()) {
    try {
      season.handle = await showSaveFilePicker({ suggestedName: season.name, types: TYPES });
    } catch (error) {
      if (error.name !== "AbortError") say("unwritten", { name: season.name, why: error.message });
      return false;
    }
    Object.assign(season, { disk: null, denied: false }); // its replacement was allowed
    await write();
    if (season.broken) Object.assign(season, { handle, disk });
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

// Another tab took the season during a step: here it is again as it was before.
async function late(before, what) {
  const { name, bytes } = before;
  held.delete(name);
  say("late", { name, what });
  season = bytes ? before : null; // else it is new in both tabs
  await call("leave");
  if (season) await call("take", [name, { ...(await kept.files(name)), [name]: bytes }]);
  readings++;
}

// After a request: what it changed is kept, and written.
async function keep(answer, what) {
  if (answer.season && answer.season !== season?.name) {
    if (season) await call("drop", season.name);
    season = { name: answer.season, unsaved: 0, disk: null, owed: {} };
    if (!(await lock(season.name))) await lock(season.name, true); // it is new
  }
  if (!season || (!Object.keys(answer.changed).length && !answer.gone.length)) return;
  const before = { ...season };
  const step = answer.changed[season.name];
  if (step) Object.assign(season, { bytes: step, unsaved: season.unsaved + 1, at: Date.now() });
  const error = await note(answer.changed, answer.gone);
  if (error === TAKEN) return late(before, what);
  if (step && season.handle && !season.denied) await write();
  if (error && (season.unsaved || !step)) unkept(error);
  await snapshots(answer.changed);
}

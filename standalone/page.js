// The page: it asks for pages of the face, shows them, and says where the season is.
// An address is the part after #: keizer.html#/standings.html is page standings.html.
"use strict";

const ROOT = "https://keizer.invalid";
const BEGINS = {
  en: "keizer starts: this takes some seconds.",
  nl: "keizer start: dat duurt enkele seconden.",
  de: "keizer startet: das dauert einige Sekunden.",
  fr: "keizer démarre : cela prend quelques secondes.",
};

const FRAMED = {
  en: "keizer does not start within another page: open it in a window of its own.",
  nl: "keizer start niet binnen een andere pagina: open het in een eigen venster.",
  de: "keizer startet nicht in einer anderen Seite: Öffnen Sie es in einem eigenen Fenster.",
  fr: "keizer ne démarre pas dans une autre page : ouvrez-le dans sa propre fenêtre.",
};

// A page around this one can lay something over it, and have people press what they do not see.
// Without this script there is nothing to press.
if (window.top !== window) {
  const language = navigator.language.split("-")[0];
  document.getElementById("boot").textContent = FRAMED[language] ?? FRAMED.en;
  throw new Error("within another page");
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
    release(season?.name);
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
  try {
    return await call("ask", [path, seasons, new Uint8Array(await posted.arrayBuffer()), kind]);
  } catch (error) {
    if (error !== TOO_LONG) throw error;
    const file = [...body.values()].find((value) => value instanceof File && value.size);
    say("slow", { name: file?.name ?? "" });
    return call("ask", ["/", seasons]);
  } finally {
    await marked;
  }
}

// Ask for a page, or send a form; the page that comes, with where that is. number, what: as of
// those that are submitted.
async function ask(url, { body, number, what } = {}) {
  const [path, spot] = url.slice(url.indexOf("#") + 1).split("#");
  const before = season?.name;
  let answer = body && (await barred(path, number)) ? await request("/") : await request(path, body, what);
  const then = readings;
  const keeping = keep(answer, what);
  let page = paged(answer); // meanwhile
  await keeping;
  if (readings !== then) page = paged((answer = await request("/")));
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

// The page of an answer, if it is one.
const paged = ({ type, data }) => (type === "text/html" ? parse(new TextDecoder().decode(data)) : null);

// Whether a form may not be sent: another tab has the season; or the file has changed, and the
// form is of a page from before somebody could know.
async function barred(path, number) {
  if (/^\/do\/(begin|demo)$/.test(path)) return !mayLeave();
  if (lost()) return true;
  if (number <= behind) {
    say("changed", { name: season.name });
    return true;
  }
  return Boolean(season?.handle) && !season.denied && !(await unchanged());
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
  for (const [kind, name] of [["a[href]", "href"], ["form[action]", "action"], ["button[formaction]", "formaction"]]) {
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
  if (guest) return "guest";
  if (!season) return "none";
  if (loose()) return "loose";
  if (lost()) return "lost";
  if (season.unsaved) return "kept";
  return season.handle && !season.denied && !season.broken ? "file" : "saved";
}

function fill(page = document) {
  const values = guest ?? (season && { name: season.handle?.name ?? season.name, number: season.unsaved });
  for (const element of page.querySelectorAll("[data-if]")) {
    element.hidden = !element.dataset.if.split(" ").includes(state());
    if (element.dataset.able) element.hidden ||= !(element.dataset.able in window);
    element.dataset.text ??= element.textContent;
    if (values) element.textContent = put(element.dataset.text, values);
  }
  const notes = page.querySelector(".notes");
  if (!notes || (running && page === document)) return; // what there is to tell waits for the page to come
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
async function offer(file) {
  offered = file;
  if (guest) await does.own();
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
  copy: () => open(new File([guest.bytes], guest.name)),
  // From a season that is looked at to this browser's own.
  async own() {
    await call("leave");
    endVisit();
    history.pushState(null, "", "#/start");
    return true;
  },
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
    return openHandle(handle);
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
  if (/^#\/(export\/|.*\.(json|ics)$)/.test(to)) {
    event.preventDefault();
    queued(() => ask(to)).then((refused) => refused && show(...refused)).catch(stopped);
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
  if (!isSecureContext) throw new Error("open it by https.");
  let language = navigator.language.split("-")[0];
  try {
    language = localStorage.getItem("language") ?? language;
  } catch {
    // that of the browser, then
  }
  if (language in BEGINS) document.getElementById("boot").textContent = BEGINS[language];
  await new Promise(requestAnimationFrame); // so that it is seen
  kept.taken = () => fill();
  kept.closed = () => {
    if (season) season.kept = false;
    fill();
  };
  await Promise.all([begin(), kept.begin().catch(({ message: why }) => say("unopened", { why }))]);
  if (language in BEGINS) await call("ask", [`/about?lang=${language}`, []]);
  const wanted = new URLSearchParams(location.search).get("open");
  const name = remember();
  if (wanted) await queued(() => beside(wanted, language));
  else if (name) await queued(() => resume(name, true));
  if (!guest) endVisit();
  if (!guest && !season) history.replaceState(null, "", "#/start");
  await visit();
  served();
}

main().catch((error) => {
  document.getElementById("boot").textContent = `keizer cannot start in this browser: ${error.message}`;
});

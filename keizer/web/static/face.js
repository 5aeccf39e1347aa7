// The face works without this. With it a form is sent without the page being loaded anew,
// results are entered by keys, lists are searched as one types, and what others do is seen.
"use strict";

document.documentElement.classList.add("script");

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

// Where pages come from: a server. keizer.html has none, and brings a net of its own.
const net = window.net || {
  silent: () => "keizer does not answer: is it still running on the laptop?",
  here: () => location.href,
  same: (url) => new URL(url).pathname === location.pathname,
  went: (url) => history.pushState(null, "", url),
  async get(url, body) {
    const answer = await fetch(url, body && { method: "POST", body });
    return [parse(await answer.text()), answer.redirected ? answer.url : location.href];
  },
};

// Put the page that came in the place of this one; the focus stays where it was.
function show(page, url) {
  const focused = document.activeElement;
  const place = focused && focused !== document.body ? way(focused) : null;
  const opened = [...document.querySelectorAll("details[open]:not(.menu, .gear, .doors > *)")].map(way);
  const [scrolled, above] = [scrollY, place ? focused.getBoundingClientRect().top : 0];
  const title = document.querySelector("h1").innerText;
  for (const part of ["header", "main", "footer"]) {
    const [mine, theirs] = [document.querySelector(part), page.querySelector(part)];
    if (mine && theirs) mine.replaceWith(document.adoptNode(theirs));
  }
  document.title = page.title;
  ready();
  document.body.className = page.body.className;
  const same = net.same(url);
  if (url !== net.here()) net.went(url);
  if (!same) {
    const there = document.getElementById(url.slice(url.lastIndexOf("#") + 1));
    if (there) there.scrollIntoView();
    else scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
    return;
  }
  opened.map(found).forEach((it) => it && (it.open = true));
  const other = document.querySelector("h1").innerText !== title;
  scrollTo(0, other ? 0 : scrolled);
  const again = place && !other && found(place);
  if (!again) return;
  again.focus({ preventScroll: true });
  scrollBy(0, again.getBoundingClientRect().top - above); // under the pointer it stays
}

// Where an element stands: by its id, or by what it is called among its kind.
function way(element) {
  const near = element.closest("[id]");
  const all = [...(near || document).querySelectorAll(element.localName)];
  return { id: near && near.id, kind: element.localName, at: all.indexOf(element), by: label(element) };
}

const label = (it) =>
  it.name === "player" ? it.value.split(":")[0] : it.localName === "details" ? it.querySelector("summary").textContent : null;

function found({ id, kind, at, by }) {
  const near = id ? document.getElementById(id) : document;
  if (!near) return null;
  if (at < 0) return near;
  const all = [...near.querySelectorAll(kind)];
  return (by && all.find((it) => label(it) === by)) || (kind === "details" ? null : all[at]);
}

let busy = Promise.resolve();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || (form.matches(".loads") && !window.net)) return; // a page with a style of its own
  event.preventDefault();
  const row = form.closest("[data-keys] tr");
  if (row) next(row);
  const fields = new FormData(form, event.submitter);
  const upload = form.enctype === "multipart/form-data";
  const to = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : form.action;
  busy = busy.then(() => send(to, upload ? fields : new URLSearchParams(fields), row)).then(mark);
});

// A field that was refused: what is wrong stands under it.
function mark() {
  const note = document.querySelector("form > [data-field]");
  const field = note?.parentElement.elements[note.dataset.field];
  if (!(field instanceof HTMLElement)) return;
  note.id = "refused";
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", note.id);
  field.parentElement.after(note);
  field.focus();
}

// What was changed is sent when it is left: while one types a date, it is many others.
document.addEventListener("focusout", ({ target }) => {
  const changed = target.matches("[data-sends]") && target.value !== target.defaultValue;
  if (changed && target.validity.valid) target.form.requestSubmit();
});

async function send(action, body, row) {
  try {
    show(...(await net.get(action, body)));
    if (row) sent.delete(row.id);
    if (at) go(document.getElementById(at));
  } catch (error) {
    const line = document.createElement("p");
    line.className = "note-refused";
    line.textContent = net.silent(error);
    document.querySelector(".notes").replaceChildren(line);
  }
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-print]")) print();
  const copy = target.closest("[data-copy]");
  if (copy) {
    document.getElementById(copy.dataset.copy).select();
    // The clipboard of today is for https alone, and phones in the hall come by http.
    if (document.execCommand("copy")) copy.textContent = copy.dataset.done;
  }
  if (target.closest("[data-close]")) target.closest(".said").remove();
  document.querySelectorAll(".gear, .menu").forEach((it) => it.contains(target) || (it.open = false));
});

// What only a script does is there once one runs.
function ready() {
  document.querySelectorAll("[data-print], [data-copy]").forEach((it) => (it.hidden = false));
  picture().catch(() => {}); // then it stays the SVG that it is
}

// What is shared as a picture becomes a PNG, as chats take no SVG: a phone saves it, or sends it on.
async function picture() {
  const link = document.querySelector("[data-picture]");
  if (!link) return;
  sends(document.querySelector("button[data-send]"), { text: document.getElementById("text").value });
  const drawn = document.querySelector(".picture svg");
  const { width, height } = drawn.viewBox.baseVal;
  const image = new Image();
  const source = new Blob([new XMLSerializer().serializeToString(drawn)], { type: "image/svg+xml" });
  image.src = URL.createObjectURL(source);
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  const png = await new Promise((made) => canvas.toBlob(made, "image/png"));
  link.download = link.dataset.picture;
  link.href = image.src = URL.createObjectURL(png);
  image.alt = drawn.querySelector("title").textContent;
  drawn.replaceWith(image);
  const files = [new File([png], link.download, { type: png.type })];
  sends(link, { files });
}

// Where a browser can hand something on to a chat, this does.
function sends(it, what) {
  if (!navigator.canShare?.(what)) return;
  it.textContent = it.dataset.send;
  it.hidden = false;
  it.addEventListener("click", (event) => {
    event.preventDefault();
    navigator.share(what).catch(() => {}); // somebody thought better of it
  });
}

ready();

// ------------------------------------------------------------------ results by keys

const rows = () => [...document.querySelectorAll("[data-keys] tbody tr")];
let at = null;

function go(row) {
  rows().forEach((it) => it.classList.toggle("at", it === row));
  at = row ? row.id : null;
  if (row) row.querySelector(".usual button").focus();
}

// With a result: on to the next board that is open, before the answer comes, as one types on.
const sent = new Set(); // boards whose result is on its way

const isOpen = (row) => !row.classList.contains("in") && !sent.has(row.id);

function next(row) {
  sent.add(row.id);
  const all = rows();
  go(all.slice(all.indexOf(row) + 1).find(isOpen) || row);
}

const MEANT = { 1: "1-0", 0: "0-1", "=": "½-½", 5: "½-½", r: "½-½", d: "½-½" };

document.addEventListener("keydown", (event) => {
  const all = rows();
  if (event.key === "Escape") document.querySelectorAll(".gear, .menu").forEach((it) => (it.open = false));
  if (!all.length || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  const here = all.findIndex((it) => it.contains(document.activeElement));
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) {
    event.preventDefault();
    const first = all.findIndex(isOpen);
    const there = here < 0 ? Math.max(first, 0) : here + steps[event.key];
    go(all[Math.min(Math.max(there, 0), all.length - 1)]);
  } else if (event.key in MEANT) {
    event.preventDefault();
    const row = all[here] || all.find(isOpen);
    if (!row) return;
    go(row);
    row.querySelector(`button[value="${MEANT[event.key]}"]`).click();
  }
});

// ------------------------------------------------------------------- search as typed

document.addEventListener("input", ({ target }) => {
  if (!target.dataset.filter) return;
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain(target.value).split(/\s+/);
  const list = document.querySelector(target.dataset.filter);
  for (const item of list.querySelectorAll("tbody tr, li")) {
    const name = plain((item.querySelector("bdi") || item).textContent);
    item.hidden = !words.every((word) => name.includes(word));
  }
});

// ---------------------------------------------------------------- what others have done

const EVERY = 5000;

async function look() {
  const main = document.getElementById("main");
  const typing = document.activeElement && document.activeElement.closest("input, select, textarea");
  const forms = document.querySelector("[name=seen]");
  const quiet = document.hidden || typing || main.querySelector("details[open]");
  if (quiet || document.body.matches(".on-sure, .on-insist")) return;
  const root = new URL(document.querySelector("link[rel=stylesheet]").href.replace("style.css", ""));
  try {
    const { seen } = await (await fetch(new URL("changes", root))).json();
    const known = forms ? Number(forms.value) : (look.seen ?? seen);
    look.seen = seen;
    if (seen === known) return;
    show(...(await net.get(location.href)));
  } catch {
    // The laptop sleeps: the next look will tell.
  }
}

if (!window.net) {
  addEventListener("popstate", () => location.reload());
  if (!document.body.classList.contains("on-screen")) setInterval(look, EVERY);
}

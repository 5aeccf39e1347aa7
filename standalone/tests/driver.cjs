// Somebody at a browser, told on standard input what to do, a line each: [what, ...given] as
// JSON. Answers with a line: {"done": ...}, or {"wrong": why}. Arguments: chromium, firefox or
// webkit, its program, its profile's folder, the folder for downloads, the page's address.
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const clients = path.join(__dirname, "../../tests/clients");
const { PATIENCE, WAITING, acts, expect, shown, until } = require(path.join(clients, "person.cjs"));
const [kind, executablePath, userDataDir, downloads, url] = process.argv.slice(2);
const puppeteer = require(kind === "webkit" ? "./webkit.cjs" : `${clients}/node_modules/puppeteer-core`);

const VIEWPORT = { width: 1100, height: 800 };
const errors = [];
const stopped = new Map(); // pages
const from = url.startsWith("file") ? "file:" : new URL(url).origin; // all comes: the disk, or a server
let browser, page;
let prepare = ""; // a script that runs in each tab before the page's own

const tabs = async () => (await browser.pages()).filter((one) => one.url().startsWith(from));

// Wait until an expression holds in the page.
const holds = (script) =>
  until(
    () => page.evaluate(script),
    async () => `not so: ${script}; ${(await shown(page)).slice(0, 600)}`,
  );

// The page of the address is shown, and nothing is being done.
const ENDED = "!document.documentElement.hasAttribute('aria-busy') && shown === location.hash";
const ended = () => holds(ENDED);

// So it is, or somebody is asked something.
const rests = () => holds(`document.querySelector("dialog[open]") !== null || (${ENDED})`);

const act = async (...given) => {
  await rests();
  return acts(page, ...given);
};

const begun = async () => {
  await holds("document.querySelector('.kept') !== null");
  await ended();
};

const does = {
  // Start the browser, and open the page in a tab; script: what runs there, and in other tabs, first.
  async begin(script, room) {
    prepare = script;
    const firefox = kind === "firefox";
    // By a pipe alone Chromium installs a page; for the desktop of a user who is not this one.
    const installs = kind === "chromium" && from !== "file:";
    browser = await puppeteer.launch({
      ...WAITING,
      browser: firefox ? "firefox" : "chrome",
      executablePath,
      userDataDir,
      ...(installs && { pipe: true, env: { ...process.env, HOME: userDataDir } }),
      downloads, // for WebKit; the others are told below
      args: firefox ? [] : ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
      extraPrefsFirefox: {
        "browser.download.dir": downloads,
        "browser.download.folderList": 2,
        "network.proxy.type": 1,
        "network.proxy.socks": "127.0.0.1",
        "network.proxy.socks_port": 9,
      },
    });
    await does.tab(room);
  },
  // The page in another tab; room: bytes that Chromium keeps for all files of this machine, else
  // as many as it likes.
  async tab(room) {
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.setViewport(VIEWPORT);
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
    page.on("dialog", (dialog) => dialog.accept());
    page.on("request", (asked) => {
      const url = asked.url();
      if (!url.startsWith(from) && !/^(data|blob|about):/.test(url)) errors.push(url);
    });
    if (kind === "chromium") {
      const session = await page.createCDPSession();
      await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
      await page.setOfflineMode(from === "file:");
      if (room) await session.send("Storage.overrideQuotaForOrigin", { origin: "file:///", quotaSize: room });
    }
    await page.exposeFunction("disk", disk).catch(() => {});
    await page.evaluateOnNewDocument(note);
    if (prepare) await page.evaluateOnNewDocument(prepare);
    await page.goto(url);
    await begun();
  },
  async turn(number) {
    page = (await tabs())[number];
    if (!stopped.has(page)) await page.bringToFront();
  },
  // The page as somebody new finds it, in one tab, with Python as it runs; what handles.js has
  // as trouble is over.
  async forget() {
    const [first, ...others] = await tabs();
    for (const other of others) await other.close();
    page = first;
    await page.setViewport(VIEWPORT);
    await page.evaluate(async () => {
      for (const name of ["full", "readonly", "denied", "slow", "writing"]) delete window[name];
      await turn;
      season = null;
      release();
      await call("leave");
      for (const { name } of await kept.seasons()) await kept.forget(name);
      sessionStorage.clear();
      said.length = 0;
      history.replaceState(null, "", "#/start");
      await visit();
    });
    errors.length = 0;
  },
  async press(text, kind) {
    await act("press", text, kind);
    await ended();
  },
  // The same, without waiting for what it does.
  async start(text, kind) {
    await act("press", text, kind);
  },
  async click(selector) {
    await does.press("", selector);
  },
  async key(...keys) {
    for (const one of keys) await page.keyboard.press(one);
    await ended();
  },
  // Tab until the focus is on it, then a key.
  async reach(text, kind, key = "Enter") {
    for (let turn = 0; turn < 300; turn++) {
      if ((await act("look", text, kind)).focused) return does.key(key);
      await page.keyboard.press("Tab");
    }
    throw new Error(`${text} cannot be reached by Tab`);
  },
  async type(selector, text) {
    await act("type", "", selector, text);
  },
  // Have the page stand still when it calls a function, in Chromium, as one does that the system
  // gives no time. stands: wait until it does; goes: let it go on.
  async stop(called) {
    const session = await page.createCDPSession();
    await session.send("Debugger.enable");
    const { result } = await session.send("Runtime.evaluate", { expression: called });
    await session.send("Debugger.setBreakpointOnFunctionCall", { objectId: result.objectId });
    const stands = new Promise((end) => session.once("Debugger.paused", () => end(null)));
    stopped.set(page, { session, stands });
  },
  stands: () => stopped.get(page).stands,
  async goes() {
    await stopped.get(page).session.send("Debugger.disable");
    stopped.delete(page);
    await page.bringToFront();
  },
  async upload(selector, file) {
    await does.send(selector, file);
    await ended();
  },
  // The same, without waiting for what it does.
  async send(selector, file) {
    await ended();
    await page.evaluate((selector) => {
      const input = document.querySelector(selector);
      window.taken = new Promise((end) => input.addEventListener("change", () => end(), { once: true }));
    }, selector);
    await (await page.$(selector)).uploadFile(file);
    await page.evaluate("taken");
  },
  // Drop a file on the page, in Chromium.
  async drop(file) {
    const session = await page.createCDPSession();
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
  },
  async wait(milliseconds) {
    await new Promise((end) => setTimeout(end, milliseconds));
  },
  expect: (text) => expect(page, text),
  shown: () => shown(page),
  holds,
  rests,
  async run(script) {
    return page.evaluate(script);
  },
  async reload() {
    await page.reload();
    await begun();
  },
  async go(path) {
    await page.evaluate((path) => (location.hash = path), path);
    await ended();
  },
  async back() {
    await page.evaluate(() => {
      const gone = new Promise((end) => addEventListener("hashchange", () => end(), { once: true }));
      history.back();
      return gone;
    });
    await ended();
  },
  async size(width, height) {
    await page.setViewport({ width, height });
  },
  async look(file) {
    await page.screenshot({ path: file });
  },
  async print(file) {
    await page.pdf({ path: file, format: "A4" });
  },
  // Press what downloads; the file, when it is there whole.
  async save(text, name) {
    const file = path.join(downloads, name);
    fs.rmSync(file, { force: true });
    await does.press(text);
    const size = () => fs.statSync(file, { throwIfNoEntry: false })?.size;
    await until(
      async () => (await page.evaluate("sizes")).includes(size()),
      () => `${name} was not downloaded: ${fs.readdirSync(downloads)}`,
    );
    return file;
  },
  async axe() {
    await page.evaluate(fs.readFileSync(`${clients}/node_modules/axe-core/axe.min.js`, "utf8"));
    const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
  },
  // A command of Chromium's protocol, to the page or to the browser.
  async ask(what, given = {}) {
    const to = what.startsWith("PWA.") ? browser.target() : page;
    return (await to.createCDPSession()).send(what, given);
  },
  // Close the page and open it again, until an expression holds there: a browser may notice only
  // after a while that no window of it is open any more.
  async afresh(script) {
    const again = async () => {
      await page.close();
      await does.tab();
      return page.evaluate(script);
    };
    await until(again, () => `not so after any start: ${script}`);
  },
  async end() {
    await browser.close();
  },
  pid: () => browser.process().pid,
  errors: async () => [...errors.splice(0), ...(await page.evaluate("window.wrong?.splice(0) ?? []"))],
};

// Runs in the page, before its own scripts: the sizes of what it makes for downloads, by which one
// knows when a file is there whole.
function note() {
  window.sizes = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (made) => {
    sizes.push(made.size);
    return createObjectURL.call(URL, made);
  };
}

// What the handles of handles.js do with a file.
function disk(what, file, data) {
  if (what === "write") {
    fs.writeFileSync(`${file}.new`, data, "base64");
    fs.renameSync(`${file}.new`, file);
    return {};
  }
  if (!fs.existsSync(file)) return { wrong: "NotFoundError" };
  return { data: fs.readFileSync(file, "base64"), at: fs.statSync(file).mtimeMs };
}

const told = readline.createInterface({ input: process.stdin });
told.on("close", () => process.exit(0));
told.on("line", async (line) => {
  const [what, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { done: (await does[what](...given)) ?? null };
  } catch (error) {
    answer = { wrong: String(error.message ?? error) };
  }
  console.log(JSON.stringify(answer));
  if (what === "end") process.exit(0);
});

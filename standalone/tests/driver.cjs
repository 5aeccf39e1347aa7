// Somebody at a browser, told on standard input what to do, a line each: [what, ...given] as
// JSON. Answers with a line: {"done": ...}, or {"wrong": why}. Arguments: chromium, firefox or
// webkit, its program, its profile's folder, the folder for downloads.
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const clients = path.join(__dirname, "../../tests/clients/node_modules");
const [kind, executablePath, userDataDir, downloads] = process.argv.slice(2);
const puppeteer = require(kind === "webkit" ? "./webkit.cjs" : path.join(clients, "puppeteer-core"));

const VIEWPORT = { width: 1100, height: 800 };
const errors = [];
const stopped = new Map(); // pages
let browser, page;
let from; // where all comes from: the disk, or a server

// The element that a person would press: seen, and called so.
const named = (text, what) =>
  page.evaluateHandle(
    (text, what) => {
      const called = (it) => it.innerText.replace(/\s+/g, " ").trim();
      const seen = [...document.querySelectorAll(what)].filter((it) => it.checkVisibility());
      return seen.find((it) => called(it) === text) || seen.find((it) => called(it).startsWith(text)) || null;
    },
    text,
    what,
  );

// Until the page of the address is shown, and nothing is being done.
const ended = () =>
  page.waitForFunction(
    "!document.documentElement.hasAttribute('aria-busy') && shown === location.hash",
    { polling: 20 },
  );
const tabs = async () => (await browser.pages()).filter((one) => one.url().startsWith(from));
const shown = () => page.evaluate(() => document.body.innerText.replace(/\s+/g, " "));

async function element(text, what) {
  const found = (await named(text, what)).asElement();
  if (!found) throw new Error(`no ${text} to press: ${(await shown()).slice(0, 600)}`);
  return found;
}

const does = {
  async begin(url, prepare, room) {
    const firefox = kind === "firefox";
    from = url.startsWith("file") ? "file:" : new URL(url).origin;
    // By a pipe alone Chromium installs a page; for the desktop of a user who is not this one.
    const installs = kind === "chromium" && from !== "file:";
    browser = await puppeteer.launch({
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
    await does.tab(url, prepare, room);
  },
  // Another tab; prepare: a script that runs before the page's own; room: bytes that Chromium
  // keeps for all files of this machine.
  async tab(url, prepare = "", room = 0) {
    page = await browser.newPage();
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
    if (prepare) await page.evaluateOnNewDocument(prepare);
    await page.goto(url);
    await page.waitForSelector(".kept", { timeout: 60000 });
    await ended();
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
      for (const name of ["full", "readonly", "denied", "slow"]) delete window[name];
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
  async press(text, what = "button, a, summary") {
    try {
      const found = await element(text, what);
      await found.scrollIntoView();
      await found.click();
    } catch (error) {
      if (!/detached/.test(error.message)) throw error;
      return does.press(text, what); // another page came meanwhile
    }
    await ended();
  },
  // The same, without waiting for what it does.
  async start(text, what = "button, a, summary") {
    await (await element(text, what)).evaluate((it) => it.click());
  },
  async key(...keys) {
    for (const one of keys) await page.keyboard.press(one);
    await ended();
  },
  // Tab until the focus is on it, then a key.
  async reach(text, what = "button, a, summary", key = "Enter") {
    const found = await element(text, what);
    for (let turn = 0; turn < 300; turn++) {
      if (await found.evaluate((it) => it === document.activeElement)) {
        await page.keyboard.press(key);
        return ended();
      }
      await page.keyboard.press("Tab");
    }
    throw new Error(`${text} cannot be reached by Tab`);
  },
  async type(selector, text) {
    await (await page.waitForSelector(selector)).type(text);
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
  async click(selector) {
    const found = await page.waitForSelector(selector);
    await found.scrollIntoView();
    await found.click();
    await ended();
  },
  async upload(selector, file) {
    await does.send(selector, file);
    await does.wait(50);
    await ended();
  },
  async send(selector, file) {
    await (await page.$(selector)).uploadFile(file);
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
  // Wait for a text that is to be seen.
  async expect(text) {
    try {
      await page.waitForFunction(
        (text) => document.body.innerText.replace(/\s+/g, " ").includes(text),
        { timeout: 20000 },
        text,
      );
    } catch {
      throw new Error(`no “${text}”: ${(await shown()).slice(0, 1200)}`);
    }
  },
  shown,
  async run(script) {
    return page.evaluate(script);
  },
  async reload() {
    await page.reload();
    await page.waitForSelector(".kept", { timeout: 60000 });
    await ended();
  },
  async go(path) {
    await page.evaluate((path) => (location.hash = path), path);
    await ended();
  },
  async back() {
    await page.evaluate(() => history.back());
    await new Promise((end) => setTimeout(end, 200));
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
    let size = 0;
    for (let turn = 0; turn < 200; turn++) {
      const there = fs.readdirSync(downloads);
      // WebKit has the file there, empty or in part, while it is written.
      const before = size;
      size = there.includes(name) ? fs.statSync(file).size : 0;
      const whole = size > 0 && size === before;
      if (whole && !there.some((one) => /part$|download$/.test(one))) return file;
      await new Promise((end) => setTimeout(end, 50));
    }
    throw new Error(`${name} was not downloaded: ${fs.readdirSync(downloads)}`);
  },
  async axe() {
    await page.evaluate(fs.readFileSync(path.join(clients, "axe-core/axe.min.js"), "utf8"));
    const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
  },
  // A command of Chromium's protocol, to the page or to the browser.
  async ask(what, given = {}) {
    const to = what.startsWith("PWA.") ? browser.target() : page;
    return (await to.createCDPSession()).send(what, given);
  },
  async close() {
    await page.close();
  },
  async end() {
    await browser.close();
  },
  pid: () => browser.process().pid,
  errors: async () => [...errors.splice(0), ...(await page.evaluate("window.wrong?.splice(0) ?? []"))],
};

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

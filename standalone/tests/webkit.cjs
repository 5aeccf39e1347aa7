// As much of puppeteer as driver.cjs asks for, for WebKit, by WebDriver (W3C) on a screen that
// nobody sees. What it cannot do: run a script before the page's own (it has no pickers anyway),
// print, and keep a profile: a season is kept until its end.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // its name in WebDriver
const KEYS = { Tab: "\uE004", Enter: "\uE007", ArrowUp: "\uE013", ArrowDown: "\uE015" };
const pause = (milliseconds) => new Promise((end) => setTimeout(end, milliseconds));

async function until(found, timeout, polling = 20) {
  for (const end = Date.now() + timeout; Date.now() < end; await pause(polling)) {
    const it = await found();
    if (it) return it;
  }
  throw new Error(`waited for ${timeout} ms`);
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

const programs = []; // which end with this one; the browser ends with its screen
const stop = () => programs.forEach((one) => one.kill());
process.on("exit", stop);

function begun(program, args, env) {
  programs.push(spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] }));
  return programs.at(-1);
}

async function launch({ executablePath, userDataDir, downloads }) {
  fs.mkdirSync(path.join(userDataDir, ".config"), { recursive: true });
  fs.writeFileSync(path.join(userDataDir, ".config/user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const screen = begun("Xvfb", ["-displayfd", "1", "-nolisten", "tcp"]);
  const [number] = await once(screen.stdout, "data");
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: userDataDir, DISPLAY: `:${String(number).trim()}` };
  begun(executablePath, [`--port=${port}`], env);
  const ask = async (method, path, body) => {
    const sent = { method, body: body && JSON.stringify(body) };
    const { value } = await (await fetch(`http://127.0.0.1:${port}${path}`, sent)).json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  await until(() => ask("GET", "/status").catch(() => null), 20000);
  const capabilities = { alwaysMatch: { unhandledPromptBehavior: "accept" } };
  const { sessionId } = await ask("POST", "/session", { capabilities });
  return new Browser((method, path, body) => ask(method, `/session/${sessionId}${path}`, body));
}

class Browser {
  opened = [];
  constructor(ask) {
    this.ask = ask;
  }
  async newPage() {
    const { opened, ask } = this;
    // A window for each, since a page that is not seen gets no frame of an animation.
    const handle = opened.length
      ? (await ask("POST", "/window/new", { type: "window" })).handle
      : await ask("GET", "/window");
    opened.push(new Page(ask, handle));
    await opened.at(-1).bringToFront();
    return opened.at(-1);
  }
  async pages() {
    return this.opened;
  }
  async close() {
    await this.ask("DELETE", "");
    stop();
  }
}

class Page {
  constructor(ask, handle) {
    Object.assign(this, { ask, handle });
  }
  keyboard = { press: (key) => this.actions([{ type: "keyDown" }, { type: "keyUp" }], KEYS[key] ?? key) };
  actions(steps, value) {
    const actions = steps.map((step) => ({ ...step, value }));
    return this.ask("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }
  bringToFront() {
    return this.ask("POST", "/window", { handle: this.handle });
  }
  // Of what happens in the page it is told nothing: the page notes it (`wrong`).
  on() {}
  async exposeFunction() {}
  async evaluateOnNewDocument() {}
  async setOfflineMode() {}
  setViewport(size) {
    return this.ask("POST", "/window/rect", size);
  }
  url() {
    return this.at;
  }
  async goto(url) {
    this.at = url;
    await this.ask("POST", "/url", { url });
    await this.evaluate(noting);
  }
  async reload() {
    await this.ask("POST", "/refresh", {});
    await this.evaluate(noting);
  }
  // An expression, or a function with what it is given.
  evaluate(script, ...args) {
    const called = typeof script === "string" ? script : `(${script}).apply(null, arguments)`;
    return this.ask("POST", "/execute/sync", { script: `return (${called})`, args });
  }
  async evaluateHandle(...given) {
    return new Element(this, await this.evaluate(...given));
  }
  waitForFunction(script, { timeout = 30000, polling } = {}, ...args) {
    return until(() => this.evaluate(script, ...args), timeout, polling);
  }
  async $(selector) {
    return (await this.evaluateHandle((it) => document.querySelector(it), selector)).asElement();
  }
  waitForSelector(selector, { timeout = 30000 } = {}) {
    return until(() => this.$(selector), timeout);
  }
  async screenshot({ path }) {
    fs.writeFileSync(path, await this.ask("GET", "/screenshot"), "base64");
  }
  close() {
    return this.ask("DELETE", "/window");
  }
}

class Element {
  constructor(page, found) {
    Object.assign(this, { page, found });
  }
  asElement() {
    return this.found && this;
  }
  does(what, body) {
    return this.page.ask("POST", `/element/${this.found[ELEMENT]}/${what}`, body);
  }
  evaluate(script) {
    return this.page.evaluate(script, this.found);
  }
  scrollIntoView() {
    return this.evaluate((it) => it.scrollIntoView({ block: "center" }));
  }
  click() {
    return this.does("click", {});
  }
  type(text) {
    return this.does("value", { text });
  }
  uploadFile(file) {
    return this.does("value", { text: file });
  }
}

// In the page: note what goes wrong in it, and what its policy forbids.
function noting() {
  window.wrong = [];
  addEventListener("error", ({ message }) => wrong.push(message));
  addEventListener("unhandledrejection", ({ reason }) => wrong.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ blockedURI }) => wrong.push(blockedURI));
  const { error } = console;
  console.error = (...said) => {
    wrong.push(said.join(" "));
    error(...said);
  };
}

module.exports = { launch };

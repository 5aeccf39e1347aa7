// As much of puppeteer as driver.cjs asks for, for WebKit, by WebDriver (W3C) on a screen that
// nobody sees. What it cannot do: run a script before the page's own (it has no pickers anyway),
// print, and keep a profile: a season is kept until its end.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { PATIENCE, until } = require("../../tests/clients/person.cjs");

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // its name in WebDriver
const KEYS = { Tab: "\uE004", Enter: "\uE007", ArrowUp: "\uE013", ArrowDown: "\uE015" };

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
  await until(() => ask("GET", "/status").catch(() => null), () => `${executablePath} does not answer`);
  const timeouts = { script: PATIENCE, pageLoad: PATIENCE };
  const capabilities = { alwaysMatch: { timeouts, unhandledPromptBehavior: "accept" } };
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
  setDefaultTimeout() {}
  async exposeFunction() {}
  first = [noting]; // functions, which run as soon as a page has loaded
  async evaluateOnNewDocument(script) {
    if (typeof script === "function") this.first.push(script);
  }
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
    for (const one of this.first) await this.evaluate(one);
  }
  async reload() {
    await this.ask("POST", "/refresh", {});
    for (const one of this.first) await this.evaluate(one);
  }
  // An expression, or a function with what it is given.
  evaluate(script, ...args) {
    const called = typeof script === "string" ? script : `(${script}).apply(null, arguments)`;
    return this.ask("POST", "/execute/sync", { script: `return (${called})`, args });
  }
  async $(selector) {
    const found = await this.evaluate((it) => document.querySelector(it), selector);
    const uploadFile = (file) => this.ask("POST", `/element/${found[ELEMENT]}/value`, { text: file });
    return found && { uploadFile };
  }
  async screenshot({ path }) {
    fs.writeFileSync(path, await this.ask("GET", "/screenshot"), "base64");
  }
  close() {
    return this.ask("DELETE", "/window");
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

// The system's Chromium, the program named first, visits pages: a line of JSON on
// standard input wishes a visit, and one on standard output tells what was seen.
//
//   {"url": URL, "size": [390, 844], "dark": true, "scale": 2, "keys": true,
//    "axe": {"without": SELECTOR, "rules": [NAME]}, "pdf": FILE, "picture": FILE,
//    "made": SELECTOR, "open": true, "drawn": true}
//
// Only url is needed. A visit always tells what the page said, asked for, links to
// and shows in tables of views. keys: what the Tab key reaches; axe: what axe-core
// finds, all of it with {}; made: pictures, once a script has made them; drawn: what a
// drawing shows, and what is out of its place; open: all details, before it is printed.
const fs = require("fs");
const readline = require("readline");
const puppeteer = require("puppeteer-core");
const { PATIENCE, WAITING } = require("./person.cjs");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// Runs before anything of the page: what takes the focus is noted as it comes.
function listen() {
  window.focused = [];
  addEventListener("focusin", ({ target }) => {
    const style = getComputedStyle(target);
    const outline = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
    window.focused.push({ target, outline });
  });
  // By the next key it has been scrolled to: is it under something?
  addEventListener("keydown", () => {
    const last = window.focused.at(-1);
    if (!last) return;
    const { left, top, width, height } = last.target.getClientRects()[0];
    const [x, y] = [left + Math.min(width, 20) / 2, top + Math.min(height, 20) / 2];
    const there = document.elementFromPoint(x, y);
    last.covered = there && !last.target.contains(there) && !there.contains(last.target);
  });
}

// Runs in the page: what it shows.
function look() {
  const all = [...document.querySelectorAll("*")];
  const rtl = /[\u0590-\u08ff]/;
  const wide = (it) => it.offsetWidth * it.offsetHeight > 10000;
  const colour = (it) => getComputedStyle(it).backgroundColor;
  return {
    title: document.title,
    lang: document.documentElement.lang,
    text: document.body.innerText,
    width: document.documentElement.scrollWidth,
    scripts: all.filter((it) => it.localName === "script").length,
    handlers: all.flatMap((it) => it.getAttributeNames()).filter((name) => name.startsWith("on")),
    // Letters written to the left turn what stands around them, unless isolated.
    loose: all
      .filter((it) => [...it.childNodes].some((node) => node.nodeType === 3 && rtl.test(node.data)))
      .filter((it) => !it.closest("bdi, title, desc, text, option, textarea, .sr"))
      .map((it) => it.outerHTML),
    links: [...document.querySelectorAll("a[href]")].map((it) => it.href),
    fields: [...new Set(all.filter(wide).map(colour))].filter((it) => it !== "rgba(0, 0, 0, 0)"),
    tables: [...document.querySelectorAll("[data-view]")].map((table) => ({
      ...table.dataset,
      rows: [...table.querySelectorAll("tr:has([data-column])")].map((row) => ({
        ...row.dataset,
        cells: [...row.querySelectorAll("[data-column]")].map((cell) => ({
          ...cell.dataset,
          text: cell.innerText,
        })),
      })),
    })),
  };
}

// Runs in the page: in its drawing of its own size, texts that leave it or stand in one another.
function misplaced() {
  const { width, height } = document.querySelector("svg[width]").viewBox.baseVal;
  const texts = [...document.querySelectorAll("svg[width] text")].map((it) => {
    const box = it.getBBox(); // with room above and below the letters
    const [top, low] = [box.y + 0.16 * box.height, box.y + 0.84 * box.height];
    return { said: it.textContent, left: box.x, right: box.x + box.width, top, low };
  });
  const within = (it) => it.left >= 0 && it.right <= width && it.top >= 0 && it.low <= height;
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.low && b.top < a.low;
  const wrong = (it) => !within(it) || texts.some((other) => other !== it && meet(it, other));
  return { drawn: texts.map((it) => it.said), misplaced: texts.filter(wrong) };
}

// Runs in the page: pictures that a script made, and the part of each that is dark.
function pictures(images) {
  return images.map((image) => {
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const dark = data.filter((value, at) => at % 4 === 1 && value < 100).length;
    return { width, height, dark: dark / width / height, alt: image.alt };
  });
}

// Runs in the page: what the Tab key has to reach.
function reachable() {
  const all = [...document.querySelectorAll("*")];
  const scrolls = (it) =>
    it.scrollWidth > it.clientWidth + 1 &&
    ["auto", "scroll"].includes(getComputedStyle(it).overflowX);
  return all
    .map((it, at) => ({ it, at }))
    .filter(({ it }) => it.matches("a[href], [tabindex='0']") || scrolls(it))
    .filter(({ it }) => it.checkVisibility() && it !== document.documentElement)
    .map(({ it, at }) => ({ at, what: `${it.localName} ${it.innerText}`.slice(0, 80) }));
}

async function tabbed(page) {
  const wanted = await page.evaluate(reachable);
  const keyboard = await page.createCDPSession();
  const key = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  await Promise.all(
    Array.from({ length: wanted.length + 2 }, () =>
      keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key }),
    ),
  );
  await keyboard.detach();
  const focused = await page.evaluate(() => {
    const places = new Map([...document.querySelectorAll("*")].map((it, at) => [it, at]));
    return window.focused.map(({ target, outline, covered }) => ({
      at: places.get(target),
      what: `${target.localName} ${target.innerText}`.slice(0, 80),
      href: target.getAttribute("href"),
      outline,
      covered,
    }));
  });
  return { wanted, focused };
}

// On paper nothing can be scrolled: boxes that do not show all they hold.
async function printed(page, path) {
  await page.emulateMediaType("print");
  const cut = await page.evaluate(() =>
    [...document.body.querySelectorAll("*")]
      .filter((it) => it.checkVisibility() && !it.closest("svg") && it.clientWidth > 1)
      .filter((it) => getComputedStyle(it).overflowX !== "visible")
      .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1)
      .map((it) => `${it.localName} ${it.innerText}`.slice(0, 80)),
  );
  await page.pdf({ path, format: "A4", preferCSSPageSize: true });
  await page.emulateMediaType(null);
  return cut;
}

async function audited(page, { without, rules }) {
  const options = { preload: false, resultTypes: ["violations"] };
  if (rules) options.runOnly = rules;
  else options.rules = { "target-size": { enabled: true } };
  await page.evaluate(axe);
  const run = (like, how) => {
    if (like) for (const it of document.querySelectorAll(like)) it.remove();
    document.activeElement.blur();
    return window.axe.run(document, how);
  };
  const { violations } = await page.evaluate(run, without, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((it) => `${id} ${it.target}: ${it.failureSummary.split("\n").at(-1).trim()}`),
  );
}

// What the page visited said and asked for so far.
let said, asked;

function note(page) {
  page.on("console", (it) => said.push(`console: ${it.text()}`));
  page.on("pageerror", (it) => said.push(`error: ${it.message}`));
  page.on("dialog", (it) => (said.push(`dialog: ${it.message()}`), it.dismiss()));
  page.on("requestfailed", (it) => said.push(`failed: ${it.url()}`));
  page.on("request", (it) => it.url().match(/^(data|blob):/) || asked.push(it.url()));
}

async function visit(page, wish) {
  const [width, height] = wish.size ?? [1280, 900];
  const phone = { isMobile: width < 600, deviceScaleFactor: wish.scale ?? 1 };
  await page.setViewport({ width, height, ...phone });
  const scheme = wish.dark ? "dark" : "light";
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  [said, asked] = [[], []];
  await page.goto(wish.url);
  if (wish.made) await page.waitForSelector(wish.made);
  const found = { ...wish, ...(await page.evaluate(look)) };
  if (wish.made) found.pictures = await page.$$eval(wish.made, pictures);
  if (wish.drawn) Object.assign(found, await page.evaluate(misplaced));
  if (wish.open) await page.$$eval("details", (all) => all.forEach((it) => (it.open = true)));
  if (wish.picture) await page.screenshot({ path: wish.picture });
  if (wish.keys) Object.assign(found, await tabbed(page));
  if (wish.pdf) found.cut = await printed(page, wish.pdf);
  if (wish.axe) found.violations = await audited(page, wish.axe);
  return { ...found, said, asked };
}

async function main() {
  const browser = await puppeteer.launch({
    ...WAITING,
    executablePath: process.argv[2],
    pipe: true,
    // No sandbox, since root has none; no name is looked up, whatever a page asks for.
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  try {
    const [page] = await browser.pages();
    page.setDefaultTimeout(PATIENCE);
    note(page);
    await page.evaluateOnNewDocument(listen);
    for await (const line of readline.createInterface({ input: process.stdin })) {
      console.log(JSON.stringify(await visit(page, JSON.parse(line))));
    }
  } finally {
    await browser.close();
  }
}

main();

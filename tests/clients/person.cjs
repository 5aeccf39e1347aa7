// Somebody at a page, for the drivers of browsers. What they press is found and pressed in one
// step inside the page, since a page may be replaced between two steps; and they wait for what
// they expect, however busy the machine is.
"use strict";

// In milliseconds: it ends what hangs, and says nothing of how fast a page is.
const PATIENCE = 300_000;
const WAITING = { timeout: PATIENCE, protocolTimeout: PATIENCE }; // of puppeteer.launch
const PRESSED = "button, a, summary";

// Return what `look` finds, as soon as it finds something. missing: what to say if it never does.
async function until(look, missing) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const found = await look();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error(await missing());
}

// Return the text of a page; one that is just being replaced has none.
async function shown(page) {
  try {
    return await page.evaluate(() => document.body?.innerText.replace(/\s+/g, " ") ?? "");
  } catch (error) {
    if (/context was destroyed|find context|detached/i.test(error.message)) return "";
    throw error;
  }
}

// Wait for a text that is to be seen.
const expect = (page, text) =>
  until(
    async () => (await shown(page)).includes(text),
    async () => `no “${text}” on ${page.url()}: ${await shown(page)}`,
  );

// Runs in the page: press the element that is called so, with text, where one sees it; or type
// into it; or look at it. Returns null where there is none, or something else lies over it.
function act(how, text, kind, typed) {
  const name = (it) => it.innerText.replace(/\s+/g, " ").trim();
  const seen = [...document.querySelectorAll(kind)].filter((it) => it.checkVisibility());
  const it = seen.find((it) => name(it) === text) ?? seen.find((it) => name(it).startsWith(text));
  if (!it) return null;

  const link = it.closest("a[href]");
  const about = {
    focused: it === document.activeElement,
    loads: Boolean(link ?? it.form?.matches(".loads")), // another page, whatever a script does
    submits: it.type === "submit",
  };
  if (how === "look") return about;

  it.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = it.getClientRects()[0];
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  if (it.matches(":disabled") || !it.contains(there)) return null;

  it.focus({ preventScroll: true });
  if (how === "type") {
    document.execCommand("insertText", false, typed);
    return about;
  }
  // A link within the document may be followed after its click has ended.
  const leads = link?.getAttribute("href").startsWith("#/") && link.hash !== location.hash;
  let prevented = false;
  addEventListener("click", (event) => (prevented = event.defaultPrevented), { once: true });
  const followed = leads && new Promise((end) => addEventListener("hashchange", end, { once: true }));
  it.click();
  return leads && !prevented ? followed.then(() => about) : about;
}

// Press it, or what else `how` says, once it is there.
const acts = (page, how, text, kind = PRESSED, typed = "") =>
  until(
    () => page.evaluate(act, how, text, kind, typed),
    async () => `no ${text || kind} to press on ${page.url()}: ${await shown(page)}`,
  );

module.exports = { PATIENCE, WAITING, acts, expect, shown, until };

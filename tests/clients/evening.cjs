// Somebody runs the club night in the face, with Chromium, the program named first: they
// press what they see. Arguments: the program, the director's address, how (mouse, keys,
// plain: without script), and the evening as JSON: members by what happens to them, results.
// Prints clicks, keystrokes and what went wrong, as JSON.
const puppeteer = require("puppeteer-core");

const [program, address, how, wish] = process.argv.slice(2);
const { absent, duty, late, home, swap, results, correct, picture } = JSON.parse(wish);
const root = new URL("../", address).href;
const count = { clicks: 0, keys: 0, wrong: [] };

async function main() {
  const browser = await puppeteer.launch({
    executablePath: program,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1100, height: 800 });
  await page.setJavaScriptEnabled(how !== "plain");
  page.on("pageerror", (error) => count.wrong.push(String(error)));
  page.on("console", (said) => said.type() === "error" && count.wrong.push(said.text()));
  page.on("response", (answer) => answer.status() >= 400 && count.wrong.push(answer.url()));
  await page.goto(address);

  // The element that a person would press: seen, and called so.
  const named = (text, kind = "button, a, summary") =>
    page.evaluateHandle(
      (text, kind) => {
        const called = (it) => it.innerText.replace(/\s+/g, " ").trim();
        const seen = [...document.querySelectorAll(kind)].filter((it) => it.checkVisibility());
        const fits = seen.filter((it) => called(it) === text);
        return fits[0] || seen.find((it) => called(it).startsWith(text)) || null;
      },
      text,
      kind,
    );
  const settled = () => page.waitForNetworkIdle({ idleTime: 80 }).catch(() => {});

  // What can be pressed and has something else over it that was not there to press.
  const covered = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main :is(button, a, input):not(.notes *)")]
        .map((it) => [it, it.getBoundingClientRect()])
        .filter(([, { left, top, width, height }]) =>
          document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".notes"))
        .map(([it]) => `“${it.innerText}” lies under a note`),
    );

  async function act(element, key = "Enter") {
    // A form is sent by script, if there is one; a link loads a page, later on a busy machine.
    const loads = how === "plain" || (await element.evaluate((it) => it.localName === "a"));
    const loaded = () => loads && page.waitForNavigation({ timeout: 5000 }).catch(() => {});
    if (how === "keys") {
      for (let turn = 0; turn < 400; turn++) {
        if (await element.evaluate((it) => it === document.activeElement)) break;
        await page.keyboard.press("Tab");
        count.keys++;
      }
      const gone = loaded();
      await page.keyboard.press(key);
      await gone;
      count.keys++;
    } else {
      await element.scrollIntoView();
      const gone = loaded();
      await element.click();
      await gone;
      count.clicks++;
    }
    await settled();
    count.wrong.push(...(await covered()));
  }

  async function press(text, kind) {
    const element = (await named(text, kind)).asElement();
    if (!element) throw new Error(`no ${text} to press on ${page.url()}`);
    await act(element);
  }

  // A kind of absence; by keys from the one chosen, so many further.
  async function choose(kind, further) {
    if (how !== "keys") return press(kind, ".chips label");
    await act(await page.$(".chips :checked"), further > 0 ? "ArrowRight" : "ArrowLeft");
    for (let more = Math.abs(further); more > 1; more--, count.keys++) await page.keyboard.press(further > 0 ? "ArrowRight" : "ArrowLeft");
  }

  async function expect(text) {
    const shown = await page.evaluate(() => document.body.innerText.replace(/\s+/g, " "));
    if (!shown.includes(text)) throw new Error(`no “${text}” on ${page.url()}: ${shown.slice(0, 400)}`);
  }

  const result = (board, value) =>
    page.evaluateHandle(
      (board, value) => document.querySelector(`#b${board} button[value="${value}"]`),
      board,
      value,
    );

  for (const name of absent) await press(name);
  await choose("club duty", 2);
  await press(duty);
  await choose("excused", -2);
  await press(late);
  await press("Pair round 1");
  await expect("It is a draft.");
  await press(late, ".grid button"); // the draft follows
  await press(home, ".grid button");
  await press(swap[0], ".draft .seat");
  await press(`Swap with ${swap[1]}`, ".draft .seat");
  await expect("Round 1, board");
  await press("Publish and print");
  await expect("Board White Black");
  if (picture) await page.pdf({ path: picture, format: "A4" });
  if (how === "keys") await page.keyboard.down("Alt"), await page.keyboard.press("ArrowLeft"), await page.keyboard.up("Alt"), count.keys++;
  await page.goto(`${root}tonight`);
  if (how === "keys") {
    await page.keyboard.press("ArrowDown");
    count.keys++;
    for (const value of results) {
      await page.keyboard.press({ "1-0": "1", "½-½": "=", "0-1": "0" }[value]);
      count.keys++;
      await settled();
    }
  } else {
    for (const [at, value] of results.entries()) await act(await result(at + 1, value));
  }
  await expect("All results are in.");
  const look = () => how !== "plain" && page.evaluate("look()");
  await look();
  await act(await result(...correct));
  await look(); // what one has done oneself is no news, and what it said stays
  await expect("Who moved");
  await act(await page.$("table.standings td.main a"));
  await expect("How the score is made up");
  await press("↶ Undo", "header button");
  await expect("Undone");
  await browser.close();
}

main()
  .catch((error) => count.wrong.push(String(error)))
  .finally(() => {
    console.log(JSON.stringify(count));
    process.exit(0);
  });

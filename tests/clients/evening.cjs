// Somebody runs the club night in the face, with Chromium, the program named first: they
// press what they see. Arguments: the program, the director's address, how (mouse, keys,
// plain: without script), and the evening as JSON: members by what happens to them, results.
// Prints clicks, keystrokes and what went wrong, as JSON.
const puppeteer = require("puppeteer-core");
const { PATIENCE, WAITING, acts, expect, until } = require("./person.cjs");

const [program, address, how, wish] = process.argv.slice(2);
const { absent, duty, late, home, swap, results, correct, picture } = JSON.parse(wish);
const root = new URL("../", address).href;
const count = { clicks: 0, keys: 0, wrong: [] };
const plain = how === "plain";

async function main() {
  const browser = await puppeteer.launch({
    ...WAITING,
    executablePath: program,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 1100, height: 800 });
  await page.setJavaScriptEnabled(!plain);
  page.on("pageerror", (error) => count.wrong.push(String(error)));
  page.on("console", (said) => said.type() === "error" && count.wrong.push(said.text()));
  page.on("response", (answer) => answer.status() >= 400 && count.wrong.push(answer.url()));
  await page.goto(address);

  // Until what was pressed is done: the page that it loads is there, or the script has its answer.
  async function settled(loads) {
    const look = (loads) => document.readyState === "complete" && !(loads && document.pressed);
    const gone = ({ message }) => {
      if (!/context|navigat|detached/i.test(message)) throw new Error(message);
    };
    await until(() => page.evaluate(look, loads).catch(gone), () => `${page.url()} does not end`);
    if (!plain) await page.evaluate("busy");
  }

  // What can be pressed and has something else over it that was not there to press.
  const covered = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main :is(button, a, input):not(.notes *)")]
        .map((it) => [it, it.getBoundingClientRect()])
        .filter(([, { left, top, width, height }]) =>
          document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".notes"))
        .map(([it]) => `“${it.innerText}” lies under a note`),
    );

  async function stroke(key) {
    await page.keyboard.press(key);
    count.keys++;
  }

  // Tab until the focus is on it, then a key.
  async function reach(text, kind, key) {
    let about = await acts(page, "look", text, kind);
    for (let turn = 0; turn < 400 && !about.focused; turn++) {
      await stroke("Tab");
      about = await acts(page, "look", text, kind);
    }
    await stroke(key);
    return about;
  }

  async function click(text, kind) {
    count.clicks++;
    return acts(page, "press", text, kind);
  }

  async function press(text, kind, key = "Enter") {
    await page.evaluate(() => (document.pressed = true));
    const about = how === "keys" ? await reach(text, kind, key) : await click(text, kind);
    await settled(about.loads || (plain && about.submits));
    count.wrong.push(...(await covered()));
  }

  const enter = (board, result) => press("", `#b${board} button[value="${result}"]`);

  // A kind of absence; by keys from the one chosen, so many further.
  async function choose(kind, further) {
    if (how !== "keys") return press(kind, ".chips label");
    const key = further > 0 ? "ArrowRight" : "ArrowLeft";
    await press("", ".chips :checked", key);
    for (let more = Math.abs(further); more > 1; more--) await stroke(key);
  }

  for (const name of absent) await press(name);
  await choose("club duty", 2);
  await press(duty);
  await choose("excused", -2);
  await press(late);
  await press("Pair round 1");
  await expect(page, "It is a draft.");
  await press(late, ".grid button"); // the draft follows
  await press(home, ".grid button");
  await press(swap[0], ".draft .seat");
  await press(`Swap with ${swap[1]}`, ".draft .seat");
  await expect(page, "Round 1, board");
  await press("Publish and print");
  await expect(page, "Board White Black");
  if (picture) await page.pdf({ path: picture, format: "A4" });
  await page.goto(`${root}tonight`);
  if (how === "keys") {
    await stroke("ArrowDown");
    for (const result of results) {
      await stroke({ "1-0": "1", "½-½": "=", "0-1": "0" }[result]);
      await settled();
    }
  } else {
    for (const [place, result] of results.entries()) await enter(place + 1, result);
  }
  await expect(page, "All results are in.");
  const look = () => !plain && page.evaluate("look()");
  await look();
  await enter(...correct);
  await look(); // what one has done oneself is no news, and what it said stays
  await expect(page, "Rank changes");
  await press("", "table.standings td.main a");
  await expect(page, "How the score is made up");
  await press("↶ Undo", "header button");
  await expect(page, "Undone");
  await browser.close();
}

main()
  .catch((error) => count.wrong.push(String(error)))
  .finally(() => {
    console.log(JSON.stringify(count));
    process.exit(0);
  });

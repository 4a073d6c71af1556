// The fight in the browser: played by clicking and by keys, kept over reloads and lost networks, judged by the referee.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { open, phone, sound, tabTo } from "./browser.js";
import * as seed from "./service.js";

/** What a page says of itself in the log of a browser that cannot reach the service, or is told no. */
const isAboutTheNetwork = (fault) => /Failed to load resource/.test(fault);

/** Opens the play page. */
async function play(browser, service, options) {
  const page = await open(browser, service, options);
  await page.goto("/play");
  await page.locator("#begin").waitFor();
  return page;
}

/** Logs in by the form of the page. */
async function logIn(page, token) {
  await page.getByLabel("Your pilot's token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("#issue").waitFor();
}

/** Freezes the fleet that is chosen for the day's attempt. */
async function freeze(page) {
  await page.getByRole("button", { name: "Freeze the fleet" }).click();
  await page.locator("#turn").waitFor();
}

/** Clicks until the fight is over or a number of calls was made; how many there were. */
async function fight(page, most = 512) {
  for (let calls = 0; calls < most; calls += 1) {
    await page.locator("#turn, #result").first().waitFor();
    if (await page.locator("#result").count()) return calls;
    const fire = page.locator("#fire:enabled");
    if (await fire.count()) await fire.click();
    else await page.locator("#hold").click();
  }
  return most;
}

/** Gives the fight up. */
async function concede(page) {
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Give the fight up" }).click();
  await page.locator("#result").waitFor();
}

/** The fights that the device keeps. */
const kept = (page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("ongrid/fight/")).map(([, text]) => JSON.parse(text)));

/** Waits for the verdict and holds it against what the device reckoned. */
async function agrees(page) {
  await page.locator("#checkpoints").waitFor();
  assert.match(await page.locator("#checkpoints").textContent(), /^All \d+ checkpoints of this device are the referee's own/);
  assert.equal(await page.locator(".compare .differs").count(), 0);
  assert.equal(await page.locator(".compare .same").count(), 7);
}

/** Adds the tests of the play page. */
export function playTests(test) {
  test("practice: a newcomer presses one button and then fire until the end", async ({ browser, service }) => {
    const page = await play(browser, service);
    await sound(page);
    await page.locator("#begin").click();
    await page.locator("#fire").waitFor();
    await sound(page);
    const calls = await fight(page);
    assert.ok(calls >= 5, `${calls} calls`);
    await sound(page);
    await page.locator("#submit").click();
    await agrees(page);
    await sound(page);
    const [entry] = await kept(page);
    assert.deepEqual([entry.state, entry.calls.length, entry.checkpoints.length], ["acknowledged", calls, calls]);
    const steps = await page.evaluate(() => performance.getEntriesByName("ongrid/step").map(({ duration }) => duration));
    const shows = await page.evaluate(() => performance.getEntriesByName("ongrid/show").map(({ duration }) => duration));
    const figures = (list) => `median ${[...list].sort((a, b) => a - b)[list.length >> 1].toFixed(2)}, most ${Math.max(...list).toFixed(2)} ms`;
    console.log(`        a step of the engine with view and legal calls: ${figures(steps)} of ${steps.length}; with the screen: ${figures(shows)}`);
    await page.done();
  });

  test("the page with its engine comes in under 250 KB, as the browser counts", async ({ browser, service }) => {
    const page = await play(browser, service);
    const parts = await page.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter(({ name }) => !name.includes("/v1/"))
        .map(({ name, encodedBodySize }) => [name.split("/").at(-1), encodedBodySize]),
    );
    const all = parts.reduce((sum, [, size]) => sum + size, 0);
    const [, module] = parts.find(([name]) => name === "ongrid.wasm");
    console.log(`        ${parts.length} files, ${all} bytes, ${module} of them the engine`);
    assert.ok(parts.every(([, size]) => size > 0) && all < 250_000, JSON.stringify(parts));
    await page.done();
  });

  test("practice: any doctrine and level, and each kind of call that the rules know", async ({ browser, service }) => {
    const page = await play(browser, service);
    await page.getByLabel("You meet").selectOption({ index: 3 });
    await page.getByLabel("With").selectOption({ index: 2 });
    const verbs = new Set();
    const stances = ["aggressive", "evasive", "standard"];
    await page.locator("#begin").click();
    for (let turn = 0; turn < 60; turn += 1) {
      await page.locator("#turn, #result").first().waitFor();
      if (await page.locator("#result").count()) break;
      await page.locator(`#stance-${stances[turn % 3]}`).check();
      const module = page.locator(".module button:enabled");
      if (turn % 2 === 0 && (await module.count())) await module.first().click();
      else if (turn % 7 === 3) await page.locator("#hold").click();
      else {
        if (await page.locator("#overheat:enabled").count()) await page.locator("#overheat").check();
        await page.locator("#fire").click();
      }
    }
    if (!(await page.locator("#result").count())) await concede(page);
    const [entry] = await kept(page);
    for (const call of entry.calls) for (const verb of [call.do, call.stance, call.overheat && "overheat"]) verbs.add(verb);
    for (const verb of ["fire", "activate", "hold", "overheat", ...stances]) assert.ok(verbs.has(verb), `no ${verb}`);
    await page.locator("#submit").click();
    await agrees(page);
    await page.done();
  });

  test("a fleet of one's own is pasted as fitting text", async ({ browser, service }) => {
    const page = await play(browser, service);
    await page.getByText("Or paste a fleet of your own").click();
    const text = page.getByLabel("EVE fitting text");
    await text.fill("[Rifter, one]\nGyrostabilizer Two\n\n200mm AutoCannon II, EMP S\n");
    await text.blur();
    await page.locator("#own-fault").filter({ hasText: "Line 2" }).waitFor();
    await text.fill("[Rifter, one]\nGyrostabilizer II\n\n1MN Afterburner II\n\n200mm AutoCannon II, EMP S\n200mm AutoCannon II, EMP S\n");
    await text.blur();
    await page.getByText("You fly a fleet of your own").waitFor();
    await page.locator("#begin").click();
    // One frigate against five may be gone before its first turn: a fight without a call.
    await page.locator("#turn, #result").first().waitFor();
    const [entry] = await kept(page);
    assert.deepEqual(entry.setup.fleet.map(({ hull }) => hull), ["rifter"]);
    await page.done();
  });

  test("today's fight by clicking: reload in the middle, network lost at the submission, then the board", async ({ browser, service, seeded }) => {
    const pilot = await seed.pilot(service, "Jayne", seeded.backend, seeded.skills);
    const page = await play(browser, service);
    await logIn(page, pilot.token);
    await sound(page);
    await freeze(page);
    await fight(page, 7);
    const [before] = await kept(page);
    const seen = await page.locator(".field .craft").allTextContents();
    await page.reload();
    await page.locator("#turn").waitFor();
    assert.deepEqual((await kept(page))[0].calls, before.calls);
    assert.deepEqual(await page.locator(".field .craft").allTextContents(), seen);
    await fight(page);
    await page.context().setOffline(true);
    await page.locator("#submit").click();
    await page.locator("#status").filter({ hasText: "kept on this device; it is tried again" }).waitFor();
    assert.deepEqual((await kept(page)).map(({ state }) => state), ["over"]);
    await page.context().setOffline(false);
    await agrees(page);
    await sound(page);
    const entry = (await kept(page))[0];
    assert.equal(entry.verdict.kind, "ranked");
    assert.match(await page.locator("#rank").textContent(), /Rank \d+ of \d+/);
    await page.reload();
    await agrees(page);
    await page.getByRole("link", { name: "The day's board" }).click();
    const row = page.locator(".board tbody tr").filter({ hasText: "Jayne" });
    assert.equal((await row.locator(".points").textContent()).replaceAll(",", ""), String(entry.verdict.standing.score));
    page.faults = page.faults.filter((fault) => !isAboutTheNetwork(fault));
    await page.done();
  });

  test("an answer that is lost on its way back is asked for again and is the same fight", async ({ browser, service, seeded }) => {
    const pilot = await seed.pilot(service, "Simon", seeded.backend, seeded.skills);
    const page = await play(browser, service);
    await logIn(page, pilot.token);
    await freeze(page);
    await concede(page);
    let lost = 0;
    await page.route("**/v1/attempts/*/replay", async (route) => {
      if (lost) return route.continue();
      lost = (await (await route.fetch()).json()).fight;
      return route.abort();
    });
    await page.locator("#submit").click();
    await agrees(page);
    assert.equal((await kept(page))[0].verdict.fight, lost);
    page.faults = page.faults.filter((fault) => !isAboutTheNetwork(fault));
    await page.done();
  });

  test("a phone in daylight: the whole page fits, and every control is large enough", async ({ browser, service }) => {
    const page = await play(browser, service, { small: true, light: true });
    await sound(page);
    await page.locator("#begin").click();
    await fight(page, 4);
    await sound(page);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("#play button, #play select, #play label:has(input), #play summary")]
        .map((element) => [element.textContent.slice(0, 40), element.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && (height < 24 || width < 24))
        .map(([text, { width, height }]) => `${text}: ${width} × ${height}`),
    );
    assert.deepEqual(small, []);
    // What is decided and what it does are on one screen.
    const fire = await page.locator("#fire").boundingBox();
    assert.ok(fire && fire.y > 0 && fire.y + fire.height <= phone.height, JSON.stringify(fire));
    await fight(page);
    await sound(page);
    await page.done();
  });

  test("with the keyboard alone, heard through the live region", async ({ browser, service }) => {
    const page = await play(browser, service);
    await tabTo(page, "#begin");
    await page.keyboard.press("Enter");
    await page.locator("#turn").waitFor();
    await tabTo(page, "[name=target]");
    await page.keyboard.press("ArrowDown");
    await page.locator(".craft.aimed").waitFor();
    await tabTo(page, "#fire");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#live").textContent(), /fires .* It is the turn of/s);
    assert.equal(await page.evaluate(() => document.activeElement.id), "fire", "the focus stays");
    await page.keyboard.press("o");
    await page.keyboard.press("s");
    await page.keyboard.press("2");
    await page.keyboard.press("f");
    await page.keyboard.press("h");
    const calls = (await kept(page))[0].calls;
    assert.deepEqual(calls.map((call) => call.do), ["fire", "fire", "hold"]);
    assert.ok(calls[1].overheat && calls[1].stance, JSON.stringify(calls[1]));
    for (let pressed = 0; pressed < 512 && !(await page.locator("#result").count()); pressed += 1) {
      await page.keyboard.press((await page.locator("#fire:enabled").count()) ? "f" : "h");
    }
    assert.equal(await page.evaluate(() => document.activeElement.id), "result");
    await tabTo(page, "#submit");
    await page.keyboard.press("Enter");
    await agrees(page);
    await page.done();
  });

  test("two tabs on one attempt: one flies it, the other asks", async ({ browser, service, seeded }) => {
    const pilot = await seed.pilot(service, "Saffron", seeded.backend, seeded.skills);
    const first = await play(browser, service);
    await logIn(first, pilot.token);
    await freeze(first);
    await fight(first, 3);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.getByRole("heading", { name: "This fight is open in another tab" }).waitFor();
    await sound(second);
    await fight(first, 1);
    await second.getByRole("button", { name: "Go on here" }).click();
    await second.locator("#turn").waitFor();
    await first.getByRole("heading", { name: "The fight goes on in another tab" }).waitFor();
    await fight(second, 2);
    const [entry] = await kept(second);
    assert.equal(entry.calls.length, 6, "every call of both tabs is kept, none twice");
    await concede(second);
    assert.equal((await kept(second))[0].calls.length, 7);
    await first.done();
  });

  test("an attempt that was submitted elsewhere is told, and the fight is kept", async ({ browser, service, seeded }) => {
    const pilot = await seed.pilot(service, "Niska", seeded.backend, seeded.skills);
    const page = await play(browser, service);
    await logIn(page, pilot.token);
    await freeze(page);
    const [{ id, engine, seed: dice, setup }] = await kept(page);
    const replay = { engine, seed: dice, setup, calls: [{ do: "concede" }] };
    await seed.send(service, "POST", `/v1/attempts/${id}/replay`, replay, pilot.token, 201);
    await fight(page, 2);
    await concede(page);
    await page.locator("#submit").click();
    await page.locator("#problem").filter({ hasText: "This attempt has its verdict already" }).waitFor();
    await sound(page);
    const [entry] = await kept(page);
    assert.deepEqual([entry.state, entry.calls.length], ["refused", 3]);
    assert.equal(await page.locator("#download").count(), 1);
    page.faults = page.faults.filter((fault) => !isAboutTheNetwork(fault));
    await page.done();
  });

  test("a token that is none is said so, and is in no address", async ({ browser, service }) => {
    const page = await play(browser, service);
    await logIn(page, `ongrid_${"0".repeat(64)}`);
    await page.locator("#issue").click();
    await page.locator("#daily-fault").filter({ hasText: "The token is not valid" }).waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Your pilot's token").waitFor();
    assert.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes("ongrid_0")), false);
    page.faults = page.faults.filter((fault) => !isAboutTheNetwork(fault));
    await page.done();
  });

  test("a module that was tampered with is never run", async ({ browser, service }) => {
    const page = await open(browser, service);
    await page.route("**/*.wasm", async (route) => {
      const answer = await route.fetch();
      const body = await answer.body();
      // The last byte of the data: a figure of the rules, perhaps. The module would still compile.
      body[body.length - 1] ^= 1;
      await route.fulfill({ response: answer, body });
    });
    await page.goto("/play");
    await page.locator("#failed").filter({ hasText: "It was not run" }).waitFor();
    await sound(page);
    await page.unroute("**/*.wasm");
    await page.getByRole("button", { name: "Load it again" }).click();
    await page.locator("#begin").waitFor();
    await page.done();
  });

  test("another engine is announced, and a fight begun with the old one is left as it is", async ({ browser, service }) => {
    const page = await play(browser, service);
    await page.locator("#begin").click();
    await fight(page, 3);
    const address = page.url();
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((key) => key.startsWith("ongrid/fight/"));
      const entry = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...entry, ruleset: "0".repeat(64) }));
    });
    await page.route("**/v1/rulesets", (route) => route.fulfill({ json: { items: [{ engine: "ongrid-8", ruleset: "f".repeat(64) }] } }));
    await page.goto("/play");
    await page.locator("#notice-stale").filter({ hasText: "rules have changed" }).waitFor();
    await page.goto(address);
    await page.getByRole("heading", { name: "The engine has changed since this fight began" }).waitFor();
    await sound(page);
    assert.equal((await kept(page))[0].calls.length, 3);
    assert.equal(await page.getByRole("link", { name: "Download the replay" }).count(), 1);
    await page.done();
  });

  test("a record that was changed does not pass for the fight", async ({ browser, service }) => {
    const page = await play(browser, service);
    await page.locator("#begin").click();
    await fight(page, 3);
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((key) => key.startsWith("ongrid/fight/"));
      const entry = JSON.parse(localStorage.getItem(key));
      entry.checkpoints[1] = "0".repeat(16);
      localStorage.setItem(key, JSON.stringify(entry));
    });
    await page.reload();
    await page.locator("#damaged").filter({ hasText: "From call 2 on" }).waitFor();
    await page.done();
  });

  test("an attempt that ran out of time is told, and the fight is kept", async ({ browser }) => {
    const service = await seed.start({ "day.attempt_minutes": 1 });
    try {
      const page = await play(browser, service);
      await logIn(page, service.token);
      await freeze(page);
      const [{ attempt }] = await kept(page);
      await fight(page, 2);
      assert.match(await page.locator("#limit").textContent(), /^Submit within/);
      await setTimeout(new Date(attempt.expires_at) - Date.now() + 1000);
      // At the latest with the next call: a page that nobody sees may have late clocks.
      await fight(page, 1);
      await page.locator("#notice-expired").waitFor();
      await concede(page);
      await page.locator("#submit").click();
      await page.locator("#problem").filter({ hasText: "ran out of time" }).waitFor();
      assert.deepEqual((await kept(page)).map(({ state, calls }) => [state, calls.length]), [["refused", 4]]);
      page.faults = page.faults.filter((fault) => !isAboutTheNetwork(fault));
      await page.done();
    } finally {
      await service.end();
    }
  });
}

// The pages in a real browser, over a service with fights in it. Prints `N passed, N failed`.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { launch, open, sound, tabTo } from "./browser.js";
import { playTests } from "./play.js";
import * as seed from "./service.js";

const tests = [];
const test = (name, body) => tests.push({ name, body });

const FIT = `[Rifter, Friday night]
Damage Control II
Gyrostabilizer II

1MN Afterburner II
Stasis Webifier II

200mm AutoCannon II, Republic Fleet EMP S
200mm AutoCannon II, Republic Fleet EMP S
200mm AutoCannon II, EMP S

Small Projectile Burst Aerator I
Warrior II x3
`;

/** What the tests look at. */
async function fill(service) {
  const told = seed.replays().filter((replay) => replay.outcome?.rounds > 8);
  const of = (result) => told.find((replay) => replay.outcome.result === result).replay;
  const victory = await seed.store(service, of("victory"));
  const defeat = await seed.store(service, of("defeat"));
  const pilots = [];
  const backend = seed.token(service, "backend");
  const ids = ["gunnery", "motion-prediction", "missiles", "tank", "navigation", "electronics"];
  const skills = Object.fromEntries(ids.map((id) => [id, 5]));
  for (const [index, name] of ["Zoë Ash", "<b>Mal</b> & \"Kaylee\"", "Wash", "River", "Book", "Inara"].entries()) {
    const pilot = await seed.pilot(service, name, backend, skills);
    pilots.push({ ...pilot, fight: await seed.rank(service, pilot, index % 5) });
  }
  return { victory, defeat, pilots, backend, skills, operator: seed.token(service, "operator") };
}

test("every page is sound: dark and light, desk and phone", async ({ browser, service, seeded }) => {
  const paths = [
    "/", "/boards", "/fitting", "/fitting?hull=rifter", "/rules", "/rules/ongrid-8", "/rules/ongrid-8/hulls",
    "/rules/ongrid-8/doctrines", "/rules/empire-damage-1", "/rules/mind-combat-1", "/rules/mecha-battle-1", "/login",
    `/fights/${seeded.victory}`, `/fights/${seeded.defeat}?round=3`, `/fights/${seeded.pilots[0].fight}`,
    `/pilots/${seeded.pilots[1].id}`, "/docs",
  ];
  for (const [light, small] of [[false, false], [true, false], [false, true], [true, true]]) {
    const page = await open(browser, service, { light, small });
    for (const path of paths) {
      const answer = await page.goto(path);
      assert.equal(answer.status(), 200, path);
      if (path !== "/docs") await sound(page);
    }
    await page.done();
  }
});

test("a page on first view is small, and its policy is strict", async ({ service, seeded }) => {
  for (const path of ["/", "/boards", "/fitting?hull=thrasher", "/rules/ongrid-8", `/fights/${seeded.victory}`]) {
    const answer = await fetch(service.url + path);
    const html = await answer.text();
    const policy = answer.headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.doesNotMatch(html, /<script>|<style|\sstyle=|\son[a-z]+=|javascript:/i, path);
    let size = gzipSync(html).length;
    for (const [, asset] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      const part = await fetch(service.url + asset);
      assert.match(part.headers.get("cache-control"), /immutable/);
      size += gzipSync(await part.text()).length;
    }
    assert.ok(size < 60 * 1024, `${path}: ${size} bytes`);
  }
});

test("the board shows the way to a pilot, and around it", async ({ browser, service, seeded }) => {
  const page = await open(browser, service);
  await page.goto("/");
  await page.getByRole("link", { name: "The whole board" }).first().click();
  assert.equal(await page.locator(".board tbody tr").count(), 6);
  const scores = await page.locator(".board .points").allTextContents();
  const numbers = scores.map((score) => Number(score.replaceAll(",", "")));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  await page.getByLabel("Find a pilot on this board").fill("zoë ash");
  await page.getByRole("button", { name: "Show around" }).click();
  assert.match(await page.locator(".board .here").textContent(), /Zoë Ash/);
  await sound(page);
  await page.getByLabel("Find a pilot on this board").fill("<nobody>");
  await page.keyboard.press("Enter");
  assert.match(await page.getByRole("status").textContent(), /No pilot is called <nobody>/);
  await page.goto(`/pilots/${seeded.pilots[1].id}`);
  assert.equal(await page.locator("h1").textContent(), seeded.pilots[1].name);
  await page.done();
});

test("a report is scrubbed with the slider, the links, and without scripts", async ({ browser, service, seeded }) => {
  const page = await open(browser, service);
  await page.goto(`/fights/${seeded.victory}`);
  const head = page.locator("#state h3");
  const slider = page.getByLabel("Round", { exact: true });
  await slider.focus();
  await page.keyboard.press("Home");
  await head.filter({ hasText: "Before the first shot" }).waitFor();
  for (let round = 1; round <= 3; round += 1) await page.keyboard.press("ArrowRight");
  await head.filter({ hasText: "Round 3 of" }).waitFor();
  const atThree = await page.locator("#state").textContent();
  await page.getByRole("link", { name: "Round after" }).click();
  await head.filter({ hasText: "Round 4 of" }).waitFor();
  assert.match(page.url(), /\?round=4/);
  await page.getByRole("button", { name: "Play" }).click();
  await head.filter({ hasText: "Round 6 of" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.done();

  const plain = await open(browser, service, { script: false });
  await plain.goto(`/fights/${seeded.victory}?round=2`);
  await plain.getByRole("link", { name: "Round after" }).click();
  assert.equal((await plain.locator("#state").textContent()).trim(), atThree.trim());
  await plain.getByRole("button", { name: "Show" }).click();
  assert.match(plain.url(), /round=3/);
  await plain.done();
});

test("a report has its preview image", async ({ service, seeded }) => {
  for (const fight of [seeded.victory, seeded.pilots[0].fight]) {
    const html = await (await fetch(`${service.url}/fights/${fight}`)).text();
    const address = html.match(/property="og:image" content="([^"]+)"/)[1];
    const image = Buffer.from(await (await fetch(address)).arrayBuffer());
    assert.equal(image.toString("latin1", 1, 4), "PNG");
    assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [1200, 630]);
  }
});

test("a ranked fight of an open day is sealed, but not to its pilot", async ({ browser, service, seeded }) => {
  const { fight, token, id } = seeded.pilots[2];
  const page = await open(browser, service);
  await page.goto(`/fights/${fight}`);
  assert.equal(await page.getByRole("img", { name: "SEALED" }).or(page.getByRole("img", { name: "Sealed" })).count(), 1);
  assert.equal(await page.locator("#scrub").count(), 0);
  assert.equal((await fetch(`${service.url}/fights/${fight}/rounds/1`)).status, 403);
  assert.equal((await fetch(`${service.url}/fitting?fight=${fight}`)).status, 403);
  await page.getByRole("link", { name: "Log in to see your own" }).click();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(`**/pilots/${id}`);
  await page.goto(`/fights/${fight}`);
  assert.equal(await page.locator("#scrub").count(), 1);
  await page.goto("/boards");
  await page.getByRole("link", { name: "The whole board" }).first().click();
  await page.getByRole("link", { name: "Around me" }).click();
  assert.match(await page.locator(".board .here").textContent(), /Wash/);
  await page.done();
});

test("a fit is pasted, judged and built, with the keyboard alone", async ({ browser, service }) => {
  const page = await open(browser, service);
  await page.goto("/fitting");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  await tabTo(page, "#fleet");
  await page.keyboard.insertText(FIT);
  await tabTo(page, "button[value=check]");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Legal: this fleet may fight" }).waitFor();
  const verdict = await page.locator("#verdict").textContent();
  assert.match(verdict, /line 12.*Small Projectile Burst Aerator I.*rigs are not modelled/s);
  assert.match(verdict, /line 13.*Warrior II x3.*drones are not modelled/s);
  assert.match(verdict, /fit score 14, calibration level 4/);
  await sound(page);

  await tabTo(page, "#hull");
  await page.keyboard.type("Slasher");
  await tabTo(page, "button[value=hull]");
  await page.keyboard.press("Enter");
  await page.getByLabel("high slot 1, module").waitFor();
  await tabTo(page, "[aria-label='high slot 1, module']");
  await page.keyboard.insertText("200mm AutoCannon I");
  await page.keyboard.press("Tab");
  await page.keyboard.insertText("EMP S");
  await tabTo(page, "button[value=add]");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /P2 Slasher/ }).waitFor();
  assert.match(await page.getByLabel("Fitting text, one or more fits").inputValue(), /\[Slasher, Slasher\]\n200mm AutoCannon I, EMP S/);
  await page.done();
});

test("what is wrong with a fit is said with its line", async ({ browser, service }) => {
  const page = await open(browser, service, { small: true, script: false });
  await page.goto("/fitting");
  await page.getByLabel("Fitting text, one or more fits").fill(FIT.replace("Gyrostabilizer II", "Gyrostablizer II<script>"));
  await page.getByRole("button", { name: "Check the fleet" }).click();
  const verdict = await page.locator("#verdict").textContent();
  assert.match(verdict, /line 3.*Gyrostablizer II<script>.*Nearest: .*Gyrostabilizer II/s);
  await page.getByLabel("Fitting text, one or more fits").fill(FIT.replace("Gyrostabilizer II", "1600mm Steel Plates II"));
  await page.getByRole("button", { name: "Check the fleet" }).click();
  assert.match(await page.locator("#verdict").textContent(), /Not legal: .*code power, line 1/s);
  await page.done();
});

test("an operator watches, voids a fight and restores it", async ({ browser, service, seeded }) => {
  const page = await open(browser, service);
  await page.goto("/ops");
  await page.getByLabel("Token").fill(seeded.operator);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /Right now/ }).waitFor();
  await sound(page);
  const total = page.locator("#pulse .facts div").filter({ hasText: "Requests since start" }).locator("dd");
  const before = await total.textContent();
  await fetch(service.url + "/v1/nothing");
  await page.waitForFunction(
    (before) => [...document.querySelectorAll("#pulse dd")].every((dd) => dd.textContent !== before),
    before,
  );
  assert.match(await page.locator(".codes").textContent(), /not_found/);

  const { fight, name } = seeded.pilots[3];
  const day = await seed.send(service, "GET", "/v1/days/current", undefined, "", 200);
  await page.goto(`/fights/${fight}`);
  await page.getByLabel("Reason to void it").fill("<i>a test</i>");
  await page.getByRole("button", { name: "Void the fight" }).click();
  assert.match(await page.locator(".notice.bad").textContent(), /Void.*<i>a test<\/i>/s);
  const board = async () => (await (await fetch(`${service.url}/boards/days/${day.day}`)).text()).includes(name);
  assert.equal(await board(), false);
  await page.goto("/ops");
  assert.match(await page.locator("#pulse").textContent(), /void.*<i>a test<\/i>/s);
  await page.goto(`/fights/${fight}`);
  await page.getByLabel("Reason to let it count again").fill("it was a test");
  await page.getByRole("button", { name: "Restore the fight" }).click();
  assert.equal(await board(), true);
  await page.goto("/ops");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.goto("/ops");
  await page.getByLabel("Token").waitFor();
  await page.done();
});

test("forms need their session's code and their own site", async ({ service, seeded }) => {
  const form = (path, fields, headers) =>
    fetch(service.url + path, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
  const login = await form("/login", { token: seeded.operator });
  assert.equal(login.status, 303);
  const cookie = login.headers.get("set-cookie");
  assert.match(cookie, /HttpOnly; SameSite=Lax/);
  assert.doesNotMatch(login.headers.get("location"), /ongrid_/);
  const session = { cookie: cookie.split(";")[0] };
  const path = `/fights/${seeded.pilots[4].fight}/void`;
  const reason = "not allowed";
  assert.equal((await form(path, { code: "0".repeat(64), reason }, session)).status, 403);
  assert.equal((await form(path, { code: "", reason })).status, 403);
  const page = await (await fetch(`${service.url}/fights/${seeded.pilots[4].fight}`, { headers: session })).text();
  const code = page.match(/name="code" value="([0-9a-f]{64})"/)[1];
  assert.equal((await form(path, { code, reason }, { ...session, origin: "https://evil.example" })).status, 403);
  assert.equal((await form(path, { code, reason: " " }, session)).status, 422);
  assert.equal((await form("/login", { token: "ongrid_" + "0".repeat(64) })).status, 401);
  const elsewhere = await form("/login", { token: seeded.operator, next: "//evil.example" });
  assert.equal(elsewhere.headers.get("location"), "/ops");
});

test("what is not there is a page for browsers", async ({ browser, service }) => {
  const page = await open(browser, service);
  const answer = await page.goto("/nothing/here");
  assert.equal(answer.status(), 404);
  await sound(page);
  page.faults = page.faults.filter((fault) => !fault.includes("404"));
  await page.done();
  assert.equal((await fetch(`${service.url}/fights/not-an-id`)).status, 404);
  assert.equal((await fetch(`${service.url}/v1/nothing`, { headers: { accept: "text/html" } })).headers.get("content-type"), "application/problem+json");
});

playTests(test);

const service = await seed.start();
const browser = await launch();
let [run, failed] = [0, 0];
try {
  const seeded = await fill(service);
  const only = process.argv[2];
  for (const { name, body } of tests.filter((test) => !only || test.name.includes(only))) {
    try {
      run += 1;
      await body({ browser, service, seeded });
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
} finally {
  await browser.close();
  await service.end();
}
console.log(`${run - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

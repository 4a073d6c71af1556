// The real browser, and what every page must keep to.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

/** Starts Chromium with a profile of its own. */
export function launch() {
  const args = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ];
  return chromium.launch({ executablePath, headless: true, args });
}

/** Opens a page that fails the test where it logs anything or asks elsewhere. */
export async function open(browser, service, { light = false, small = false, script = true } = {}) {
  const context = await browser.newContext({
    baseURL: service.url,
    colorScheme: light ? "light" : "dark",
    viewport: small ? phone : desk,
    javaScriptEnabled: script,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => page.faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.faults.push(`script: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(service.url)) page.faults.push(`asks elsewhere: ${request.url()}`);
    if (/ongrid_[0-9a-f]{64}/.test(request.url())) page.faults.push(`a token in an address: ${request.url()}`);
  });
  page.done = async () => {
    const { faults } = page;
    await context.close();
    assert.deepEqual(faults, []);
  };
  return page;
}

/** No serious fault of accessibility, nothing wider than the window. */
export async function sound(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.target + " " + node.failureSummary).join(" | ")}`);
  assert.deepEqual(serious, [], page.url());
  const wide = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const elements = [...document.querySelectorAll("body *")].filter((element) => !element.closest(".scroll"));
    const wide = elements.filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.outerHTML.slice(0, 120));
    return wide.length > 0 ? wide : ["something that hangs out of an element that scrolls"];
  });
  assert.deepEqual(wide, [], `${page.url()} is wider than its window`);
  const { name, lang, h1 } = await page.evaluate(() => ({
    name: document.title,
    lang: document.documentElement.lang,
    h1: document.querySelectorAll("h1").length,
  }));
  assert.ok(name && lang === "en" && h1 === 1, `title ${name}, language ${lang}, ${h1} h1`);
}

/** Presses Tab until the element that matches has the focus. */
export async function tabTo(page, selector, most = 200) {
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
  }
  assert.fail(`${selector} is not reached with Tab`);
}

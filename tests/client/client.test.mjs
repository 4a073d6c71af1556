// The HTTP client: what it sends, what it makes of answers, when it asks again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";

import { Client, Offline, Problem, patiently } from "../../clients/ongrid-js/src/index.js";
import { ROUTES } from "../../clients/ongrid-js/src/routes.js";

/** A client whose service gives the answers in turn, and what it was asked. */
function clientOf(...answers) {
  const asked = [];
  const fetch = async (url, options) => {
    asked.push({ url, ...options });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { client: new Client({ url: "http://referee", token: "secret", fetch }), asked };
}

const json = (body, status = 200, headers = {}) => new Response(body === null ? null : JSON.stringify(body), { status, headers });
const problem = (status, code, headers) => json({ type: "", title: "", status, code, detail: "a sentence" }, status, headers);

test("every route of the document has its operation, and nothing else has", () => {
  const { paths } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url)));
  const told = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const known = Object.values(ROUTES).map((route) => route.join(" "));
  assert.deepEqual(known.sort(), told.filter((route) => route.includes(" /v1/")).sort());
});

test("the README shows the example as it is", () => {
  const text = (path) => readFileSync(new URL(`../../clients/ongrid-js/${path}`, import.meta.url), "utf8");
  const example = text("examples/fight.mjs").replace('"../src/index.js"', '"ongrid"');
  assert.ok(example.split("\n").length < 60);
  assert.ok(text("README.md").includes(example), "copy examples/fight.mjs into the README");
});

test("the packed module is the module", () => {
  const read = (name) => readFileSync(new URL(`../../clients/ongrid-js/${name}`, import.meta.url));
  assert.ok(brotliDecompressSync(read("ongrid.wasm.br")).equals(read("ongrid.wasm")), "run clients/ongrid-js/scripts/pack");
});

test("parameters go where they belong, the token only into its header", async () => {
  const { client, asked } = clientOf(json({ items: [] }), json({}), json(null, 204));
  await client.board("2026-11-30/../x", { limit: 5, after: undefined, around: "a&b" });
  await client.submit("id", '{"seed":"18446744073709551615"}');
  assert.equal(await client.ask("ban", { path: { id: "p" }, body: { reason: "r" } }), null);
  assert.deepEqual(asked.map(({ method, url, body }) => [method, url, body]), [
    ["GET", "http://referee/v1/boards/days/2026-11-30%2F..%2Fx?limit=5&around=a%26b", undefined],
    ["POST", "http://referee/v1/attempts/id/replay", '{"seed":"18446744073709551615"}'],
    ["POST", "http://referee/v1/pilots/p/ban", '{"reason":"r"}'],
  ]);
  assert.ok(asked.every(({ url, headers }) => headers.authorization === "Bearer secret" && !url.includes("secret")));
});

test("a no is a Problem with its code, a lost network is Offline, a stranger's answer is unreadable", async () => {
  const { client } = clientOf(problem(409, "attempt_open"), new TypeError("fetch failed"), new Response("<html>", { status: 502 }));
  await assert.rejects(client.issue({}), (no) => no instanceof Problem && no.code === "attempt_open" && !no.passes);
  await assert.rejects(client.today(), Offline);
  await assert.rejects(client.today(), (no) => no instanceof Problem && no.code === "unreadable" && no.passes);
});

test("what passes by itself is waited for, and no longer than it must", async () => {
  const { client, asked } = clientOf(new TypeError("lost"), problem(503, "busy"), problem(429, "rate_limited", { "retry-after": "0.02" }), json({ day: "x" }));
  const waits = [];
  const answer = await patiently(() => client.today(), { first: 0.001, onWait: (reason, seconds) => waits.push([reason.name, seconds]) });
  assert.deepEqual([answer, asked.length], [{ day: "x" }, 4]);
  assert.deepEqual(waits, [["Offline", 0.001], ["Problem", 0.002], ["Problem", 0.02]]);
});

test("what does not pass is not asked again, and waiting can be left", async () => {
  const refused = clientOf(problem(422, "wrong_ship"));
  await assert.rejects(patiently(() => refused.client.today(), { first: 0.001 }), { code: "wrong_ship" });
  assert.equal(refused.asked.length, 1);
  const lost = clientOf(new TypeError("lost"));
  const leave = new AbortController();
  const asking = patiently(() => lost.client.today(), { signal: leave.signal, onWait: () => leave.abort(new Error("left")) });
  await assert.rejects(asking, { message: "left" });
});

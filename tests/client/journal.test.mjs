// Fights kept on the device: nothing is lost, nothing is written by two.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, Journal, NotKept, TakenOver, newEntry, submit } from "../../clients/ongrid-js/src/index.js";

/** What browsers call localStorage. */
class Memory {
  #kept = new Map();
  full = false;
  get length() {
    return this.#kept.size;
  }
  key(at) {
    return [...this.#kept.keys()][at] ?? null;
  }
  getItem(key) {
    return this.#kept.get(key) ?? null;
  }
  setItem(key, value) {
    if (this.full) throw new DOMException("no room", "QuotaExceededError");
    this.#kept.set(key, value);
  }
  removeItem(key) {
    this.#kept.delete(key);
  }
}

const entry = (id, kind = "practice") => newEntry({ id, kind, engine: "ongrid-8", ruleset: "r", seed: "1", setup: {} });
const answering = (status, body) => new Client({ fetch: async () => new Response(JSON.stringify(body), { status }) });
const alone = (storage, tab) => new Journal(storage, { tab, channel: null });

test("fights are listed, the newest first, past what cannot be read", () => {
  const storage = new Memory();
  const journal = alone(storage, "a");
  for (const [id, begun_at] of [["old", "2026-01-01"], ["new", "2026-01-02"]]) journal.take({ ...entry(id), begun_at });
  storage.setItem("ongrid/fight/broken", "{");
  storage.setItem("another", "thing");
  assert.deepEqual(journal.list().map(({ id }) => id), ["new", "old"]);
  assert.equal(storage.getItem("ongrid/fight/broken"), "{");
});

test("a tab that lost a fight to another cannot write it", () => {
  const storage = new Memory();
  const [first, second] = [alone(storage, "a"), alone(storage, "b")];
  const mine = entry("x");
  first.take(mine);
  mine.calls.push({ do: "concede" });
  first.save(mine);
  second.take(second.get("x"));
  mine.calls.push({ do: "concede" });
  assert.throws(() => first.save(mine), TakenOver);
  assert.equal(second.get("x").calls.length, 1);
});

test("a tab asks whether another plays, and hears when its fight is taken", async () => {
  const storage = new Memory();
  const channels = [new BroadcastChannel("journal-test"), new BroadcastChannel("journal-test")];
  const [first, second] = channels.map((channel, at) => new Journal(storage, { tab: `tab ${at}`, channel }));
  try {
    first.take(entry("x"));
    assert.equal(await second.isElsewhere("x", 2000), true);
    assert.equal(await second.isElsewhere("y", 20), false);
    const taken = new Promise((resolve) => (first.onTaken = resolve));
    second.take(second.get("x"));
    await taken;
    assert.equal(first.playing, null);
  } finally {
    for (const channel of channels) channel.close();
  }
});

test("a device without room says so", () => {
  const storage = new Memory();
  storage.full = true;
  assert.throws(() => alone(storage, "a").take(entry("x")), NotKept);
});

test("a verdict is kept, a refusal too, and without a valid token the fight stays as it was", async () => {
  for (const [status, body, state] of [
    [201, { standing: { score: 1 } }, "acknowledged"],
    [410, { code: "attempt_expired", detail: "too late", status: 410 }, "refused"],
  ]) {
    const journal = alone(new Memory(), "a");
    const fought = { ...entry("x", "attempt"), state: "over" };
    journal.take(fought);
    await submit(answering(status, body), journal, fought);
    assert.equal(journal.get("x").state, state);
    assert.equal(journal.get("x").problem?.code, body.code);
  }
  const journal = alone(new Memory(), "a");
  const fought = { ...entry("x", "attempt"), state: "over" };
  journal.take(fought);
  await assert.rejects(submit(answering(401, { code: "unauthorized", detail: "no" }), journal, fought), { code: "unauthorized" });
  assert.equal(journal.get("x").state, "over");
});

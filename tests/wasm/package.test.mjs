// The package in Node: its modules, their faults in plain words, fights of every engine.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Engine, MODULES, ModuleDiffers, NotAnEngine, Refused, WrongEngine, loadEngine, sha256 } from "../../clients/ongrid-js/src/index.js";
import { canonical } from "./cases.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const all = await loadEngine("engines");
const one = await loadEngine();

/** A fight of each engine, before its first call. */
function starts() {
  const { doctrines, skills } = all.catalogue("ongrid-8");
  const setup = {
    doctrine: doctrines[7].id,
    skills: Object.fromEntries(skills.map(({ id }) => [id, 4])),
    fleet: doctrines[7].fleets[3],
  };
  const samples = ["empire/tests/cases/empire-damage", "minds/tests/cases/mind-combat", "mecha/tests/cases/mecha-battle"];
  const others = samples.map((path) => JSON.parse(read(`crates/engine-${path}-sample.json`)));
  return [{ engine: "ongrid-8", seed: "11", setup }, ...others.map(({ engine, seed, setup }) => ({ engine, seed, setup }))];
}

test("the modules are those that were published, with the engines they should have", async () => {
  assert.deepEqual(one.tags().map(({ engine }) => engine), ["ongrid-8"]);
  assert.deepEqual(all.tags().map(({ engine }) => engine), ["ongrid-8", "empire-damage-1", "mind-combat-1", "mecha-battle-1"]);
  assert.equal(one.source(), all.source());
  assert.match(one.source(), /^[0-9a-f]{64}$/);
  for (const { file, bytes, sha256: digest } of Object.values(MODULES)) {
    const module = read(`clients/ongrid-js/${file}`);
    assert.equal(module.length, bytes);
    assert.equal(await sha256(module), digest);
  }
});

test("the modules carry the rules of the repository, byte for byte", () => {
  for (const file of readdirSync(new URL("crates/engine-ongrid/ruleset", root))) {
    for (const engine of [one, all]) assert.deepEqual(Buffer.from(engine.data("ongrid-8", file)), read(`crates/engine-ongrid/ruleset/${file}`));
  }
});

test("a module that the package does not have is named in a sentence", async () => {
  for (const name of ["ongrid", "toString", null]) {
    await assert.rejects(loadEngine(name), (error) => error instanceof RangeError && /"ongrid-8" or "engines", not /.test(error.message));
  }
});

test("a module that was tampered with is never run", async () => {
  const { file, sha256: digest } = MODULES["ongrid-8"];
  const module = read(`clients/ongrid-js/${file}`);
  for (const at of [0, 9, module.length >> 1, module.length - 1]) {
    const other = Buffer.from(module);
    other[at] ^= 1;
    await assert.rejects(Engine.load(other, { sha256: digest }), (error) => error instanceof ModuleDiffers && /changed on its way/.test(error.message));
  }
});

test("what is no engine is told", async () => {
  const module = read(`clients/ongrid-js/${MODULES["ongrid-8"].file}`);
  const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  for (const bytes of [module.subarray(0, 10_000), Buffer.from("<!doctype html>"), Buffer.alloc(0), empty]) {
    await assert.rejects(Engine.load(bytes), (error) => error instanceof NotAnEngine && /cannot be run/.test(error.message));
  }
});

test("an engine that is not here, or has other rules, is told", async () => {
  const module = read(`clients/ongrid-js/${MODULES["ongrid-8"].file}`);
  const [{ ruleset }] = one.tags();
  await Engine.load(module, { engine: "ongrid-8", ruleset });
  await assert.rejects(Engine.load(module, { engine: "ongrid-9" }), (error) => error instanceof WrongEngine && /no engine ongrid-9 here, only ongrid-8/.test(error.message));
  const other = ruleset.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  await assert.rejects(Engine.load(module, { engine: "ongrid-8", ruleset: other }), (error) => error instanceof WrongEngine && error.message.includes(other));
  for (const start of starts().slice(1)) assert.throws(() => one.open(start), WrongEngine);
  assert.throws(() => one.open({ ...starts()[0], ruleset: other }), WrongEngine);
});

test("a fight of every engine: played by its legal calls, stopped, taken up again, verified", () => {
  for (const start of starts()) {
    const fight = all.open(start);
    for (let made = 0; made < 120; made++) {
      const legal = fight.legal();
      if (legal.length === 0) break;
      fight.call(legal[made % Math.max(1, legal.length - 1)]);
      if (made === 7) {
        const again = all.open(fight.replay());
        assert.deepEqual([again.state(), again.legal(), again.events], [fight.state(), legal.length ? fight.legal() : [], fight.events]);
        assert.equal(again.opened.desync, undefined);
        again.close();
      }
    }
    const verdict = all.verify(fight.replayText());
    assert.equal(verdict.status, "verified");
    assert.deepEqual(verdict.outcome, fight.step.end.outcome);
    assert.equal(verdict.standing.finished, fight.over);
    assert.deepEqual(all.timeline(fight.replayText()), fight.events);
    assert.deepEqual(fight.eventsSince(fight.events.length - 1), fight.events.slice(-1));
    assert.equal(fight.state().checkpoints.at(-1), fight.step.checkpoint);
    assert.equal(canonical(fight.replay()), fight.replayText());
    fight.close();
  }
});

test("every call at an enemy is offered with its chances", () => {
  const fight = one.open(starts()[0]);
  let [fires, jams] = [0, 0];
  for (let made = 0; fight.legal().length > 0; made++) {
    const choices = fight.choices();
    assert.deepEqual(choices.map(({ call }) => call), fight.legal());
    for (const { call, expected, chances } of choices) {
      for (const { chance, factors, of } of chances) {
        const [least, most] = factors.bounds;
        const made = of === "jam" ? [0, 0, 0].map(() => factors.jam / factors.sensors) : factors.aim.map((aim) => (of === "hit" ? aim * factors.size * factors.pace : factors.size * factors.pace * aim));
        assert.deepEqual(chance, made.map((value) => Math.min(most, Math.max(least, value))));
        if (of === "jam") jams += 1;
      }
      assert.equal(expected !== undefined, call.do === "fire");
      assert.equal(call.do === "fire" && chances.length === 0, false);
      if (call.do === "fire") fires += 1;
    }
    fight.call(choices[made % (choices.length - 1)].call);
  }
  assert.ok(fires > 100, `${fires} ${jams}`);
  fight.close();
});

test("a call that is refused says why and changes nothing", () => {
  const fight = one.open(starts()[0]);
  const before = fight.state();
  for (const call of [{ ship: 99, do: "hold" }, { do: "surrender" }, {}, "not JSON"]) {
    assert.throws(() => fight.call(call), (error) => error instanceof Refused && error.code.length > 0 && error.message.length > 0 && (error.call === 0 || error.path.startsWith("/calls/0")));
  }
  assert.deepEqual(fight.state(), before);
  fight.close();
  assert.throws(() => fight.view(), (error) => error instanceof Refused && error.code === "fight");
});

test("a long document is refused and the engine goes on", () => {
  assert.throws(() => one.verify(`{"engine":"ongrid-8","calls":[${"0,".repeat(2_000_000)}0]}`), Refused);
  assert.throws(() => one.verify("[".repeat(200_000)), Refused);
  assert.throws(() => one.verify(new Uint8Array([0xff, 0xfe, 0])), Refused);
  const fight = one.open(starts()[0]);
  assert.equal(one.verify(JSON.stringify(one.fly(starts()[0]))).status, "verified");
  fight.close();
});

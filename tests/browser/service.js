// Starts the built service over a fresh data directory, and fills it with fights to look at.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = new URL("../../", import.meta.url).pathname;
const binary = process.env.ONGRID_BINARY ?? join(root, "target/debug/ongrid");
const golden = join(root, "crates/engine-ongrid/tests/cases/replays.jsonl");

/** A running service: its address, the first pilot's token, and an end. */
export async function start(settings = {}) {
  const data = mkdtempSync(join(tmpdir(), "ongrid-browser-"));
  const set = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const flags = ["--data", data, "--listen", "127.0.0.1:0", "--set", "log.filter=warn", ...set];
  const child = spawn(binary, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const said = { url: "", token: "" };
  await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.token ||= line.match(/token.*: (ongrid_[0-9a-f]{64})/)?.[1] ?? "";
      said.url ||= line.match(/listening on (http:\S+)/)?.[1] ?? "";
      if (said.url && said.token) resolve();
    });
  });
  const end = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", () => {
        rmSync(data, { recursive: true, force: true });
        resolve();
      });
      child.kill("SIGTERM");
    });
  return { ...said, data, end };
}

/** Runs the command line over the service's data; what it printed. */
export function cli(service, ...args) {
  return execFileSync(binary, ["--data", service.data, ...args], { encoding: "utf8" });
}

/** A new pilot's id and token; a level of skill may be registered for it. */
export async function pilot(service, name, backend, skills) {
  const said = cli(service, "pilot", "add", name);
  const id = said.match(/[0-9a-f-]{36}/)[0];
  if (skills) await send(service, "PUT", `/v1/pilots/${id}`, { name, skills }, backend, 201, 204);
  return { name, id, token: said.match(/ongrid_[0-9a-f]{64}/)[0] };
}

/** A token of a role that is no pilot's. */
export function token(service, role) {
  return cli(service, "token", "issue", role).match(/ongrid_[0-9a-f]{64}/)[0];
}

/** The golden replays with their outcomes. */
export function replays() {
  return readFileSync(golden, "utf8").trim().split("\n").map((line) => JSON.parse(line));
}

/** Sends JSON to the service; the answer must be of one of the statuses. */
export async function send(service, method, path, body, token, ...statuses) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(service.url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!statuses.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** Stores a free fight and gives its id. */
export async function store(service, replay, token = service.token) {
  return (await send(service, "POST", "/v1/fights", replay, token, 200, 201)).fight;
}

/** Flies today's ranked attempt for a pilot and gives the fight's id. */
export async function rank(service, pilot, level) {
  const { doctrine } = await send(service, "GET", "/v1/days/current", undefined, "", 200);
  const fly = (seed) => {
    const said = cli(service, "play", "--doctrine", doctrine.id, "--level", String(level), "--seed", seed);
    return JSON.parse(said);
  };
  const attempt = await send(service, "POST", "/v1/attempts", fly("1").setup, pilot.token, 200, 201);
  const replay = fly(attempt.seed);
  const path = `/v1/attempts/${attempt.attempt}/replay`;
  return (await send(service, "POST", path, replay, pilot.token, 200, 201)).fight;
}

// Starts the built service over a fresh data directory, with fights to look at.
import { spawn } from "node:child_process";
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
  const child = spawn(binary, ["--data", data, "--listen", "127.0.0.1:0", "--set", "log.filter=warn", ...set], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = { url: "", token: "" };
  await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.token ||= line.match(/token.*: (ongrid_[0-9a-f]{64})/)?.[1] ?? "";
      said.url ||= line.match(/listening on (http:\S+)/)?.[1] ?? "";
      if (said.url) resolve();
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
  return { ...said, data, binary, end };
}

/** The golden replays with their outcomes. */
export function replays() {
  return readFileSync(golden, "utf8").trim().split("\n").map((line) => JSON.parse(line));
}

/** Sends JSON to the service. */
export async function send(service, method, path, body, token = service.token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

/** Stores a fight and gives its id. */
export async function store(service, replay, token = service.token) {
  const { status, body } = await send(service, "POST", "/v1/fights", replay, token);
  if (status !== 201 && status !== 200) throw new Error(JSON.stringify(body));
  return body.fight;
}

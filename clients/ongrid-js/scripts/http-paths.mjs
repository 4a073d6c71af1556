// The routes of the HTTP interface by the names of their operations, made from the OpenAPI document on standard input.

import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(0, "utf8"));

console.log("// Made by scripts/http from the OpenAPI document of the service; do not edit.");
console.log("\n/** Method and path of every operation of /v1. */\nexport const ROUTES = /** @type {const} */ ({");
for (const [path, methods] of Object.entries(document.paths).filter(([path]) => path.startsWith("/v1/"))) {
  for (const [method, { operationId, summary }] of Object.entries(methods)) {
    if (summary) console.log(`  /** ${summary} */`);
    console.log(`  ${operationId}: ["${method.toUpperCase()}", "${path}"],`);
  }
}
console.log("});");

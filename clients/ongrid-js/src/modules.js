// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 837252, sha256: "be9bddac3ef770a6b3ab591ad42c961ee5c50f214fd42cd30005ff646dde1789" },
  engines: { file: "engines.wasm", bytes: 1332515, sha256: "6d831e2a1b427c5e2e4624e6c0189e2bd0db36b7951f36f21bc5782a96f82e98" },
};

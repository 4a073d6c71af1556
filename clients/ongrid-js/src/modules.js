// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 841474, sha256: "ce45d1c1687084f4a0981d640f264c5dc0f182d300053d6f1d773792d6a1cea7" },
  engines: { file: "engines.wasm", bytes: 1329214, sha256: "821bf736ebadc8e103584329951bedab97b12b52df0aca894844ac20b7863d59" },
};

// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 846143, sha256: "9d48fcfb1c224f4504f39367b81a02a09a8eae416214a711db22ce7d63cb316b" },
  engines: { file: "engines.wasm", bytes: 1333810, sha256: "c19588d67487082fbd6bd70ffb5d75c2993f4bba74c730e7d666d8e1a5c15431" },
};

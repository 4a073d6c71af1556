// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 844846, sha256: "da80eca491af050c8267e7cfa47d0594e04ee55bce9b2eb55ecef694d38c5e07" },
  engines: { file: "engines.wasm", bytes: 1332589, sha256: "0572ae9c8d5c3d8f904ef23c285aaa92334999885740bdbdef83eb6dc690ac4b" },
};

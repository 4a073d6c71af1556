// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 841252, sha256: "c2dc6157aedcf33d4c7ad5cd98341b358d075730a4c8661e24d886f33a07740f" },
  engines: { file: "engines.wasm", bytes: 1328992, sha256: "6e78216f405c784f37ed1d767fdb103e4d9565bba9cbabc7d63c7b7245564f56" },
};

// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 844025, sha256: "ba662fd5e75604d85e4656c53d422ceffffafb0eb05595de965d0fa279d1ab94" },
  engines: { file: "engines.wasm", bytes: 1341794, sha256: "25bb036b8ef2c9ef62af7765da85190c07d685b795a0326af10a70ba5ea9750e" },
};

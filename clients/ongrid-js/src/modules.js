// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 846143, sha256: "2d8be3541f62eda7bc7dc829798c2d6b9ff482e51d40235b958c9096976d75d5" },
  engines: { file: "engines.wasm", bytes: 1333810, sha256: "3e9358be8c155aa59fd2271687833c7c1b394340e1456029b7adb9131b5df397" },
};

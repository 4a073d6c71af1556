// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid-8.wasm", bytes: 851902, sha256: "04fded0798e7077389a3405d6f02cb61f54ea091fb89d8ef5c7d256ceb787418" },
  engines: { file: "engines.wasm", bytes: 1420225, sha256: "5f64a2619939d5c0b05f0d792f3d9046fbb662e4caec7319b3314b1f361a5151" },
};

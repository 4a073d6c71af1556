// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 851928, sha256: "a26a3d149670bd77585cc268dc226bb59b9f5bccc1eb7fa640a2ae3cf51bd95e" },
  engines: { file: "engines.wasm", bytes: 1420251, sha256: "a0df3b5d4a78e1f7e8f09e433244e9101691c683fd11f6b522eadb978b990229" },
};

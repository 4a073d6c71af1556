// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 853984, sha256: "39a67d76cd2b9037f698f1b48e838c0e376bdbb286601823cb0a748a6a6d6f4d" },
  engines: { file: "engines.wasm", bytes: 1439033, sha256: "372808e97f6d21d749d62bae5561b9bb1cb61401b114aa138c3f5e6daa2cc3a7" },
};

// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 853947, sha256: "23e1fe3b93e7034e7f800906762ef50fffd31a20f0a30151e0b1fab9fa6f58e8" },
  engines: { file: "engines.wasm", bytes: 1439222, sha256: "92db8c93328f46c41a680c389f192c3e77002218cddd55c8674979fd93b7ee6b" },
};

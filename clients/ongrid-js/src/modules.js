// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 837894, sha256: "aef873698623a97fbaa637ecfc401bfdea1a1060d452978dd3aa0e60731a227c" },
  engines: { file: "engines.wasm", bytes: 1325818, sha256: "f75e59bdda1a66c1d2f62f7557a9167dccb44667a3285492bc64908febbc6c0a" },
};

// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 837894, sha256: "e0509531874b0bbf9c8fe319146daea2d9e4308c835659ebf89cdf108989ef55" },
  engines: { file: "engines.wasm", bytes: 1325818, sha256: "349c764d8f608589dbf7a102f7f109928af77ce13b41efec3451f50c632e8ab2" },
};

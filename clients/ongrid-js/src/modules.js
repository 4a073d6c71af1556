// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 844453, sha256: "96af29f899cbbe69559d0ebe2f96108de6b729a6479ffa889e758fb41b3e741a" },
  engines: { file: "engines.wasm", bytes: 1342222, sha256: "cef11ecf454f306350ac3d21f4699a757eb2d4e9cff9f3e3754d9e58dbf1082a" },
};

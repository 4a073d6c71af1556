// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 844025, sha256: "708a9ed81a7d3527ecbb2297045adb6949d4366ebdf1b7b9d403facd70ddc1cd" },
  engines: { file: "engines.wasm", bytes: 1341794, sha256: "c50eb69066ff42dfcdf3d70e274935f09da38cbe5f905d7ed0776079569f8115" },
};

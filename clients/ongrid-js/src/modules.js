// Made by scripts/build: the modules of this package, and the digests they are held against.

export const MODULES = {
  "ongrid-8": { file: "ongrid.wasm", bytes: 843791, sha256: "ee8a58bfeeaa75b7960d11e4ae28589cfb4e27fb3490c463eba355a564f1447c" },
  engines: { file: "engines.wasm", bytes: 1341444, sha256: "38dcc1299593fd162edd87e00da7f53a77dd10084128c382a051ca27206d3e22" },
};

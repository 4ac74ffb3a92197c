import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiOptions } from "./api-process.ts";

/** Bucket and object of the object storage. */
const OBJECT = "town/hours.txt";

/** Servers that need no account and no database, as published and with their defaults. */
export const SMALL_SERVERS = {
  /** A signalling server for WebRTC. */
  peer: {
    program: "peer/dist/bin/peerjs.js",
    prepare: () => {},
    args: (port) => ["--port", String(port), "--host", "127.0.0.1", "--path", "/"],
    readyPath: "/",
  },
  /** An OpenID provider. */
  "oidc-provider": {
    program: "../oidc-provider-server.mjs",
    prepare: () => {},
    args: (port) => [String(port), `https://127.0.0.1:${port}`],
    readyPath: "/.well-known/openid-configuration",
  },
  /** Object storage with the API of S3. */
  s3rver: {
    program: "s3rver/bin/s3rver.js",
    prepare: (folder) => {
      mkdirSync(join(folder, "data/town"), { recursive: true });
      writeFileSync(join(folder, "data", `${OBJECT}._S3rver_object`), "Open from nine to five");
      writeFileSync(join(folder, "data", `${OBJECT}._S3rver_metadata.json`), '{"content-type":"text/plain"}');
      writeFileSync(join(folder, "data", `${OBJECT}._S3rver_object.md5`), '{"mtimeMs":0,"md5":""}');
    },
    args: (port) => ["--directory", "data", "--address", "127.0.0.1", "--port", String(port)],
    readyPath: "/",
  },
  /** A database with the API of DynamoDB. */
  dynalite: {
    program: "dynalite/cli.js",
    prepare: () => {},
    args: (port) => ["--port", String(port), "--host", "127.0.0.1"],
    readyPath: "/",
  },
} as const satisfies Readonly<Record<string, ApiOptions>>;

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { startApi, type ApiProcess } from "./api-process.ts";

const DATA = new URL("json-server.json", import.meta.url);

/** json-server with a JSON file, started as in its README. */
export const startJsonServer = (): Promise<ApiProcess> =>
  startApi({
    program: "json-server/lib/cli/bin.js",
    prepare: (folder) => copyFileSync(DATA, join(folder, "db.json")),
    args: (port) => ["db.json", "--host", "127.0.0.1", "--port", String(port)],
    readyPath: "/db",
  });

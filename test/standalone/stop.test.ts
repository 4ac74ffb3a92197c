import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { GloveboxCommand, temporaryFolder, type CommandResult } from "./command.ts";

/** A database server that accepts connections and never responds, so that the start waits. */
const hangingDatabase = createServer((socket) => sockets.add(socket));
const sockets = new Set<Socket>();
hangingDatabase.listen(0, "127.0.0.1");
await once(hangingDatabase, "listening");

const folder = temporaryFolder();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  hangingDatabase.close();
  folder[Symbol.dispose]();
});

let starting: GloveboxCommand;
beforeEach(async () => {
  const { port } = hangingDatabase.address() as AddressInfo;
  const connected = once(hangingDatabase, "connection");
  starting = new GloveboxCommand(["serve"], {
    PORT: "0",
    GLOVEBOX_DEMO: "off",
    GLOVEBOX_DATA_DIR: join(folder.path, "data"),
    DATABASE_URL: `postgres://user@127.0.0.1:${port}/x`,
  });
  await connected;
});

describe("a start that waits for a database", () => {
  test("exits with 0 on SIGTERM when the connection ends", async () => {
    const ended = starting.kill("SIGTERM");
    await starting.stderrMatching(/stopping/);
    for (const socket of sockets) socket.destroy();
    expect(await ended).toEqual({ code: 0, stdout: "", stderr: "glovebox: stopping…\n" });
  });

  test("exits immediately on a second SIGTERM", async () => {
    void starting.kill("SIGTERM");
    await starting.stderrMatching(/stopping/);
    const again = setInterval(() => void starting.kill("SIGTERM"), 100);
    const ended: CommandResult = await starting.ended;
    clearInterval(again);
    expect(ended).toEqual({ code: 1, stdout: "", stderr: "glovebox: stopping…\n" });
  });
});

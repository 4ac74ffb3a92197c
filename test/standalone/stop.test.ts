import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { GloveboxCommand, temporaryFolder, type Ended } from "./command.ts";

/** A database that accepts connections and never says a word: the start waits for it. */
const silent = createServer((socket) => sockets.add(socket));
const sockets = new Set<Socket>();
silent.listen(0, "127.0.0.1");
await once(silent, "listening");

const folder = temporaryFolder();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  folder[Symbol.dispose]();
});

let starting: GloveboxCommand;
beforeEach(async () => {
  const { port } = silent.address() as AddressInfo;
  const connected = once(silent, "connection");
  starting = new GloveboxCommand(["serve"], {
    PORT: "0",
    GLOVEBOX_DEMO: "off",
    GLOVEBOX_DATA_DIR: join(folder.path, "data"),
    DATABASE_URL: `postgres://user@127.0.0.1:${port}/x`,
  });
  await connected;
});

describe("a start that hangs", () => {
  test("ends without a complaint once it is told to stop and gets on", async () => {
    const ended = starting.kill("SIGTERM");
    await starting.stderrMatching(/stopping/);
    for (const socket of sockets) socket.destroy();
    expect(await ended).toEqual({ code: 0, stdout: "", stderr: "glovebox: stopping…\n" });
  });

  test("ends at once when it is told to stop a second time", async () => {
    void starting.kill("SIGTERM");
    await starting.stderrMatching(/stopping/);
    const again = setInterval(() => void starting.kill("SIGTERM"), 100);
    const ended: Ended = await starting.ended;
    clearInterval(again);
    expect(ended).toEqual({ code: 1, stdout: "", stderr: "glovebox: stopping…\n" });
  });
});

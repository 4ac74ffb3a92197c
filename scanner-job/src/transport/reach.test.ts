import { createServer, type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { serve } from "../testing/serve.ts";
import { tcpReach } from "./reach.ts";

describe("one TCP attempt", () => {
  test("at a listener is connected", async () => {
    await using server = await serve((_, response) => response.end());
    expect(await tcpReach("127.0.0.1", server.port)).toBe("connected");
  });

  test("at a closed port is refused", async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    expect(await tcpReach("127.0.0.1", port)).toBe("refused");
  });

  test("is connected also where the process was held up while the answer came", async () => {
    await using server = await serve((_, response) => response.end());
    const seen = tcpReach("127.0.0.1", server.port, 20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(await seen).toBe("connected");
  });

  test("at an address without a route is blocked", async () => {
    expect(await tcpReach("224.0.0.1", 443)).toBe("blocked");
  });
});

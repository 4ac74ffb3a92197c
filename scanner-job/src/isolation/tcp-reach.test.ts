import { createServer, type AddressInfo } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { serve } from "../testing/serve.ts";
import { tcpReach, addressFamilies } from "./tcp-reach.ts";

describe("one TCP attempt", () => {
  test("one TCP attempt at a listener is connected", async () => {
    await using server = await serve((_, response) => response.end());
    expect(await tcpReach("127.0.0.1", server.port)).toBe("connected");
  });

  test("one TCP attempt at a closed port is refused", async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    expect(await tcpReach("127.0.0.1", port)).toBe("refused");
  });

  test("one TCP attempt is connected also where the process was held up while the response arrived", async () => {
    await using server = await serve((_, response) => response.end());
    const seen = tcpReach("127.0.0.1", server.port, 20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(await seen).toBe("connected");
  });

  test("one TCP attempt at an address without a route is blocked", async () => {
    expect(await tcpReach("224.0.0.1", 443)).toBe("blocked");
  });
});

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(":") ? "IPv6" : "IPv4" }) as NetworkInterfaceInfo;

test.each<[string, NetworkInterfaceInfo[], string[]]>([
  ["of both families", [at("10.1.2.3"), at("fd00::3")], ["IPv4", "IPv6"]],
  ["with a link-local address beside", [at("10.1.2.3"), at("fe80::3"), at("169.254.1.1")], ["IPv4"]],
  ["of IPv6 alone", [at("2001:db8::3"), at("127.0.0.1", true)], ["IPv6"]],
  ["without a network", [at("127.0.0.1", true), at("::1", true)], []],
])("a pod %s has these families", (_, addresses, families) => {
  expect([...addressFamilies({ eth0: addresses })]).toEqual(families);
});

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { findControlEndpoints } from "./control-address.ts";

const unreachable = "224.0.0.1";

test("an address that does not respond is given, at the port of the canary", async () => {
  const found = await findControlEndpoints(8099, { addresses: [unreachable] });
  expect(found).toEqual([{ address: unreachable, port: 8099 }]);
});

test.each(["accepts", "refuses"])("an address where somebody %s is left out", async (behavior) => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  if (behavior === "refuses") await new Promise((closed) => server.close(closed));
  const found = await findControlEndpoints(port, { addresses: ["127.0.0.1", unreachable] });
  expect(found).toEqual([{ address: unreachable, port }]);
  server.close();
});

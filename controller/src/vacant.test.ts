import { once } from "node:events";
import { createServer, isIP, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { addressOfNobody, findVacant } from "./vacant.ts";

const unreachable = "224.0.0.1";

test("an address without an answer is given, at the port of the canary", async () => {
  const found = await findVacant({ address: "10.0.0.9", port: 8099 }, { address: unreachable });
  expect(found).toEqual({ address: unreachable, port: 8099 });
});

test.each(["accepts", "refuses"])("none is given where somebody %s", async (answer) => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  if (answer === "refuses") await new Promise((closed) => server.close(closed));
  expect(await findVacant({ address: "127.0.0.1", port }, { address: "127.0.0.1" })).toBeUndefined();
  server.close();
});

test.each([
  ["10.0.0.9", 4],
  ["fd00::9", 6],
])("nobody has an address of the family of %s", (address, family) => {
  expect(isIP(addressOfNobody(address))).toBe(family);
});

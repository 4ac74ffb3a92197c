import { pinSchema } from "@glovebox/contract";
import { createEgressPolicy } from "@glovebox/egress";
import { expect, test } from "vitest";
import { orderPins } from "./order-pins.ts";

const policy = createEgressPolicy();
const pinsOf = (url: string, addresses: string[]) =>
  orderPins({ target: new URL(url) }, { policy, lookup: async () => addresses });

test.each([
  ["a private target", "https://127.0.0.1", "egress_refused"],
  ["an unknown target", "https://unknown.example.com", "name_not_resolved"],
])("%s fails the scan", async (_kind, url, code) => {
  expect(await pinsOf(url, [])).toMatchObject({ failure: { code } });
});

test("the pins of a host with very many addresses are such as an order takes", async () => {
  const many = Array.from({ length: 200 }, (_, index) => `8.8.8.${index}`);
  const pinned = await pinsOf("https://many.example.com", many);
  expect("pins" in pinned && pinned.pins.map((pin) => pinSchema.parse(pin))).toMatchObject([
    { omitted: 184 },
  ]);
});

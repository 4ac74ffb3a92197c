import { isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolvePins } from "./pins.ts";
import { createEgressPolicy } from "./policy.ts";
import { mapped, oneOf, REFUSED_V4, REFUSED_V6, spelt6, v4Of, v6Of } from "./testing/address-arbitraries.ts";

const MAX_PINNED_ADDRESSES = 16;

const policy = createEgressPolicy();
const resolve = (addresses: readonly string[]) =>
  resolvePins(new URL("https://api.example.com"), { policy, lookup: async () => [...addresses] });

/** Public addresses of both families, each as its number. */
const v4 = fc.uniqueArray(oneOf(["8.8.0.0/16"]), { maxLength: 40 });
const v6 = fc.uniqueArray(oneOf(["2606:4700::/32"]), { maxLength: 40 });
const ascending = (values: readonly bigint[]) => values.toSorted((a, b) => (a < b ? -1 : 1));
const normal6 = (value: bigint) => new URL(`http://[${v6Of(value)}]`).hostname.slice(1, -1);
/** In any order, and some of them several times, in other notations. */
const responseOf = (ofV4: readonly bigint[], ofV6: readonly bigint[]) => {
  const all = [...ofV4.map((value) => [v4Of(value), ...mapped(value)]), ...ofV6.map(spelt6)];
  return fc
    .tuple(...all.map((spellings) => fc.subarray(spellings, { minLength: 1 })))
    .chain((chosen) => fc.shuffledSubarray(chosen.flat(), { minLength: chosen.flat().length }));
};
const responses = fc
  .tuple(v4, v6)
  .filter(([ofV4, ofV6]) => ofV4.length + ofV6.length > 0)
  .chain(([ofV4, ofV6]) =>
    fc.record({ ofV4: fc.constant(ofV4), ofV6: fc.constant(ofV6), response: responseOf(ofV4, ofV6) }),
  );

describe("regardless of the response of a name server", () => {
  test("the same addresses are pinned the same way: sorted, each once, at most sixteen, the rest counted", async () => {
    await fc.assert(
      fc.asyncProperty(responses, async ({ ofV4, ofV6, response }) => {
        const pinned = await resolve(response);
        if (!pinned.ok) throw new Error(pinned.message);
        const { addresses, omitted } = pinned;
        const count4 = addresses.filter((address) => isIPv4(address)).length;
        const count6 = addresses.length - count4;
        // So all that follows depends on the addresses alone.
        expect(addresses).toEqual([
          ...ascending(ofV4).slice(0, count4).map(v4Of),
          ...ascending(ofV6).slice(0, count6).map(normal6),
        ]);
        const all = ofV4.length + ofV6.length;
        expect(addresses.length).toBe(Math.min(all, MAX_PINNED_ADDRESSES));
        expect(addresses.length + omitted).toBe(all);
        expect(count4).toBeGreaterThanOrEqual(Math.min(ofV4.length, MAX_PINNED_ADDRESSES / 2));
        expect(count6).toBeGreaterThanOrEqual(Math.min(ofV6.length, MAX_PINNED_ADDRESSES / 2));
      }),
    );
  });

  test("one address that is not public refuses them all, also where it would have been left out", async () => {
    const refused = fc.oneof(oneOf(REFUSED_V4).map(v4Of), oneOf(REFUSED_V6).map(v6Of));
    await fc.assert(
      fc.asyncProperty(responses, refused, fc.nat(), async ({ response }, address, position) => {
        const among = response.toSpliced(position % (response.length + 1), 0, address);
        expect(await resolve(among)).toMatchObject({ ok: false, code: "egress_refused" });
      }),
    );
  });

  test("more addresses than any honest host has are refused", async () => {
    const many = Array.from({ length: 513 }, (_, index) => v4Of(0x08_08_00_00n + BigInt(index)));
    expect(await resolve(many.slice(1))).toMatchObject({ ok: true, omitted: 496 });
    expect(await resolve(many)).toMatchObject({ ok: false, code: "egress_refused" });
  });
});

import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REFUSED_V4, REFUSED_V6, v4Of, v6Of, oneOf, anyV4, globalV6 } from "./testing/address-arbitraries.ts";
import { parseEgressAllow } from "./allowance.ts";
import { createEgressPolicy } from "./policy.ts";

const policy = createEgressPolicy();

describe("the allow-list", () => {
  const port = fc.integer({ min: 1, max: 65_535 });
  const anyAddress = fc.oneof(
    oneOf(REFUSED_V4).map(v4Of),
    anyV4.map(v4Of),
    oneOf(REFUSED_V6).map(v6Of),
    globalV6.map(v6Of),
  );

  test("the allow-list of a range changes the verdict inside that range only", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4), fc.integer({ min: 0, max: 32 }), anyAddress, (value, prefix, other) => {
        const network = (value >> BigInt(32 - prefix)) << BigInt(32 - prefix);
        const wider = createEgressPolicy({ allow: parseEgressAllow(`${v4Of(network)}/${prefix}`) });
        const named = new BlockList();
        named.addSubnet(v4Of(network), prefix, "ipv4");
        if (!named.check(other, isIPv4(other) ? "ipv4" : "ipv6")) {
          expect(wider.judge(other, 443)).toEqual(policy.judge(other, 443));
        }
        const metadata = policy.judge(v4Of(value), 443);
        const locked = !metadata.allowed && metadata.reason === "metadata" && prefix < 32;
        expect(wider.judge(v4Of(value), 443).allowed).toBe(!locked);
      }),
      { numRuns: 1000 },
    );
  });

  test("the allow-list of a range, and of a name, never opens an address of the control plane; one of that very address does", () => {
    fc.assert(
      fc.property(
        fc.oneof(oneOf(REFUSED_V4), anyV4),
        fc.integer({ min: 0, max: 31 }),
        port,
        (value, prefix, at) => {
          const address = v4Of(value);
          const network = v4Of((value >> BigInt(32 - prefix)) << BigInt(32 - prefix));
          const controlPlane = [address];
          const wide = parseEgressAllow(`${network}/${prefix},api.corp:${at}`);
          const guarded = createEgressPolicy({ allow: wide, controlPlane });
          for (const text of [address, `::ffff:${address}`, `64:ff9b::${address}`])
            expect(guarded.judge(text, at, "api.corp").allowed).toBe(false);
          for (const entry of [address, `${address}:${at}`]) {
            const opened = createEgressPolicy({ allow: parseEgressAllow(entry), controlPlane });
            expect(opened.judge(address, at)).toEqual({ allowed: true });
          }
        },
      ),
    );
  });

  test("the allow-list of an address and a port changes the verdict for both together only", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4).map(v4Of), port, port, anyAddress, (listed, open, probed, other) => {
        const wider = createEgressPolicy({ allow: parseEgressAllow(`${listed}:${open}`) });
        expect(wider.judge(listed, open)).toEqual({ allowed: true });
        if (probed !== open) expect(wider.judge(listed, probed).allowed).toBe(false);
        if (other !== listed) expect(wider.judge(other, open)).toEqual(policy.judge(other, open));
      }),
      { numRuns: 500 },
    );
  });

  test("the allow-list of a name and a port changes the verdict for both together only", () => {
    fc.assert(
      fc.property(anyAddress, port, port, fc.domain(), (address, open, probed, other) => {
        const wider = createEgressPolicy({ allow: parseEgressAllow(`api.corp:${open}`) });
        expect(wider.judge(address, open, other)).toEqual(policy.judge(address, open));
        expect(wider.judge(address, open)).toEqual(policy.judge(address, open));
        if (probed !== open)
          expect(wider.judge(address, probed, "api.corp")).toEqual(policy.judge(address, probed));
      }),
    );
  });
});

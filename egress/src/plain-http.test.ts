import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { pinTarget } from "./pins.ts";
import { loopbackAllowance, plainHttpRefusal } from "./plain-http.ts";
import { createEgressPolicy } from "./policy.ts";

const refusal = (url: string, addresses: string[], { allow = "", allowPrivate = false } = {}) =>
  plainHttpRefusal(new URL(url), { addresses }, { allow: parseEgressAllow(allow), allowPrivate });

describe("plain HTTP", () => {
  test.each<[string, string[], Parameters<typeof refusal>[2], boolean]>([
    ["http://localhost:3000", ["127.0.0.1", "::1"], {}, true],
    ["http://127.8.9.10", ["127.8.9.10"], {}, true],
    ["http://[::1]:8080", ["::1"], {}, true],
    ["http://localhost", ["127.0.0.1", "10.0.0.1"], {}, false],
    ["http://10.0.0.1", ["10.0.0.1"], {}, false],
    ["http://10.0.0.1", ["10.0.0.1"], { allowPrivate: true }, true],
    ["http://10.0.0.1:81", ["10.0.0.1"], { allow: "10.0.0.1:81" }, true],
    ["http://10.0.0.1:82", ["10.0.0.1"], { allow: "10.0.0.1:81" }, false],
    ["http://api.example", ["8.8.8.8"], {}, false],
    ["http://api.example", ["8.8.8.8"], { allowPrivate: true }, false],
    ["http://api.example", ["10.0.0.1", "8.8.8.8"], { allowPrivate: true }, false],
    ["http://api.example", ["8.8.8.8"], { allow: "8.8.8.0/24" }, true],
    ["http://api.example", ["8.8.8.8"], { allow: "api.example:80" }, true],
    ["http://api.example:81", ["8.8.8.8"], { allow: "api.example:80" }, false],
    ["https://api.example", ["8.8.8.8"], {}, true],
  ])("%s at %j with %j is allowed: %s", (url, addresses, options, isAllowed) => {
    expect(refusal(url, addresses, options) === undefined).toBe(isAllowed);
  });

  test("says why it is refused and what to do", () => {
    expect(refusal("http://api.example", ["8.8.8.8"])).toBe(
      "plain HTTP could be read and changed on its way; use https://, or list the address in GLOVEBOX_EGRESS_ALLOW",
    );
  });

  test("plain HTTP is never sent to a public address that is not listed", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.boolean(), (address, allowPrivate) => {
        const isPublic = createEgressPolicy().judge(address, 80).allowed;
        if (isPublic) expect(refusal("http://api.example", [address], { allowPrivate })).toBeDefined();
      }),
    );
  });
});

describe("the entries for a server on this machine", () => {
  const pinned = async (url: string, addresses: string[] = []) => {
    const target = new URL(url);
    const policy = createEgressPolicy({ allow: loopbackAllowance(target) });
    return pinTarget({ target }, { policy, lookup: () => Promise.resolve(addresses) });
  };

  test.each([
    ["http://localhost:3000", ["127.0.0.1", "::1"], 3000],
    ["http://127.0.0.1", [], 80],
    ["http://[::1]:81", [], 81],
    ["http://127.1:3000", [], 3000],
  ])("let %s be scanned", async (url, addresses, port) => {
    expect(await pinned(url, addresses)).toMatchObject({ ok: true, pins: [{ ports: [port] }] });
  });

  test.each([
    ["https://127.0.0.1", []],
    ["https://localhost", ["127.0.0.1"]],
    ["http://10.0.0.1", []],
    ["http://api.corp", ["127.0.0.1"]],
    ["http://rebound.example", ["127.0.0.1"]],
    ["http://169.254.169.254", []],
  ])("the entries for a server on this machine do not let %s be scanned", async (url, addresses) => {
    expect(await pinned(url, addresses)).toMatchObject({ ok: false });
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EgressAllowError, parseEgressAllow } from "./allowance.ts";

describe("parseEgressAllow", () => {
  test.each([
    ["10.0.0.0/8", { kind: "range", cidr: "10.0.0.0/8" }],
    ["0.0.0.0/0", { kind: "range", cidr: "0.0.0.0/0" }],
    ["10.1.2.3", { kind: "range", cidr: "10.1.2.3/32" }],
    ["10.1.2.3/32", { kind: "range", cidr: "10.1.2.3/32" }],
    ["fd00::/8", { kind: "range", cidr: "fd00::/8" }],
    ["FD00:0::/8", { kind: "range", cidr: "fd00::/8" }],
    ["::1", { kind: "range", cidr: "::1/128" }],
    ["fd00::1:443", { kind: "range", cidr: "fd00::1:443/128" }],
    ["::ffff:10.0.0.0/104", { kind: "range", cidr: "10.0.0.0/8" }],
    ["::ffff:10.0.0.1", { kind: "range", cidr: "10.0.0.1/32" }],
    ["10.1.2.3:8443", { kind: "endpoint", host: "10.1.2.3", port: 8443 }],
    ["[::1]:8443", { kind: "endpoint", host: "::1", port: 8443 }],
    ["[FD00:0:0::1]:1", { kind: "endpoint", host: "fd00::1", port: 1 }],
    ["localhost:8443", { kind: "endpoint", host: "localhost", port: 8443 }],
    ["API.Corp.:65535", { kind: "endpoint", host: "api.corp", port: 65_535 }],
    ["bücher.local:443", { kind: "endpoint", host: "xn--bcher-kva.local", port: 443 }],
  ])("reads %s", (text, allowance) => {
    expect(parseEgressAllow(text)).toEqual([allowance]);
  });

  test.each(["", "  ", ",", " , ,\n"])("reads %j as an empty list", (text) => {
    expect(parseEgressAllow(text)).toEqual([]);
  });

  test("takes commas, spaces and line ends between entries, in any number", () => {
    expect(parseEgressAllow(" 10.0.0.0/8,,localhost:1\n\t[::1]:2 ,fd00::/8,")).toHaveLength(4);
  });

  test.each([
    ["10.0.0.0/33", "is not a CIDR"],
    ["10.0.0.0/-1", "is not a CIDR"],
    ["10.0.0.0/", "is not a CIDR"],
    ["/8", "is not a CIDR"],
    ["10.0.0/8", "is not a CIDR"],
    ["10.0.0.0/8/8", "is not a CIDR"],
    ["10.0.0.0/255.0.0.0", "is not a CIDR"],
    ["fd00::/129", "is not a CIDR"],
    ["https://localhost:8443", "is not a CIDR"],
    ["localhost/8", "is not a CIDR"],
    ["10.1.2.3/8", "the range is 10.0.0.0/8"],
    ["fd00::1/8", "the range is fd00::/8"],
    ["fe80::1%eth0", "zone id"],
    ["[fe80::1%eth0]:80", "zone id"],
    ["localhost", "a host needs a port"],
    ["example.com", "a host needs a port"],
    ["10.0.0.256", "a host needs a port"],
    ["[::1]", "a host needs a port"],
    ["localhost:", "a host needs a port"],
    ["localhost:https", "a host needs a port"],
    ["localhost:0", "port outside 1 to 65535"],
    ["localhost:65536", "port outside 1 to 65535"],
    ["localhost:99999999999999999999", "port outside 1 to 65535"],
    [":80", "unusable host"],
    ["*.corp:443", "unusable host"],
    ["10.0.0.256:80", "unusable host"],
    ["[127.0.0.1]:80", "unusable host"],
    ["[::1:80", "unusable host"],
    ["user@localhost:80", "unusable host"],
    ["0x7f.1:80", "the host is 127.0.0.1"],
    ["127.1:80", "the host is 127.0.0.1"],
    ["2130706433:80", "the host is 127.0.0.1"],
    ["::1::80", "unusable host"],
  ])("refuses %s and says why", (entry, reason) => {
    const read = () => parseEgressAllow(`10.0.0.0/8, ${entry}`);
    expect(read).toThrow(EgressAllowError);
    expect(read).toThrow(`"${entry}"`);
    expect(read).toThrow(reason);
  });

  test("returns allowances or an EgressAllowError for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789abcf.:[]/%-*, \n") })),
        (text) => {
          try {
            expect(Array.isArray(parseEgressAllow(text))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(EgressAllowError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

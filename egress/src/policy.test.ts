import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { createEgressPolicy } from "./policy.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

const PUBLIC = words(`
  1.0.0.1 1.1.1.1 8.8.8.8 9.9.9.9 11.0.0.0 9.255.255.255 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  168.63.129.15 168.63.129.17 93.184.216.34 2606:4700:4700::1111 2001:4860:4860::8888 2620:fe::fe 2a00:1450:4001::64
  2001:200::1 2003::1 2400:cb00::1 3ffe::1 2001:db7::1 2001:db9::1 ::ffff:8.8.8.8 ::ffff:101:101
  64:ff9b::8.8.8.8 64:ff9b::101:101 2606:4700::5efe:808:808 2606:4700::200:5efe:8.8.8.8 2606:4700::a00:1
`);

const REFUSED: Record<string, string> = {
  unspecified: "0.0.0.0 0.0.0.1 0.1.2.3 0.255.255.255 :: ::ffff:0.0.0.0 ::ffff:0:1",
  loopback:
    "127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1",
  private: `10.0.0.0 10.1.2.3 10.255.255.255 172.16.0.0 172.20.1.1 172.31.255.255 192.168.0.0 192.168.255.255
    fc00:: fd00::1 fdff:ffff::1 FD12:3456::1 ::ffff:10.0.0.1 ::ffff:c0a8:1 ::FFFF:172.16.0.1`,
  "link-local": "169.254.0.0 169.254.1.1 169.254.255.255 fe80:: fe80::1 febf:ffff::1 ::ffff:169.254.1.1",
  "site-local": "fec0:: fec0::1 feff:ffff::1",
  "carrier-grade NAT": "100.64.0.0 100.64.0.1 100.100.100.199 100.127.255.255 ::ffff:100.64.0.1",
  "protocol assignments": "192.0.0.0 192.0.0.1 192.0.0.170 192.0.0.255",
  documentation: `192.0.2.0 192.0.2.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
    2001:db8:: 2001:db8::1 2001:db8:ffff::1 3fff::1 3fff:fff::1`,
  benchmarking: "198.18.0.0 198.19.255.255 2001:2::1",
  multicast: "224.0.0.0 224.0.0.251 239.255.255.255 ff00:: ff02::1 ff0e::1 ffff::1",
  broadcast: "255.255.255.255 ::ffff:255.255.255.255",
  reserved: `240.0.0.0 250.1.2.3 255.255.255.254 192.31.196.1 192.52.193.1 192.175.48.1 2001:1::1 2001:3::1 2001:4:112::1
    2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 2620:4f:8000::1`,
  discard: "100:: 100::1 100::ffff:ffff:ffff:ffff",
  metadata: `169.254.169.254 169.254.169.253 169.254.170.2 169.254.170.23 169.254.42.42 100.100.100.200 168.63.129.16
    192.0.0.192 fd00:ec2::254 fd00:0ec2:0:0:0:0:0:254 fd00:ec2::23 fd20:ce::254 fd00:42::42
    ::ffff:169.254.169.254 ::ffff:a83f:8110 ::ffff:100.100.100.200`,
  "not global unicast": `::2:0:0 ::8.8.8.8 ::808:808 ::ffff:0:8.8.8.8 100:0:0:1::1 4000::1 5f00::1 8000::1 c000::1
    e000::1 fe00::1 64:ff9a::1 64:ff9b:2::1 1fff:ffff::1`,
  "6to4": "2002:808:808::1 2002:101:101::101:101 192.88.99.1",
  Teredo: "2001::f7f7:f7f7 2001:0:4136:e378:8000:63bf:f7f7:f7f7",
  "local-use NAT64": "64:ff9b:1::8.8.8.8 64:ff9b:1:808:8:800::",
  "private (inside NAT64)": "64:ff9b::10.0.0.1 64:ff9b::a00:1 64:ff9b::192.168.1.1 64:FF9B::AC10:1",
  "loopback (inside NAT64)": "64:ff9b::127.0.0.1 64:ff9b::7f00:1",
  "metadata (inside NAT64)": "64:ff9b::169.254.169.254 64:ff9b::168.63.129.16",
  "private (inside local-use NAT64)": "64:ff9b:1::10.0.0.1 64:ff9b:1::c0a8:1",
  "private (inside 6to4)": "2002:a00:1::1 2002:c0a8:101::",
  "metadata (inside 6to4)": "2002:a9fe:a9fe:: 2002:a83f:8110::1",
  "private (inside Teredo)": "2001::f5ff:fffe 2001:0:808:808::3f57:fefe",
  "metadata (inside Teredo)": "2001::5601:5601",
  "private (inside ISATAP)":
    "2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:c0a8:101 2606:4700::100:5efe:10.0.0.1",
  "metadata (inside ISATAP)": "2606:4700::5efe:169.254.169.254",
  "private (inside an IPv4-compatible address)": "::10.0.0.1 ::a00:1 ::192.168.0.1",
  "loopback (inside an IPv4-compatible address)": "::127.0.0.1 ::7f00:1",
  "unspecified (inside an IPv4-compatible address)": "::2 ::ff",
  "private (inside an IPv4-translated address)": "::ffff:0:10.0.0.1 ::ffff:0:a00:1",
  "zone id": "fe80::1%eth0 fe80::1%25eth0 2606:4700::1%1 ::1%lo",
  "not an IP address": `127.1 0177.0.0.1 0x7f000001 2130706433 010.0.0.1 8.8.8.8. [::1] 1.2.3 1.2.3.4.5 256.1.1.1 localhost
    example.com ::g 1::2::3 8.8.8.8/32 ::ffff:1.2.3 １.1.1.1`,
};

const refusals = Object.entries(REFUSED).flatMap(([reason, text]) =>
  words(text).map((address) => ({ address, reason })),
);
const policy = createEgressPolicy();

describe("the policy without any list", () => {
  test.each(PUBLIC)("allows %s", (address) => {
    expect(policy.judge(address, 443)).toEqual({ allowed: true });
  });

  test.each(refusals)("refuses $address: $reason", ({ address, reason }) => {
    expect(policy.judge(address, 443)).toEqual({ allowed: false, reason });
  });

  test.each(["", " ", "8.8.8.8 ", " 8.8.8.8", "8.8.8.8\n", "8.8.8.8\0"])(
    "refuses %j, which is not an address",
    (address) => {
      expect(policy.judge(address, 443)).toEqual({ allowed: false, reason: "not an IP address" });
    },
  );

  test.each([0, -1, 65_536, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses port %s", (port) => {
    expect(policy.judge("8.8.8.8", port)).toEqual({ allowed: false, reason: "unusable port" });
  });

  test("refuses by the address, regardless of the host name", () => {
    expect(policy.judge("10.0.0.1", 443, "example.com")).toEqual({ allowed: false, reason: "private" });
  });
});

describe("the allow-list", () => {
  const judge = (allow: string, address: string, port = 443, host?: string) =>
    createEgressPolicy({ allow: parseEgressAllow(allow) }).judge(address, port, host).allowed;

  test.each([
    ["10.0.0.0/8", "10.1.2.3", true],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["10.0.0.0/8", "9.255.255.255", true],
    ["10.0.0.0/8", "172.16.0.1", false],
    ["10.0.0.0/8", "64:ff9b::10.1.2.3", false],
    ["10.0.0.0/8", "2002:a01:203::", false],
    ["10.0.0.0/8", "::10.1.2.3", false],
    ["10.0.0.7", "10.0.0.7", true],
    ["10.0.0.7", "10.0.0.8", false],
    ["fd00::/8", "fd12::1", true],
    ["fd00::/8", "fc00::1", false],
    ["::/0", "10.0.0.1", false],
    ["::/0", "::1", true],
    ["0.0.0.0/0", "::1", false],
    ["64:ff9b:1::/96", "64:ff9b:1::10.0.0.1", true],
    ["169.254.0.0/16", "169.254.1.1", true],
    ["169.254.0.0/16", "169.254.169.254", false],
    ["0.0.0.0/0", "100.100.100.200", false],
    ["fd00::/8", "fd00:ec2::254", false],
    ["::/0", "64:ff9b::169.254.169.254", false],
    ["64:ff9b::/96", "64:ff9b::169.254.169.254", false],
    ["64:ff9b:1::/96", "64:ff9b:1::169.254.169.254", false],
    ["2002::/16", "2002:a9fe:a9fe::", false],
    ["::/0", "::169.254.169.254", false],
    ["169.254.169.254", "64:ff9b::169.254.169.254", false],
    ["64:ff9b::a9fe:a9fe", "64:ff9b::169.254.169.254", true],
    ["169.254.169.254", "169.254.169.254", true],
    ["fe80::/10", "fe80::1%eth0", false],
  ])("%s makes %s reachable: %s", (allow, address, expected) => {
    expect(judge(allow, address)).toBe(expected);
  });

  test.each([
    ["127.0.0.1:8443", "127.0.0.1", 8443, undefined, true],
    ["127.0.0.1:8443", "::ffff:127.0.0.1", 8443, undefined, true],
    ["127.0.0.1:8443", "127.0.0.1", 8444, undefined, false],
    ["127.0.0.1:8443", "127.0.0.2", 8443, undefined, false],
    ["[::1]:8443", "::1", 8443, undefined, true],
    ["[::1]:8443", "127.0.0.1", 8443, undefined, false],
    ["localhost:8443", "127.0.0.1", 8443, "localhost", true],
    ["localhost:8443", "127.0.0.1", 8443, "LOCALHOST.", true],
    ["localhost:8443", "127.0.0.1", 8443, undefined, false],
    ["localhost:8443", "127.0.0.1", 8443, "127.0.0.1", false],
    ["localhost:8443", "127.0.0.1", 443, "localhost", false],
    ["localhost:8443", "127.0.0.1", 8443, "a.localhost", false],
    ["db.example:5432", "169.254.169.254", 5432, "db.example", false],
    ["db.example:5432", "64:ff9b::169.254.169.254", 5432, "db.example", false],
    ["169.254.169.254:80", "169.254.169.254", 80, undefined, true],
    ["169.254.169.254:80", "169.254.169.254", 443, undefined, false],
  ] as const)("%s makes %s port %s as %s reachable: %s", (allow, address, port, host, expected) => {
    expect(judge(allow, address, port, host)).toBe(expected);
  });
});

describe("the deny-list", () => {
  const deny = ["34.118.224.0/20", "2600:1900::/28", "20.1.2.3"];
  const refusal = { allowed: false, reason: "denied by the operator" };

  test.each([
    "34.118.224.1",
    "::ffff:34.118.239.255",
    "64:ff9b::34.118.224.1",
    "2600:190f::1",
    "20.1.2.3",
    "2606:4700::5efe:20.1.2.3",
  ])("refuses %s, though it is public", (address) => {
    expect(createEgressPolicy({ deny }).judge(address, 443)).toEqual(refusal);
  });

  test.each(["34.118.240.0", "20.1.2.4", "2600:1910::1"])("leaves its neighbour %s alone", (address) => {
    expect(createEgressPolicy({ deny }).judge(address, 443)).toEqual({ allowed: true });
  });

  test("gives way to an explicit allowance", () => {
    const both = createEgressPolicy({ deny, allow: parseEgressAllow("34.118.224.9:443") });
    expect(both.judge("34.118.224.9", 443)).toEqual({ allowed: true });
    expect(both.judge("34.118.224.9", 444)).toEqual(refusal);
    expect(both.judge("34.118.224.8", 443)).toEqual(refusal);
  });

  test.each(["10.0.0", "10.0.0.0/33", "fd00::/129", "fd00::%1/64", "cluster", ""])(
    "the deny-list that cannot be read (%j) is an error",
    (entry) => {
      expect(() => createEgressPolicy({ deny: [entry] })).toThrow(`"${entry}" is not a CIDR or an address`);
    },
  );
});

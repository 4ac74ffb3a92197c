import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { judgeHost, parseHostAddress } from "./host.ts";
import { createEgressPolicy } from "./policy.ts";

const policy = createEgressPolicy();
const judge = (address: string, allow = "") =>
  judgeHost(createEgressPolicy({ allow: parseEgressAllow(allow) }), new URL(address));

describe("parseHostAddress", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["127.0.1", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["127.0.0.1..", "127.0.0.1"],
    ["127.65535", "127.0.255.255"],
    ["0", "0.0.0.0"],
    ["0x", "0.0.0.0"],
    ["0x0", "0.0.0.0"],
    ["2130706433", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["0x7f000001", "127.0.0.1"],
    ["0X7F000001", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["0177.0.0.1", "127.0.0.1"],
    ["0000177.0.0.1", "127.0.0.1"],
    ["0x7f.0x0.0x0.0x1", "127.0.0.1"],
    ["0177.0x0.0.1", "127.0.0.1"],
    ["3232235521", "192.168.0.1"],
    ["0xa9fea9fe", "169.254.169.254"],
    ["2852039166", "169.254.169.254"],
    ["0251.0376.0251.0376", "169.254.169.254"],
    ["4294967295", "255.255.255.255"],
    ["１２７.０.０.１", "127.0.0.1"],
    ["①②⑦.⓪.⓪.①", "127.0.0.1"],
    ["𝟏𝟐𝟕.0.0.1", "127.0.0.1"],
    ["127。0。0。1", "127.0.0.1"],
    ["127．0．0．1", "127.0.0.1"],
    ["12\u00ad7.0.0.1", "127.0.0.1"],
    ["127.0.0.\u200b1", "127.0.0.1"],
    ["%31%32%37.0.0.1", "127.0.0.1"],
    ["127%2e0%2e0%2e1", "127.0.0.1"],
    ["%EF%BC%91.1.1.1", "1.1.1.1"],
    ["[::1]", "::1"],
    ["::1", "::1"],
    ["[0:0:0:0:0:0:0:1]", "::1"],
    ["[::ffff:127.0.0.1]", "127.0.0.1"],
    ["[::FFFF:7F00:1]", "127.0.0.1"],
    ["::127.0.0.1", "::7f00:1"],
    ["[64:ff9b::10.0.0.1]", "64:ff9b::a00:1"],
  ])("reads %j as the address %s", (host, address) => {
    expect(parseHostAddress(host)).toEqual({ kind: "address", address });
  });

  test.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com.", "example.com"],
    ["example.com..", "example.com"],
    ["ｅｘａｍｐｌｅ。ｃｏｍ", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["LOCAL\u00adHOST", "localhost"],
    ["ⓛocalhost", "localhost"],
    ["%6cocalhost", "localhost"],
    ["127.0.0.1.nip.io", "127.0.0.1.nip.io"],
    ["1.2.3.4a", "1.2.3.4a"],
    ["0x7f.example", "0x7f.example"],
    ["_dmarc.example.com", "_dmarc.example.com"],
  ])("reads %j as the name %s", (host, name) => {
    expect(parseHostAddress(host)).toEqual({ kind: "name", name });
  });

  test.each([
    "",
    ".",
    "..",
    "a..b",
    ".localhost",
    "256.1.1.1",
    "1.2.3.4.5",
    "127.0.0.256",
    "127.16777216",
    "4294967296",
    "09.1.1.1",
    "0x1ffffffff",
    "99999999999999999999",
    "foo.1",
    "foo.0x1",
    "a.b.c.d.1",
    "[127.0.0.1]",
    "[::1",
    "::1]",
    "[]",
    "[::1]:80",
    "::g",
    "fe80::1%eth0",
    "[fe80::1%25eth0]",
    "a b",
    "a\tb",
    "a\nb",
    "a/b",
    "a\\b",
    "a@b",
    "a?b",
    "a#b",
    "a<b",
    "a%00b",
    "a%2fb",
    "a%zz",
    "%",
    "a\u2100b.com",
    "ａ／ｂ",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(127)}com`,
    "localhost:80",
    "\ud800.com",
  ])("finds %j malformed", (host) => {
    expect(parseHostAddress(host)).toMatchObject({ kind: "malformed" });
  });
});

describe("judgeHost", () => {
  test.each([
    "https://127.0.0.1",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://０.０.０.０/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]:8443/x",
    "https://[64:ff9b::10.0.0.1]/",
    "https://169.254.169.254/latest",
    "https://168.63.129.16/",
    "https://0/",
    "https://[fd00:ec2::254]/",
    "https://192.168.1.1.:443/",
    "https://[2002:7f00:1::]/",
  ])("refuses the address in %s at once", (address) => {
    expect(judge(address)).toMatchObject({ allowed: false });
  });

  test.each(["https://8.8.8.8/", "https://134744072/", "https://[2606:4700::1111]:8443/", "http://1.1.1.1"])(
    "allows the public address in %s at once",
    (address) => {
      expect(judge(address)).toEqual({ allowed: true });
    },
  );

  test.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost..",
    "a.localhost",
    "localhost.localdomain",
    "ｌｏｃａｌｈｏｓｔ",
    "loc%61lhost",
    "printer.local",
    "PRINTER.LOCAL.",
    "db.internal",
    "db.ｉｎｔｅｒｎａｌ",
    "api.corp",
    "nas.home",
    "nas.home.arpa",
    "router.lan",
    "wiki.intranet",
    "api.default.svc",
    "api.default.svc.cluster.local",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "cluster.local",
    "x.kubernetes.default",
    "postgres",
    "com",
    "ip6-localhost",
    "xn--bcher-kva",
  ])("refuses the local name %s", (host) => {
    expect(judge(`https://${host}/`)).toEqual({
      allowed: false,
      reason: expect.stringMatching(/^(local|single-label) name$/),
    });
  });

  test.each([
    "metadata.google.internal",
    "METADATA.google.internal.",
    "metadata.goog",
    "instance-data.ec2.internal",
  ])("refuses the metadata name %s", (host) => {
    expect(judge(`https://${host}/`)).toEqual({ allowed: false, reason: "metadata name" });
  });

  test.each([
    "example.com",
    "api.example.com.",
    "bücher.example",
    "localhost.example.com",
    "notlocalhost.com",
    "mylocal.dev",
    "svc.example.com",
    "internal.example.com",
    "127.0.0.1.nip.io",
    "lan.org",
    "home.arpa.example.com",
    "a.test",
  ])("leaves %s to its addresses", (host) => {
    expect(judge(`https://${host}/`)).toBe("resolve");
  });

  test.each([
    ["https://localhost:8443/", "localhost:8443", "resolve"],
    ["https://LOCALHOST.:8443/", "localhost:8443", "resolve"],
    ["https://localhost/", "localhost:443", "resolve"],
    ["http://localhost/", "localhost:80", "resolve"],
    ["https://bücher.local/", "bücher.local:443", "resolve"],
    ["https://127.0.0.1:8443/", "127.0.0.1:8443", { allowed: true }],
  ])("lets %s through when the allow-list has %s", (address, allow, expected) => {
    expect(judge(address, allow)).toEqual(expected);
  });

  test.each([
    ["https://localhost:8444/", "localhost:8443"],
    ["https://localhost/", "localhost:80"],
    ["https://a.localhost:8443/", "localhost:8443"],
    ["https://localhost:8443/", "127.0.0.0/8"],
    ["https://localhost:8443/", "127.0.0.1:8443"],
    ["https://127.0.0.1:8443/", "localhost:8443"],
    ["https://127.0.0.1:8444/", "127.0.0.1:8443"],
  ])("refuses %s when the allow-list has only %s", (address, allow) => {
    expect(judge(address, allow)).toMatchObject({ allowed: false });
  });

  test.each(["ftp://8.8.8.8/", "file:///etc/passwd", "gopher://example.com/", "data:,x", "unix:/run/x.sock"])(
    "refuses %s, which is not HTTP",
    (address) => {
      expect(judgeHost(policy, new URL(address))).toEqual({ allowed: false, reason: "not an HTTP address" });
    },
  );
});

import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { judgeHost } from "./host.ts";
import { createEgressPolicy } from "./policy.ts";

const policy = createEgressPolicy();
const judge = (address: string, allow = "") =>
  judgeHost(createEgressPolicy({ allow: parseEgressAllow(allow) }), new URL(address));

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
  ])("refuses the address in %s immediately", (address) => {
    expect(judge(address)).toMatchObject({ allowed: false });
  });

  test.each(["https://8.8.8.8/", "https://134744072/", "https://[2606:4700::1111]:8443/", "http://1.1.1.1"])(
    "allows the public address in %s immediately",
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

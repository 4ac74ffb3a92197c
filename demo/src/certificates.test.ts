import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureDemoCertificates } from "./certificates.ts";

const DAY_MS = 86_400_000;
const START = new Date("2026-11-01T00:00:00Z");
const at = (days: number) => () => new Date(START.getTime() + days * DAY_MS);

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "glovebox-demo-")), "certificates");
});
afterEach(() => rm(join(directory, ".."), { recursive: true }));

describe("the demo's certificates", () => {
  it("the demo's certificates are signed by their authority, for loopback names, with a validity of at most 397 days", async () => {
    const { caPem, certPem } = await ensureDemoCertificates(directory, at(0));
    const leaf = new X509Certificate(certPem);
    const authority = new X509Certificate(caPem);

    expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey)).toBe(true);
    expect(leaf.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(leaf.ca).toBe(false);
    expect(authority.ca).toBe(true);
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).toBeLessThanOrEqual(397 * DAY_MS);
  });

  it("the demo's certificates have keys that only their owner can read", async () => {
    await ensureDemoCertificates(directory, at(0));
    expect((await stat(join(directory, "demo-certificates.json"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(directory, "ca.pem"), "utf8")).not.toContain("PRIVATE KEY");
  });

  it("the demo's certificates are the same after a restart", async () => {
    const first = await ensureDemoCertificates(directory, at(0));
    expect(await ensureDemoCertificates(directory, at(1))).toEqual(first);
  });

  it("the demo's certificates are reissued by the same authority before they expire", async () => {
    const first = await ensureDemoCertificates(directory, at(0));
    const renewed = await ensureDemoCertificates(directory, at(340));
    expect(renewed.caPem).toBe(first.caPem);
    expect(renewed.certPem).not.toBe(first.certPem);
    expect(await ensureDemoCertificates(directory, at(341))).toEqual(renewed);
  });

  it("get a new authority before the old one expires", async () => {
    const first = await ensureDemoCertificates(directory, at(0));
    expect((await ensureDemoCertificates(directory, at(3640))).caPem).not.toBe(first.caPem);
  });

  it("the demo's certificates are the same for two processes that start at the same time", async () => {
    const [one, other] = await Promise.all([
      ensureDemoCertificates(directory, at(0)),
      ensureDemoCertificates(directory, at(0)),
    ]);
    expect(one).toEqual(other);
  });

  it("the demo's certificates that cannot be read cause an error with the name of their file", async () => {
    await ensureDemoCertificates(directory, at(0));
    await writeFile(join(directory, "demo-certificates.json"), "{");
    await expect(ensureDemoCertificates(directory, at(0))).rejects.toThrow(
      /demo-certificates\.json cannot be read/,
    );
  });
});

import { shortOf } from "@glovebox/api/mcp";
import type { Scan } from "@glovebox/contract";
import { found } from "@glovebox/domain/testing";
import { completedScan } from "@glovebox/report/testing";
import { describe, expect, test } from "vitest";
import { parseScanOptions, type ScanOptions } from "../scan/options.ts";
import { filtersWithin, localCommands, type LocalDeps } from "./local-commands.ts";

const finding = found("high firm", { id: "0e2851c5699ef5ee", check: "ssrf/sample", category: "ssrf" });
const report = completedScan([finding]);

/** Commands whose scans end when the test says so. */
function commands(hosts: readonly string[] = ["api.shop.example"]) {
  const ends = Promise.withResolvers<Scan>();
  const scanned: ScanOptions[] = [];
  const deps: LocalDeps = {
    reports: [report],
    hosts: new Set(hosts),
    optionsOf: ({ url, specUrl }) => parseScanOptions(url, specUrl === undefined ? {} : { spec: specUrl }),
    scan: (options) => {
      scanned.push(options);
      return ends.promise;
    },
    now: () => new Date("2027-02-01T00:00:00Z"),
  };
  return { tools: localCommands(deps), ends, scanned };
}

describe("the filters of a scan that a model asks for", () => {
  test.each([
    [{}, {}, {}],
    [{}, { include: ["/a"], exclude: ["/b"] }, { include: ["/a"], exclude: ["/b"] }],
    [{ include: ["/a"] }, {}, { include: ["/a"] }],
    [{ exclude: ["/a"] }, { exclude: ["/b"] }, { exclude: ["/a", "/b"] }],
    [{ include: ["/a"], exclude: ["/b"] }, { exclude: ["/c"] }, { include: ["/a"], exclude: ["/b", "/c"] }],
  ])("filters within %j and of %j are %j", (given, asked, both) => {
    expect(filtersWithin(given, asked)).toEqual(both);
  });

  test("filters are refused where they could call what --include leaves out", () => {
    expect(() => filtersWithin({ include: ["/a"] }, { include: ["/**"] })).toThrow("by --include");
  });
});

describe("the tools of glovebox mcp", () => {
  test("the tools of glovebox mcp without hosts only read the reports", async () => {
    const { tools } = commands([]);
    expect([tools.start, tools.verify]).toEqual([undefined, undefined]);
    expect(await tools.list({ limit: 10, offset: 0 })).toMatchObject({
      total: 1,
      scans: [{ id: report.id }],
    });
    expect(await tools.get(report.id, 0)).toEqual(shortOf(report));
    expect(await tools.explain(report.id, finding.id)).toContain(finding.title);
    await expect(tools.explain(report.id, "other")).rejects.toThrow("The scan has no such finding.");
    await expect(tools.get("scan-1", 0)).rejects.toThrow("No such scan.");
  });

  test.each([
    [{ url: "https://other.example" }, "other.example"],
    [{ url: "https://api.shop.example:8443" }, "api.shop.example:8443"],
    [{ url: "https://api.shop.example", specUrl: "https://other.example/openapi.json" }, "other.example"],
  ])("scan no host that is not named: %j", async (request, host) => {
    const { tools, scanned } = commands();
    await expect(tools.start!(request)).rejects.toThrow(`${host} may not be scanned`);
    expect(scanned).toEqual([]);
  });

  test("start a scan without waiting, show it when it has ended, and run one at a time", async () => {
    const { tools, ends } = commands();
    const { id, status } = await tools.start!({ url: "https://api.shop.example" });
    expect(status).toBe("processing");
    await expect(tools.start!({ url: "https://api.shop.example" })).rejects.toThrow("one at a time");
    const waiting = tools.get(id, 50);
    ends.resolve(report);
    expect(await waiting).toMatchObject({ id, status: "completed", createdAt: "2027-02-01T00:00:00.000Z" });
    expect(await tools.list({ limit: 1, offset: 0 })).toMatchObject({ total: 2, scans: [{ id }] });
  });

  test("call a scan failed that ends with an unexpected error", async () => {
    const { tools, ends } = commands();
    const { id } = await tools.start!({ url: "https://api.shop.example" });
    ends.reject(new Error("no memory"));
    expect(await tools.get(id, 50)).toMatchObject({ status: "failed", error: { code: "scanner_crashed" } });
  });

  test("verify the locations of one finding, with the checks that found it", async () => {
    const { tools, ends, scanned } = commands();
    ends.resolve(completedScan([finding]));
    expect(await tools.verify!(report.id, finding.id)).toMatchObject([{ is: "confirmed" }]);
    expect(scanned[0]!.only).toEqual([{ check: "ssrf/sample", location: finding.location }]);
  });
});

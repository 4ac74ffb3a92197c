import { CATEGORY_KEYS, type Finding, type Instance, type Report } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { type Demo, type Variant, WEAKNESSES, createDemoCertificates, startDemo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScannerProcess } from "../scanner/scanner-process.ts";
import { ALSO_TRUE, HOST_WIDE, NOT_SEEN, routeOf } from "./expectations.ts";

async function scanned(demo: Demo): Promise<Report> {
  const ports = [demo.url, demo.plainHttpUrl!].map((url) => Number(new URL(url).port));
  const { outcome } = await runScannerProcess({
    scanId: "demo",
    url: `${demo.url}/`,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports }],
    extraCa: demo.caPem,
    limits: { deadlineSeconds: 300, maxRequests: 5_000 },
  });
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

const start = async (variant: Variant): Promise<Demo> =>
  startDemo({ variant, port: 0, plainHttpPort: 0, tls: await createDemoCertificates() });

const routeOfFinding = ({ category, location }: Instance): string => routeOf({ category, ...location });
const isMediumOrWorse = ({ severity }: Instance): boolean =>
  ["critical", "high", "medium"].includes(severity);
const nameOf = ({ check, location: { method, path } }: Instance): string =>
  routeOf({ category: check, method, path });

describe("a scan of the vulnerable demo target", () => {
  let demo: Demo;
  let report: Report;
  beforeAll(async () => {
    demo = await start("vulnerable");
    report = await scanned(demo);
  }, 300_000);
  afterAll(() => demo?.close());

  test.each(CATEGORY_KEYS)("has findings in the category %s", (category) => {
    expect(report.findings.filter((finding) => finding.category === category)).not.toEqual([]);
  });

  test("finds every weakness at its route, but for those that it cannot see", () => {
    const routes = new Set(report.findings.flatMap(instancesOf).map(routeOfFinding));
    const isFound = (weakness: (typeof WEAKNESSES)[number]): boolean =>
      routes.has(routeOf(weakness)) ||
      (HOST_WIDE.has(routeOf(weakness)) && routes.has(`${weakness.category} GET /`));
    const missed = WEAKNESSES.filter((weakness) => !isFound(weakness)).map(routeOf);
    expect(missed.filter((route) => !Object.hasOwn(NOT_SEEN, route))).toEqual([]);
  });

  test("every weakness that it cannot see is one of the demo's", () => {
    const known = new Set(WEAKNESSES.map(routeOf));
    expect(Object.keys(NOT_SEEN).filter((route) => !known.has(route))).toEqual([]);
  });

  test("a scan of the vulnerable demo target has no findings other than documented weaknesses and verified exceptions", () => {
    const weak = new Set(WEAKNESSES.map(routeOf));
    const hostWide = new Set([...HOST_WIDE].map((route) => `${route.split(" ")[0]} GET /`));
    const undocumented = report.findings
      .flatMap(instancesOf)
      .filter(({ severity }) => severity !== "info")
      .filter((finding) => !weak.has(routeOfFinding(finding)) && !hostWide.has(routeOfFinding(finding)))
      .map(nameOf);
    const isKnown = (name: string): boolean =>
      [name, name.replace(/ .*/, "")].some((key) => Object.hasOwn(ALSO_TRUE, key));
    expect(undocumented.filter((name) => !isKnown(name))).toEqual([]);
  });

  test("a scan of the vulnerable demo target has the grade D or F", () => {
    expect(["D", "F"]).toContain(report.grade);
  });

  test("a scan of the vulnerable demo target has the same findings in the same order when it is repeated", async () => {
    const again = await scanned(demo);
    expect(again.findings.flatMap(namesAndIds)).toEqual(report.findings.flatMap(namesAndIds));
  });
});

const namesAndIds = (finding: Finding): string[] =>
  instancesOf(finding).map((instance) => `${finding.id} ${instance.id} ${nameOf(instance)}`);

describe("a scan of the hardened demo target", () => {
  test("a scan of the hardened demo target has no findings of medium severity or above except the private certificate authority", async () => {
    const demo = await start("hardened");
    const { findings } = await scanned(demo);
    await demo.close();
    const falsePositives = findings.flatMap(instancesOf).filter(isMediumOrWorse).map(nameOf);
    expect(falsePositives.filter((name) => !name.startsWith("encryption/certificate"))).toEqual([]);
  });
});

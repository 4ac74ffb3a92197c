import { CATEGORY_KEYS, instancesOf, type Finding, type Instance, type Report } from "@glovebox/contract";
import { type Demo, type Variant, WEAKNESSES, createDemoCertificates, startDemo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScannerProcess } from "../scanner/scanner-process.ts";
import { ALSO_TRUE, HOST_WIDE } from "./expectations.ts";
import { routeOf } from "./route-of.ts";

/** A little under the share of weaknesses that are found now: less is a regression, much more moves this up. */
const LEAST_SHARE_FOUND = 0.8;

async function scanned(demo: Demo): Promise<Report> {
  const ports = [demo.url, demo.plainHttpUrl!].map((url) => Number(new URL(url).port));
  const { outcome } = await runScannerProcess({
    scanId: "demo",
    url: `${demo.url}/`,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports }],
    extraCa: demo.caPem,
    limits: { deadlineSeconds: 300, maxRequests: 2_000 },
  });
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

const start = async (variant: Variant): Promise<Demo> =>
  startDemo({ variant, port: 0, plainHttpPort: 0, tls: await createDemoCertificates() });

const placeOf = ({ category, location }: Instance): string => routeOf({ category, ...location });
const isGrave = ({ severity }: Instance): boolean => ["critical", "high", "medium"].includes(severity);
const nameOf = ({ check, location: { method, path } }: Instance): string =>
  routeOf({ category: check, method, path });

describe("a scan of the vulnerable clinic", () => {
  let demo: Demo;
  let report: Report;
  beforeAll(async () => {
    demo = await start("vulnerable");
    report = await scanned(demo);
  }, 300_000);
  afterAll(() => demo?.close());

  test.each(CATEGORY_KEYS)("finds something in %s", (category) => {
    expect(report.findings.filter((finding) => finding.category === category)).not.toEqual([]);
  });

  test("finds most weaknesses where they are, and names the others", ({ annotate }) => {
    const places = new Set(report.findings.flatMap(instancesOf).map(placeOf));
    const isFound = (weakness: (typeof WEAKNESSES)[number]): boolean =>
      places.has(routeOf(weakness)) ||
      (HOST_WIDE.has(routeOf(weakness)) && places.has(`${weakness.category} GET /`));
    const missed = WEAKNESSES.filter((weakness) => !isFound(weakness));
    const found = WEAKNESSES.length - missed.length;
    void annotate(
      [`${found} of ${WEAKNESSES.length} found; not found:`]
        .concat(missed.map((weakness) => `${routeOf(weakness)}: ${weakness.what}`))
        .join("\n"),
    );
    expect(found / WEAKNESSES.length).toBeGreaterThanOrEqual(LEAST_SHARE_FOUND);
  });

  test("finds nothing where nothing of that kind is wrong", () => {
    const weak = new Set(WEAKNESSES.map(routeOf));
    const hostWide = new Set([...HOST_WIDE].map((place) => `${place.split(" ")[0]} GET /`));
    const elsewhere = report.findings
      .flatMap(instancesOf)
      .filter(({ severity }) => severity !== "info")
      .filter((finding) => !weak.has(placeOf(finding)) && !hostWide.has(placeOf(finding)))
      .map(nameOf);
    expect(elsewhere.filter((name) => ALSO_TRUE[name] === undefined)).toEqual([]);
  });

  test("gives it a grade of D or F", () => {
    expect(["D", "F"]).toContain(report.grade);
  });

  test("gives the same findings in the same order when it is repeated", async () => {
    const again = await scanned(demo);
    expect(again.findings.flatMap(namesAndIds)).toEqual(report.findings.flatMap(namesAndIds));
  });
});

const namesAndIds = (finding: Finding): string[] =>
  instancesOf(finding).map((instance) => `${finding.id} ${instance.id} ${nameOf(instance)}`);

describe("a scan of its hardened twin", () => {
  test("reports nothing as medium or worse but that its authority is a private one", async () => {
    const twin = await start("hardened");
    const { findings } = await scanned(twin);
    await twin.close();
    const alarms = findings.flatMap(instancesOf).filter(isGrave).map(nameOf);
    expect(alarms.filter((name) => !name.startsWith("encryption/certificate"))).toEqual([]);
  });
});

import { instancesOf } from "@glovebox/domain";
import { expect, test } from "vitest";
import type { ExaminingCheck, TargetProfile } from "../engine/check.ts";
import { ProbeResponse } from "../transport/exchange.ts";
import { fakeApi, type FakeResponse } from "./fake-api.ts";
import { scanWith } from "./test-check.ts";

/** What is served: JSON, or text; text that begins as HTML is served as a page. */
export type Sample = string | object;

/** Of a row, by its name: what it reports, and what is like that and must not be reported. */
export type Samples = Readonly<Record<string, readonly [is: Sample, isNot: Sample]>>;

/** Serves the samples of each row of a table at the row's first path; every row must have some. */
export function testExposures(rows: readonly ExaminingCheck[], samples: Samples): void {
  test("every row has its samples", () => {
    expect(Object.keys(samples).toSorted()).toEqual(rows.map(nameOf).toSorted());
  });

  test.each(rows.map((row) => [row.id, row] as const))("%s reports its sample alone", async (_, row) => {
    const [is, isNot] = samples[nameOf(row)] ?? [{}, {}];
    const path = firstPathOf(row);
    const serving = (sample: Sample) =>
      fakeApi({ "GET /": { json: {} }, [`GET ${path}`]: responseOf(sample) });

    const { findings } = await scanWith([row], { name: row.id, target: serving(is) });
    const locations = findings.flatMap(instancesOf);
    expect(locations.map(({ check, location }) => [check, location.path])).toEqual([[row.id, path]]);
    const roles = locations[0]!.evidence.exchanges.map(({ role }) => role);
    // A row that is recognised everywhere may have been observed before its own requests.
    if (!("observe" in row)) expect(roles).toEqual(expect.arrayContaining(["attack", "control", "repeat"]));

    const other = await scanWith([row], { name: row.id, target: serving(isNot) });
    expect(other.findings).toEqual([]);
    expect(other.checks[0]!.passed).toBeGreaterThan(0);
  });
}

/** HTML with this title. */
export const pageOf = (title: string, body = ""): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const nameOf = ({ id }: ExaminingCheck): string => id.replace(/^.*\/exposed-/, "");

const responseOf = (sample: Sample): FakeResponse => {
  if (typeof sample !== "string") return { json: sample };
  return sample.startsWith("<!doctype")
    ? { headers: { "content-type": "text/html" }, body: sample }
    : { body: sample };
};

function firstPathOf(row: ExaminingCheck): string {
  const entry = new ProbeResponse({
    request: { method: "GET", url: "http://target.test/" },
    status: 404,
    headers: {},
    body: "",
  });
  const profile = {
    target: new URL("http://target.test/"),
    entry,
    calibration: { missing: [] },
    products: new Set(),
  };
  return row.subjects(profile as unknown as TargetProfile)[0]!.location.path;
}

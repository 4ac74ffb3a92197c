import { describe, expect, test } from "vitest";
import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { defineBaselineRow, passWhereSet } from "./baseline-row.ts";

const described = {
  id: "encryption/sample",
  category: "encryption",
  title: "Sample",
  severity: "low",
  confidence: "confirmed",
  description: "A header is missing.",
  rule: "The header is missing.",
  remediation: "Send it.",
  references: {},
} as const;
const count = (responses: readonly unknown[]): Verdict => inconclusive(`${responses.length} responses.`);

/** Examines the host whose entry and operations return these values of a header. */
async function examine(row: ReturnType<typeof defineBaselineRow>, values: readonly string[]) {
  const left = [...values];
  const operations = values.slice(1).map((_, index) => anOperation({ path: `/things/${index}` }));
  const profile = aTargetProfile({ operations });
  const probe = {
    profile,
    withRealIds: (operation: (typeof operations)[number]) => Promise.resolve(operation.request()),
    baseline: () => Promise.resolve(aResponse({ headers: { sample: left.shift() ?? "none" } })),
  } as unknown as Probe;
  return { verdict: await row.examine(profile.host, probe, undefined), left };
}

describe("a row of baseline responses", () => {
  test.each<[string, string[], object]>([
    [
      "fails at the first weakness, and asks for no more",
      ["good", "bad", "good"],
      { outcome: "fail", observed: "It is bad." },
    ],
    ["leaves the verdict to all responses where none has the weakness", ["good", "good"], count([1, 2])],
  ])("a row of baseline responses that looks for a weakness %s", async (_, values, verdict) => {
    const row = defineBaselineRow({
      ...described,
      weaknessIn: ({ headers }) => (headers["sample"] === "bad" ? "It is bad." : undefined),
      otherwise: count,
    });
    const examined = await examine(row, values);
    expect(examined.verdict).toMatchObject(verdict);
    expect(examined.left).toEqual(values.slice(values.indexOf("bad") + 1 || values.length));
  });

  test.each<[string, string[], Verdict]>([
    ["passes at the first one", ["bad", "good", "bad"], pass()],
    ["leaves the verdict to all responses where there is none", ["bad", "bad"], count([1, 2])],
    ["reads no more samples than it says", ["bad", "bad", "bad", "bad", "good"], count([1, 2, 3, 4])],
  ])("a row of baseline responses that looks for a good response %s", async (_, values, verdict) => {
    const isGood = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
      headers["sample"] === "good";
    const row = defineBaselineRow({ ...described, samples: 3, isGood, otherwise: count });
    expect((await examine(row, values)).verdict).toEqual(verdict);
  });
});

const blocked = aResponse({ status: 429 });
const cookie = aResponse({ headers: { "set-cookie": "session=1" } });
test.each([
  ["passes where a cookie was set", [aResponse(), cookie], { outcome: "pass" }],
  ["does not apply where none was set", [aResponse()], { outcome: "inconclusive", applies: false }],
  ["is open where the target blocks the scan", [blocked], { outcome: "inconclusive", cause: "undecided" }],
])("a weakness of session cookies that was not seen %s", (_, responses, verdict) => {
  const made = passWhereSet(responses, ({ headers }) => headers["set-cookie"] !== undefined);
  expect(made).toMatchObject(verdict);
  if (responses.includes(blocked)) expect(made).not.toHaveProperty("applies");
});

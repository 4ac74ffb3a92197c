import { readFileSync, readdirSync } from "node:fs";
import { IDENTITIES_FILE, identitiesFileSchema, parseTargetUrl } from "@glovebox/contract";
import { timingError } from "@glovebox/domain/schedule";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import {
  EXAMPLE_FILES,
  nightlyExample,
  nightlyScan,
  scanExample,
  scheduleExample,
  signedInExample,
  toYaml,
} from "./examples.ts";
import { scanSpecSchema } from "./scan-resource.ts";
import { scheduleSpecSchema } from "./schedule-resource.ts";

const folder = new URL("../examples/", import.meta.url);

describe("the examples", () => {
  test.each(Object.entries(EXAMPLE_FILES))("%s is the file of that name", (name, content) => {
    expect(readFileSync(new URL(name, folder), "utf8")).toBe(content);
  });

  test("the examples are all of the folder, beside the examples of Argo CD and Flux", () => {
    const names = [...Object.keys(EXAMPLE_FILES), "argo-cd.yaml", "flux.yaml"];
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  });

  test.each([
    ["scan.yaml", scanExample],
    ["nightly-scan.yaml", nightlyScan],
    ["scan-schedule.yaml", scheduleExample.spec.scanTemplate],
    ["signed-in-scan.yaml", signedInExample.scan],
  ])("the examples in %s have a spec of the schema, with addresses that may be scanned", (_, { spec }) => {
    expect(scanSpecSchema.strict().parse(spec)).toEqual(spec);
    expect(parseTargetUrl("url", spec.url).href).toBe(spec.url);
    expect(parseTargetUrl("specUrl", spec.specUrl).href).toBe(spec.specUrl);
  });

  test("the examples in scan-schedule.yaml have a time that can be run at", () => {
    const { timeZone = "", ...spec } = scheduleExample.spec;
    expect(scheduleSpecSchema.strict().parse({ ...spec, timeZone })).toMatchObject(spec);
    expect(timingError({ ...spec, timeZone }, new Date("2026-11-23T00:00:00Z"), 15)).toBeUndefined();
  });

  test("give the Scan that is signed in the identities of its Secret, which the scanner can read", () => {
    const { secret, scan } = signedInExample;
    expect(scan.spec.identitiesSecretRef).toEqual({ name: secret.metadata.name });
    expect(secret.metadata.namespace).toBe(scan.metadata.namespace);
    const { identities } = identitiesFileSchema.parse(load(secret.stringData[IDENTITIES_FILE]));
    expect(identities.map(({ name }) => name)).toEqual(["alice", "bob"]);
  });

  test("create the nightly Scan under a generated name, with the right to do that alone", () => {
    const [, role, , config] = nightlyExample as [object, object, object, { data: Record<string, string> }];
    expect(config.data["scan.yaml"]).toBe(toYaml(nightlyScan));
    expect(nightlyScan.metadata).not.toHaveProperty("name");
    expect(role).toMatchObject({
      rules: [{ apiGroups: ["glovebox.dev"], resources: ["scans"], verbs: ["create"] }],
    });
  });

  test("run the nightly pod where it reaches the API server, not in the namespace of scans", () => {
    const namespaceOf = ({ kind, metadata }: { kind: string; metadata: { namespace: string } }) =>
      `${kind} in ${metadata.namespace}`;
    expect((nightlyExample as Parameters<typeof namespaceOf>[0][]).map(namespaceOf)).toEqual([
      "ServiceAccount in glovebox",
      "Role in glovebox-scans",
      "RoleBinding in glovebox-scans",
      "ConfigMap in glovebox",
      "CronJob in glovebox",
    ]);
  });
});

test("YAML is written in block style, lists below their key, in the order of the object", () => {
  const block = { c: 1, a: [{ x: "one", z: [] }, "two", [3]], page: "one: 1\n  two\n" };
  expect(toYaml({ block, empty: {}, none: null, gone: undefined })).toBe(`block:
  c: 1
  a:
    - x: one
      z: []
    - two
    - - 3
  page: |
    one: 1
      two
empty: {}
none: null
`);
});

test.each([
  ["words", "a scan of the API", "a scan of the API"],
  ["an address", "https://api.example/v1", "https://api.example/v1"],
  ["a path", "/order/order.json", "/order/order.json"],
  ["nothing", "", '""'],
  ["what reads as a number", "1", '"1"'],
  ["what reads as a truth value in YAML 1.1", "no", '"no"'],
  ["what reads as a time in YAML 1.1", "1:30", '"1:30"'],
  ["a colon before a space", "a: b", '"a: b"'],
  ["a colon at the end", "a:", '"a:"'],
  ["a comment", "a #b", '"a #b"'],
  ["a dash in front", "- a", '"- a"'],
  ["a line break", "a\nb", "|-\n  a\n  b"],
  ["an alias", "*a", '"*a"'],
  ["JSON", '{"a":1}', '"{\\"a\\":1}"'],
  ["both kinds of quotes", `a"b'`, `a"b'`],
  ["a space at the end", "a ", '"a "'],
])("%s is written so that it is read back as that text", (_, text, written) => {
  expect(toYaml({ key: text })).toBe(`key: ${written}\n`);
  expect(load(toYaml({ key: text }))).toEqual({ key: text });
});

import { readFileSync, readdirSync } from "node:fs";
import { parseTargetUrl } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { EXAMPLE_FILES, nightlyExample, nightlyScan, scanExample } from "./examples.ts";
import { scanSpecSchema } from "./scan-resource.ts";
import { toYaml } from "./examples.ts";

const folder = new URL("../examples/", import.meta.url);

describe("the examples", () => {
  test.each(Object.entries(EXAMPLE_FILES))("%s is the file of that name", (name, content) => {
    expect(readFileSync(new URL(name, folder), "utf8")).toBe(content);
  });

  test("are all of the folder, beside those of Argo CD and Flux", () => {
    const names = [...Object.keys(EXAMPLE_FILES), "argo-cd.yaml", "flux.yaml"];
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  });

  test.each([
    ["scan.yaml", scanExample],
    ["nightly-scan.yaml", nightlyScan],
  ])("in %s have a spec of the schema, with addresses that may be scanned", (_, { spec }) => {
    expect(scanSpecSchema.strict().parse(spec)).toEqual(spec);
    expect(parseTargetUrl("url", spec.url).href).toBe(spec.url);
    expect(parseTargetUrl("specUrl", spec.specUrl).href).toBe(spec.specUrl);
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
    const placeOf = ({ kind, metadata }: { kind: string; metadata: { namespace: string } }) =>
      `${kind} in ${metadata.namespace}`;
    expect((nightlyExample as Parameters<typeof placeOf>[0][]).map(placeOf)).toEqual([
      "ServiceAccount in glovebox",
      "Role in glovebox-scans",
      "RoleBinding in glovebox-scans",
      "ConfigMap in glovebox",
      "CronJob in glovebox",
    ]);
  });
});

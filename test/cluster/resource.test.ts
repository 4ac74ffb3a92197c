import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { API_VERSION, STEP_TYPES, KIND } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, createNamespace, kubectl, namesOf } from "./support/kubectl.ts";

// Without a controller: how the API server validates and shows the resource.
const CRD = fileURLToPath(new URL("../../k8s/crd/scans.yaml", import.meta.url));
const namespace = `glovebox-test-${randomBytes(4).toString("hex")}`;

beforeAll(async () => {
  await kubectl(["apply", "-f", CRD]);
  await kubectl(["wait", "crd/scans.glovebox.dev", "--for=condition=Established", "--timeout=60s"]);
  await createNamespace(namespace);
});
afterAll(() => kubectl(["delete", "namespace", namespace, "--wait=false"]));

const scan = (name: string, spec: object) => ({
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: { name, namespace },
  spec,
});
const TARGET = "https://api.shop.example/v1";
const patch = (name: string, body: object, subresource?: "status") =>
  kubectl([
    ...["patch", "scans.glovebox.dev", name, "-n", namespace, "--type=merge", "-p", JSON.stringify(body)],
    ...(subresource ? [`--subresource=${subresource}`] : []),
  ]);
/** Sends the object without kubectl's own validation. */
const create = (object: object) =>
  kubectl(
    [
      "create",
      "--raw",
      `/apis/${API_VERSION}/namespaces/${namespace}/scans?fieldValidation=Strict`,
      "-f",
      "-",
    ],
    JSON.stringify(object),
  );
const explain = async (field: string): Promise<string> =>
  (await kubectl(["explain", field])).replaceAll(/\s+/g, " ");

describe("kubectl explain", () => {
  test("describes each field of the spec, and which ones are required", async () => {
    const text = await explain("scan.spec");
    expect(text).toContain("It cannot be changed once the scan is accepted.");
    expect(text).toContain("url <string> -required- Address of the API to scan. Plain HTTP only at");
    expect(text).toContain("specUrl <string> Address of its OpenAPI or Swagger document, as `url`.");
    expect(text).toContain("enum: financial, medical, public, internal");
    expect(text).toContain("account <string> Name of the account that the scan is charged to.");
  });

  test("describes who writes the status, and lists its conditions", async () => {
    const text = await explain("scan.status");
    expect(text).toContain("written by the controller.");
    expect(text).toContain(`conditions <[]Object> Steps: ${STEP_TYPES.join(", ")}.`);
  });

  test.each(["scan", "scan.spec", "scan.status", "scan.status.conditions", "scan.status.failure"])(
    "describes every field of %s",
    async (field) => {
      expect(await explain(field)).toContain("DESCRIPTION: ");
      expect(await explain(field)).not.toContain("<no description>");
    },
  );
});

describe("kubectl get", () => {
  test.each(["scans", "gscan", "glovebox"])(
    "%s shows name, phase, reason, score, grade, findings, target and age",
    async (alias) => {
      await apply(scan("shown", { url: TARGET }));
      const status = { phase: "Completed", reason: "ReportReceived", score: 88, grade: "B", findings: 3 };
      await patch("shown", { status }, "status");
      const [header, ...rows] = (await kubectl(["get", alias, "-n", namespace])).trim().split("\n");
      expect(header!.split(/\s+/)).toEqual("NAME PHASE REASON SCORE GRADE FINDINGS TARGET AGE".split(" "));
      const shown = rows.map((row) => row.split(/\s+/)).find(([name]) => name!.endsWith("shown"));
      expect(shown!.slice(1, -1)).toEqual(["Completed", "ReportReceived", "88", "B", "3", TARGET]);
      expect(shown!.at(-1)).toMatch(/^\d+[smh]/);
    },
  );
});

describe("the API server rejects a Scan", () => {
  test.each<[string, object, string]>([
    [
      "whose url is no web address",
      { url: "ftp://api.shop.example" },
      "spec.url: Invalid value: must be an https:// or",
    ],
    [
      "whose specUrl is no web address",
      { url: TARGET, specUrl: "file:///etc/passwd" },
      "spec.specUrl: Invalid value: must be an https:// or",
    ],
    ["without url", { account: "shop" }, "spec.url: Required value"],
    [
      "of an unknown context",
      { url: TARGET, context: "secret" },
      'spec.context: Unsupported value: "secret": supported values: "financial", "medical", "public", "internal"',
    ],
    ["with a misspelt field", { url: TARGET, specURL: TARGET }, 'unknown field "spec.specURL"'],
  ])("%s, with the reason", async (_, spec, reason) => {
    const message = await create(scan("refused", spec)).catch((error: Error) => error.message);
    expect(message.replaceAll(/: "[^"]*": must/g, ": must")).toContain(reason);
    expect(await namesOf("scans.glovebox.dev", namespace)).not.toContain("refused");
  });
});

describe("the spec of a Scan", () => {
  const accepted = (status: "True" | "False") => ({
    status: {
      conditions: [
        {
          type: "Accepted",
          status,
          reason: "Charged",
          message: "",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    },
  });

  test("can be changed until the scan is accepted, and not afterwards", async () => {
    await apply(scan("changed", { url: TARGET }));
    await patch("changed", { spec: { context: "public" } });
    await patch("changed", accepted("False"), "status");
    await patch("changed", { spec: { context: "medical" } });
    await patch("changed", accepted("True"), "status");
    for (const spec of [{ context: "internal" }, { context: null }, { account: "other" }])
      await expect(patch("changed", { spec })).rejects.toThrow(
        "spec cannot be changed once the scan is accepted; create another Scan",
      );
  });

  test("the spec of a Scan of an accepted scan does not prevent changes of its labels and its status", async () => {
    await apply(scan("labelled", { url: TARGET }));
    await patch("labelled", accepted("True"), "status");
    await patch("labelled", { metadata: { labels: { team: "shop" } } });
    await patch("labelled", { status: { phase: "Running" } }, "status");
    const fields = "jsonpath={.metadata.labels.team}/{.status.phase}";
    expect(await kubectl(["get", "scans.glovebox.dev", "labelled", "-n", namespace, "-o", fields])).toBe(
      "shop/Running",
    );
  });

  test("the spec of a Scan is not changed by a patch of the status, nor the status by a patch of the spec", async () => {
    await apply(scan("separate", { url: TARGET }));
    await patch("separate", { spec: { context: "public" }, status: { phase: "Pending" } }, "status");
    await patch("separate", {
      spec: { account: "shop" },
      status: { phase: "Completed", reason: "ReportReceived", score: 100 },
    });
    const fields = "jsonpath={.spec.context}/{.spec.account}/{.status.phase}/{.status.score}";
    expect(await kubectl(["get", "scans.glovebox.dev", "separate", "-n", namespace, "-o", fields])).toBe(
      "/shop/Pending/",
    );
  });
});

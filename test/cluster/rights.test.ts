import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNamespace, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const CHART = fileURLToPath(new URL("../../charts/glovebox", import.meta.url));
const NAME = "gb-glovebox-controller";
const folder = mkdtempSync(join(tmpdir(), "glovebox-rights-"));

let stage: Stage;
let release: string;
let rights: string;
beforeAll(async () => {
  stage = await setStage();
  release = `${stage.namespace}-release`;
  await createNamespace(release);
  rights = await rightsOfChart();
  await kubectl(["apply", "-f", "-"], rights);
});
afterAll(async () => {
  await stage?.close();
  await kubectl(["delete", "--ignore-not-found", "--wait=false", "-f", "-"], rights);
  await kubectl(["delete", "namespace", release, "--wait=false"]);
  rmSync(folder, { recursive: true, force: true });
});

/** The service account of the controller with its roles, as the chart makes them. */
async function rightsOfChart(): Promise<string> {
  const values = [
    "image.registry=localhost",
    "evaluation=true",
    "scanNamespace.create=false",
    `scanNamespace.name=${stage.namespace}`,
  ];
  const files = ["controller/rbac", "controller/cluster-rbac", "cluster/api-server-endpoints"].map(
    (name) => `templates/${name}.yaml`,
  );
  const { stdout } = await promisify(execFile)("helm", [
    ...["template", "gb", CHART, "-n", release],
    ...values.flatMap((value) => ["--set", value]),
    ...files.flatMap((file) => ["--show-only", file]),
  ]);
  return stdout;
}

/** A kubeconfig like the one at hand, for that service account. */
async function kubeconfigOfController(): Promise<string> {
  const token = (await kubectl(["create", "token", NAME, "-n", release])).trim();
  const config = JSON.parse(await kubectl(["config", "view", "--minify", "--raw", "-o", "json"])) as {
    users: { name: string; user: object }[];
  };
  const users = config.users.map(({ name }) => ({ name, user: { token } }));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, JSON.stringify({ ...config, users }));
  return file;
}

test("the rights that the chart gives are enough for a scan, from its Job to its own deletion", async () => {
  const controller = await stage.startController({
    KUBECONFIG: await kubeconfigOfController(),
    POD_NAMESPACE: release,
    GLOVEBOX_LEASE_NAME: NAME,
    GLOVEBOX_SCAN_TTL_SECONDS: "10",
  });
  await stage.applyScan("modest");
  expect(await stage.finished("modest")).toMatchObject({ phase: "Completed", attempt: 1 });
  await stage.tidied();
  await until("the event of the report", async () => {
    const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", stage.namespace);
    return items.some(({ reason }) => reason === "ReportReceived");
  });
  await until("the end of the Scan itself", async () => {
    const names = await namesOf("scans.glovebox.dev", stage.namespace);
    return names.length === 0;
  });
  expect(await controller.stop()).toBe(0);
  expect(controller.lines.filter((line) => /Forbidden|cannot be read/.test(line))).toEqual([]);
});
